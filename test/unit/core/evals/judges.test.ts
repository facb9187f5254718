import { deepEqual, equal, ok } from 'node:assert/strict';
import {
  judgeAgreement,
  lengthControlledRate,
  preferenceOf,
  preferences,
  sharedVendor,
} from '../../../../src/core/evals/statistics/judges';
import type { JudgedPair, Preference } from '../../../../src/core/evals/statistics/judges';

const pair = (forward?: Preference, swapped = forward, [firstLength, secondLength] = [10, 10]): JudgedPair => ({
  forward,
  swapped,
  firstLength,
  secondLength,
});
const times = <T>(count: number, one: T): readonly T[] => Array.from({ length: count }, () => one);
const near = (got: number | undefined, expected: number, tolerance = 1e-9) =>
  ok(got !== undefined && Math.abs(got - expected) <= tolerance, `${got} instead of ${expected}`);

describe('a pairwise judge', () => {
  it('has a tie if its orders disagree, and no verdict if one of them is missing', () => {
    equal(preferenceOf(pair('first')), 'first');
    equal(preferenceOf(pair('first', 'second')), 'tie');
    equal(preferenceOf(pair('tie', 'second')), 'tie');
    equal(preferenceOf({ ...pair('first'), swapped: undefined }), undefined);
  });

  it('is summarized by its wins without ties, its flips, and the wins of longer responses', () => {
    const found = preferences([
      ...times(6, pair('second', 'second', [10, 20])),
      ...times(2, pair('first', 'first', [10, 20])),
      ...times(1, pair('first', 'first', [20, 10])),
      ...times(1, pair('first', 'first')),
      ...times(3, pair('first', 'second')),
      ...times(2, pair('tie')),
      { ...pair('first'), swapped: undefined },
    ]);
    const { wins, losses, ties, missing } = found;
    deepEqual([wins, losses, ties, missing], [6, 4, 5, 1]);
    // 6 of 10 by Wilson, and the binomial test of 6 to 4.
    near(found.rate?.estimate, 0.6);
    near(found.rate?.low, 0.31267377, 1e-8);
    near(found.rate?.high, 0.83181967, 1e-8);
    near(found.p, 0.75390625);
    near(found.flipRate?.estimate, 3 / 15);
    near(found.longerWins?.estimate, 7 / 9);
  });

  it('has no figures without pairs', () => {
    const { rate, p, flipRate, longerWins, controlledRate } = preferences([]);
    deepEqual([rate, p, flipRate, longerWins, controlledRate], [undefined, 1, undefined, undefined, undefined]);
  });
});

describe('the length-controlled win rate', () => {
  const of = (longerBy: number, wins: number, losses: number) => [
    ...times(wins, { longerBy, isWin: true }),
    ...times(losses, { longerBy, isWin: false }),
  ];

  it('is the midpoint of the log odds if responses are equally longer and shorter', () => {
    // Two points determine both parameters: wins are 8 of 10 for longer and 4 of 10 for shorter answers.
    const expected = 1 / (1 + Math.exp(-(Math.log(8 / 2) + Math.log(4 / 6)) / 2));
    near(lengthControlledRate([...of(100, 8, 2), ...of(-100, 4, 6)]), expected);
    near(lengthControlledRate([...of(3, 8, 2), ...of(-3, 4, 6)]), expected);
  });

  it('maximizes the likelihood with several lengths', () => {
    // By nested bisection of both score equations, written apart in Python.
    const pairs = [...of(100, 7, 2), ...of(40, 5, 3), ...of(0, 4, 4), ...of(-60, 2, 5), ...of(-150, 1, 3)];
    near(lengthControlledRate(pairs), 0.5003819604, 1e-7);
  });

  it('is the plain rate if all responses are equally long, and unknown if length decides everything', () => {
    near(lengthControlledRate(of(0, 3, 1)), 0.75);
    equal(lengthControlledRate(of(5, 3, 1)), undefined);
    equal(lengthControlledRate([...of(5, 9, 0), ...of(-5, 0, 9)]), undefined);
    equal(lengthControlledRate([...of(5, 3, 0), ...of(-5, 3, 0)]), undefined);
  });
});

describe('a judge compared with people', () => {
  const labels = (truePass: number, falseFail: number, falsePass: number, trueFail: number) => [
    ...times(truePass, { human: true, judge: true }),
    ...times(falseFail, { human: true, judge: false }),
    ...times(falsePass, { human: false, judge: true }),
    ...times(trueFail, { human: false, judge: false }),
  ];

  it('is compared with chance, and with always choosing the most frequent label', () => {
    // The example of Cohen's kappa with 20, 5, 10, and 15 of 50: agreement 0.7, chance 0.5, kappa 0.4.
    const found = judgeAgreement(labels(20, 5, 10, 15))!;
    near(found.agreement, 0.7);
    near(found.kappa, 0.4);
    deepEqual([found.baseRate, found.constant, found.labels, found.isCalibrated], [0.5, 0.5, 50, true]);
    deepEqual(found.counts, { truePass: 20, falseFail: 5, falsePass: 10, trueFail: 15 });
  });

  it('can agree often without being better than a constant', () => {
    const found = judgeAgreement(labels(45, 0, 4, 0))!;
    near(found.agreement, 45 / 49);
    near(found.constant, 45 / 49);
    near(found.kappa, 0);
    equal(found.isCalibrated, false);
    equal(judgeAgreement(labels(9, 0, 0, 0))!.kappa, undefined);
    equal(judgeAgreement([]), undefined);
  });

  it('detects a shared vendor of models by their names, however they are hosted', () => {
    for (const [judge, candidate, vendor] of [
      ['gpt-5-mini', 'openai/gpt-4.1', 'openai'],
      ['Qwen/Qwen3-8B', 'QwQ-32B', 'qwen'],
      ['anthropic/claude-sonnet-4', 'us.anthropic.claude-3-5-haiku-20241022-v1:0', 'anthropic'],
      ['deepseek-ai/DeepSeek-V3', 'Pro/deepseek-ai/DeepSeek-R1', 'deepseek'],
      ['zai-org/GLM-4.5', 'THUDM/glm-4-9b-chat', 'zhipu'],
      ['models/gemini-2.5-pro', 'google/gemma-3-27b-it', 'google'],
      ['unknown-org/a', 'unknown-org/b', 'unknown-org'],
      ['gpt-5', 'claude-sonnet-4', undefined],
      ['a', 'a', undefined],
      ['Qwen/Qwen3-8B', 'deepseek-ai/DeepSeek-R1-Distill-Qwen-7B', undefined],
    ] as const)
      equal(sharedVendor(judge, candidate), vendor, `${judge} and ${candidate}`);
  });
});
