import { deepEqual, equal, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { cohenKappa, correctedRate, krippendorffAlpha } from '../../../../src/core/evals/statistics/agreement';
import { clusteredError, meanInterval } from '../../../../src/core/evals/statistics/means';
import { holm, mcNemar, pairedInterval, signTest, wilson } from '../../../../src/core/evals/statistics/passFail';
import {
  detectableDifference,
  exactPower,
  pairedRows,
  unpairedRows,
} from '../../../../src/core/evals/statistics/power';
import {
  bcaInterval,
  percentileInterval,
  permutationP,
  resample,
} from '../../../../src/core/evals/statistics/resampling';
import { classify, editDistance, rougeL, tokenF1 } from '../../../../src/core/evals/statistics/textMeasures';

interface Input {
  readonly [name: string]: unknown;
  readonly n: number;
  readonly b: number;
  readonly c: number;
  readonly alpha: number;
  readonly values: readonly number[];
  readonly groups: readonly string[];
  readonly differences: readonly number[];
  readonly difference: number;
  readonly discordant: number;
  readonly power: number;
  readonly rows: number;
  readonly passed: number;
  readonly reference: string;
  readonly output: string;
}

/** Inputs with what scipy, statsmodels, and scikit-learn return for them; the third place is a tolerance of its own. */
const cases = JSON.parse(readFileSync('test/fixtures/evals/statistics.json', 'utf8')) as Readonly<
  Record<string, readonly (readonly [Input, unknown, number?])[]>
>;

const paired = ({ a, b }: Input) => {
  const [first, second] = [a, b] as unknown as readonly (readonly number[])[];
  return first!.map((value, index) => second![index]! - value);
};
const bothRules = (interval: (rule: 'linear' | 'inverse') => readonly [number, number]) => ({
  linear: interval('linear'),
  inverse: interval('inverse'),
});
const bothBca = (input: Input) => {
  const drawn = resample(paired(input));
  const { bias, acceleration, levels } = bcaInterval(drawn, input.alpha);
  return {
    difference: drawn.difference,
    z0: bias,
    acceleration,
    alphaLow: levels?.[0],
    alphaHigh: levels?.[1],
    ...bothRules((rule) => {
      const { low, high } = bcaInterval(drawn, input.alpha, rule);
      return [low, high];
    }),
  };
};
const deviationOf = (means: Float64Array) => {
  const mean = means.reduce((sum, value) => sum + value, 0) / means.length;
  return Math.sqrt(means.reduce((sum, value) => sum + (value - mean) ** 2, 0) / means.length);
};
const withoutNull = (values: readonly (number | null)[]) => values.map((value) => value ?? undefined);

const functions: Readonly<Record<string, (input: Input) => unknown>> = {
  wilson: ({ passed, n, alpha }) => wilson(passed, n, alpha),
  mcnemar({ b, c }) {
    const { exact, midP } = mcNemar(b, c);
    return { exact, midp: midP };
  },
  meanInterval({ values, alpha }) {
    const { standardError: se, ...rest } = meanInterval(values, alpha)!;
    return { se, ...rest };
  },
  bootstrapPercentileEnumerated(input) {
    const drawn = resample(paired(input));
    return {
      difference: drawn.difference,
      resamples: drawn.means.length,
      ...bothRules((rule) => percentileInterval(drawn, input.alpha, rule)),
      bootstrapStandardError: deviationOf(drawn.means),
    };
  },
  bootstrapPercentileExactPassFail({ n, b, c, alpha }) {
    const { estimate: difference, low, high } = pairedInterval(n, b, c, alpha)!;
    return { difference, low, high, latticeStep: 1 / n };
  },
  bcaEnumerated: bothBca,
  bcaSampled(input) {
    const drawn = resample(paired(input));
    const { low, high } = bcaInterval(drawn, input.alpha);
    return { difference: drawn.difference, low, high };
  },
  pairedPermutation: (input) => ({ p: permutationP(paired(input)), patterns: 2 ** paired(input).length }),
  signTest({ wins, losses }) {
    const { p, rate } = signTest(wins as number, losses as number);
    return { p, winRate: rate?.estimate, low: rate?.low, high: rate?.high };
  },
  holm: ({ p }) => holm(withoutNull(p as readonly (number | null)[])),
  cohenKappa({ table, weights }) {
    const order = (weights ?? undefined) as 'linear' | undefined;
    const { kappa, agreement, standardError, baseRate } = cohenKappa(table as readonly number[][], order)!;
    return { kappa, agreement, standardError, baseRateOfFirstRater: baseRate };
  },
  krippendorffAlpha: ({ ratings, level }) =>
    krippendorffAlpha((ratings as readonly (number | null)[][]).map(withoutNull), level as 'nominal'),
  roganGladen: ({ passed, n, ...counts }) => correctedRate(passed, n, counts as never),
  clusteredStandardError({ values, groups }) {
    const { standardError: se, corrected: seCorrected, ...rest } = clusteredError(values, groups)!;
    return { se, seCorrected, ...rest };
  },
  clusterBootstrapEnumerated({ differences, groups, alpha }) {
    const drawn = resample(differences, { groups });
    return {
      difference: drawn.difference,
      resamples: drawn.means.length,
      ...bothRules((rule) => percentileInterval(drawn, alpha, rule)),
    };
  },
  sampleSizePaired({ difference, discordant, alpha, power }) {
    const unrounded = pairedRows(difference, discordant, { alpha, power });
    if (unrounded === undefined) return undefined;
    const rows = Math.ceil(unrounded);
    const { midP, exact } = exactPower(rows, { difference, discordant, alpha });
    return { rows, unrounded, exactPowerMidp: midP, exactPowerExact: exact };
  },
  sampleSizeUnpaired({ p1, p2, alpha, power }) {
    const { unpooled, pooled } = unpairedRows(p1 as number, p2 as number, { alpha, power });
    return { unpooled: Math.ceil(unpooled), pooled: Math.ceil(pooled) };
  },
  minimalDetectableDifference({ rows, discordant, alpha, power }) {
    const difference = detectableDifference(rows, discordant, { alpha, power });
    return difference === undefined ? undefined : { difference };
  },
  rougeL({ reference, output, tokenizer }) {
    const { common: lcs, ...rest } = rougeL(reference, output, tokenizer as 'ascii');
    return { lcs, ...rest };
  },
  levenshtein({ a, b }) {
    return editDistance(a as string, b as unknown as string);
  },
  tokenF1: ({ reference, output }) => tokenF1(reference, output),
  classification({ labels, expected, predicted }) {
    const result = classify(
      labels as readonly string[],
      expected as readonly string[],
      (predicted as readonly (string | null)[]).map((one) => one ?? undefined),
    );
    const of = (name: 'precision' | 'recall' | 'f1') => result.measures.map((measure) => measure[name]);
    return { ...result, precision: of('precision'), recall: of('recall'), f1: of('f1') };
  },
};

/** Within the tolerance of the source; `null` there is undefined here. Members that are not expected are not compared. */
function near(got: unknown, expected: unknown, tolerance: number, where: string): void {
  if (expected === null) return equal(got, undefined, where);
  if (typeof expected === 'number')
    return ok(
      typeof got === 'number' && Math.abs(got - expected) <= tolerance * Math.max(1, Math.abs(expected)),
      `${where}: ${String(got)} instead of ${expected}`,
    );
  if (typeof expected === 'object')
    for (const [name, value] of Object.entries(expected))
      near((got as Record<string, unknown> | undefined)?.[name], value, tolerance, `${where}.${name}`);
}

describe('statistics of evals', () => {
  for (const [name, compute] of Object.entries(functions))
    it(`returns the reference values of ${name}`, () => {
      const known = cases[name]!;
      ok(known.length > 1);
      for (const [input, expected, tolerance] of known) {
        const { codePoints: _, ...compared } = (expected ?? {}) as Record<string, unknown>;
        const value = expected === null || Array.isArray(expected) ? expected : compared;
        near(compute(input), value, tolerance ?? 1e-9, `${name} of ${JSON.stringify(input).slice(0, 120)}`);
      }
    });

  it('has a function for each of the reference values', () => {
    deepEqual(Object.keys(functions).toSorted(), Object.keys(cases).toSorted());
    equal(Object.values(cases).flat().length, 182);
  });

  it('returns undefined, never NaN, if there are no values', () => {
    deepEqual(
      [wilson(0, 0), meanInterval([]), clusteredError([], []), cohenKappa([]), pairedInterval(0, 0, 0)],
      [undefined, undefined, undefined, undefined, undefined],
    );
    deepEqual(correctedRate(5, 10, { truePass: 3, falseFail: 0, trueFail: 0, falsePass: 0 }), { sensitivity: 1 });
    deepEqual(clusteredError([1, 0], ['a', 'a']), { mean: 0.5, groups: 1 });
    deepEqual(holm([undefined, 0.01, undefined, 0.04]), [undefined, 0.02, undefined, 0.04]);
    equal(pairedRows(0, 0.2), undefined);
    equal(classify(['a'], ['a'], [undefined]).accuracy, undefined);
  });

  it('uses quantiles of t that agree with the closed form for four degrees of freedom', () => {
    const { mean, standardError, high } = meanInterval([1, 2, 3, 4, 5], 0.1)!;
    const t = (high! - mean) / standardError!;
    const share = 1 + (t * t) / 4;
    ok(Math.abs(0.5 + ((3 / 8) * t * (1 - (t * t) / share / 12)) / Math.sqrt(share) - 0.95) < 1e-14);
  });

  it('draws the same resamples from the same seed', () => {
    const differences = Array.from({ length: 40 }, (_, index) => Math.sin(index));
    deepEqual(
      percentileInterval(resample(differences, { seed: 7 })),
      percentileInterval(resample(differences, { seed: 7 })),
    );
    ok(permutationP(differences, 7) === permutationP(differences, 7));
  });

  it('computes the exact interval and power of 50,000 rows', () => {
    const { low, high } = pairedInterval(50_000, 4_000, 3_500)!;
    ok(low > 0.006 && high < 0.014, `${low} to ${high}`);
    const { midP } = exactPower(50_000, { difference: 0.005, discordant: 0.15 });
    ok(midP > 0.8 && midP < 0.9, String(midP));
  });

  it('compares long texts without quadratic time or memory', () => {
    const [left, right] = [0, 7].map((from) =>
      Array.from({ length: 30_000 }, (_, index) => `w${(index * 7 + from) % 991}`),
    );
    ok(rougeL(left!.join(' '), right!.join(' '), 'ascii').f1 > 0.9);
    equal(editDistance('a'.repeat(60_000), 'b'.repeat(60_000)).similarity, 0);
  });
});
