import { cohenKappa } from './agreement';
import type { JudgeCounts } from './agreement';
import { signTest, wilson } from './passFail';
import type { Estimate } from './passFail';

/** Fewer human labels say too little about a judge. */
export const calibratedLabels = 50;

export type Preference = 'first' | 'second' | 'tie';

/** A judge's results for two answers to one row, in both orders. A missing or unreadable verdict is undefined. */
export interface JudgedPair {
  /** Hash of the row. */
  readonly row?: string;
  readonly forward: Preference | undefined;
  /** With the answers swapped, but named as in `forward`. */
  readonly swapped: Preference | undefined;
  /** Characters of the answers. */
  readonly firstLength: number;
  readonly secondLength: number;
}

/** The verdict of both orders: a tie if they disagree, undefined if one is missing. Source: Zheng et al. 2023, section 3.4. */
export function preferenceOf({ forward, swapped }: JudgedPair): Preference | undefined {
  if (forward === undefined || swapped === undefined) return undefined;
  return forward === swapped ? forward : 'tie';
}

export interface Preferences {
  /** Pairs in which the second answer is better, and the first. */
  readonly wins: number;
  readonly losses: number;
  /** Includes pairs whose orders disagree. */
  readonly ties: number;
  readonly missing: number;
  /** Share of wins of the second answer without ties, with its Wilson interval. */
  readonly rate: Estimate | undefined;
  /** Exact sign test. */
  readonly p: number;
  /** Share of pairs whose verdict changes with the order. */
  readonly flipRate: Estimate | undefined;
  /** Share of the decided pairs of unequal lengths in which the longer answer wins. */
  readonly longerWins: Estimate | undefined;
  /** The rate if both answers were equally long. Undefined if length decides everything. */
  readonly controlledRate: number | undefined;
}

/** Sums up a judge's verdicts, together with the signs of its biases for position and length. */
export function preferences(pairs: readonly JudgedPair[]): Preferences {
  const known = pairs.flatMap((pair) => {
    const preference = preferenceOf(pair);
    return preference === undefined ? [] : [{ ...pair, preference }];
  });
  const decided = known.filter(({ preference }) => preference !== 'tie');
  const wins = decided.filter(({ preference }) => preference === 'second').length;
  const losses = decided.length - wins;
  const flips = known.filter(({ forward, swapped }) => forward !== swapped).length;
  const unequal = decided.filter(({ firstLength, secondLength }) => firstLength !== secondLength);
  const byLonger = unequal.filter(
    ({ firstLength, secondLength, preference }) => secondLength > firstLength === (preference === 'second'),
  );
  return {
    wins,
    losses,
    ties: known.length - decided.length,
    missing: pairs.length - known.length,
    ...signTest(wins, losses),
    flipRate: wilson(flips, known.length),
    longerWins: wilson(byLonger.length, unequal.length),
    controlledRate: lengthControlledRate(
      decided.map(({ firstLength, secondLength, preference }) => ({
        longerBy: secondLength - firstLength,
        isWin: preference === 'second',
      })),
    ),
  };
}

const mostSteps = 50;

/**
 * Returns the share of wins at equal lengths: a logistic regression of the wins on tanh(difference in length / its standard deviation),
 * evaluated at difference 0. Source: Dubois, Galambosi, Liang and Hashimoto 2024, "Length-Controlled AlpacaEval", without the terms for
 * several models and for instructions. Undefined without pairs, and if the fit has no finite maximum.
 */
export function lengthControlledRate(
  pairs: readonly { readonly longerBy: number; readonly isWin: boolean }[],
): number | undefined {
  const n = pairs.length;
  const wins = pairs.filter(({ isWin }) => isWin).length;
  if (n === 0) return undefined;
  const mean = pairs.reduce((sum, { longerBy }) => sum + longerBy, 0) / n;
  const deviation = Math.sqrt(pairs.reduce((sum, { longerBy }) => sum + (longerBy - mean) ** 2, 0) / n);
  // Without any variation, the effect of length can't be separated from that of the answers.
  if (deviation === 0) return mean === 0 ? wins / n : undefined;
  if (wins === 0 || wins === n) return undefined;
  const points = pairs.map(({ longerBy, isWin }) => ({ x: Math.tanh(longerBy / deviation), y: Number(isWin) }));
  let [intercept, slope] = [0, 0];
  for (let step = 0; step < mostSteps; step++) {
    let [g0, g1, h00, h01, h11] = [0, 0, 0, 0, 0];
    for (const { x, y } of points) {
      const chance = logistic(intercept + slope * x);
      const weight = chance * (1 - chance);
      g0 += y - chance;
      g1 += (y - chance) * x;
      h00 += weight;
      h01 += weight * x;
      h11 += weight * x * x;
    }
    const determinant = h00 * h11 - h01 * h01;
    // The weights vanish if a length separates wins from losses.
    if (!(determinant > 1e-9)) return undefined;
    const [change0, change1] = [(h11 * g0 - h01 * g1) / determinant, (h00 * g1 - h01 * g0) / determinant];
    intercept += change0;
    slope += change1;
    if (Math.abs(change0) + Math.abs(change1) < 1e-12) return logistic(intercept);
  }
  return undefined;
}

function logistic(x: number): number {
  return 1 / (1 + Math.exp(-x));
}

/** How a judge's verdicts agree with human labels of the same answers. */
export interface JudgeAgreement {
  readonly labels: number;
  readonly counts: JudgeCounts;
  readonly agreement: number;
  /** Undefined if both always say the same one thing. */
  readonly kappa?: number;
  readonly standardError?: number;
  /** Share of passes among the human labels. */
  readonly baseRate: number;
  /** Agreement of a judge that always gives the most frequent human label: a useful one exceeds it. */
  readonly constant: number;
  readonly isCalibrated: boolean;
}

/** Compares a judge with people. Undefined without labels. Source: Cohen 1960. */
export function judgeAgreement(
  labels: readonly { readonly human: boolean; readonly judge: boolean }[],
): JudgeAgreement | undefined {
  const count = (human: boolean, judge: boolean) =>
    labels.filter((label) => label.human === human && label.judge === judge).length;
  const [truePass, falseFail] = [count(true, true), count(true, false)];
  const [trueFail, falsePass] = [count(false, false), count(false, true)];
  const found = cohenKappa([
    [truePass, falseFail],
    [falsePass, trueFail],
  ]);
  if (!found) return undefined;
  const { baseRate: constant, ...agreement } = found;
  return {
    ...agreement,
    constant,
    labels: labels.length,
    counts: { truePass, falseFail, trueFail, falsePass },
    baseRate: (truePass + falseFail) / labels.length,
    isCalibrated: labels.length >= calibratedLabels,
  };
}

/**
 * By model names: Qwen and QwQ come from one vendor. A distilled model is named for its teacher first, whose judgments it has learned, as
 * in `DeepSeek-R1-Distill-Qwen-7B`.
 */
const vendors: readonly (readonly [vendor: string, names: RegExp])[] = [
  ['deepseek', /^deepseek/],
  ['openai', /^(?:gpt|chatgpt|o[1345](?:-|$)|davinci|babbage)/],
  ['anthropic', /claude/],
  ['google', /gemini|gemma|palm|bison/],
  ['qwen', /qwen|qwq|qvq|tongyi/],
  ['zhipu', /glm|cogview/],
  ['moonshot', /kimi|moonshot/],
  ['meta', /^(?:meta-)?llama|^code-?llama/],
  ['mistral', /mistral|mixtral|codestral|magistral|ministral|devstral|pixtral/],
  ['xai', /^grok/],
  ['cohere', /^command|^aya|^c4ai/],
  ['minimax', /minimax|^abab/],
  ['tencent', /hunyuan/],
  ['baidu', /ernie/],
  ['bytedance', /doubao|^seed-/],
  ['microsoft', /^phi-|^wizardlm/],
  ['amazon', /^nova-|titan/],
  ['ibm', /granite/],
  ['nvidia', /nemotron/],
  ['01-ai', /^yi-/],
  ['internlm', /^intern/],
  ['baichuan', /baichuan/],
  ['stepfun', /^step-/],
  ['ai21', /jamba|jurassic/],
  ['perplexity', /sonar/],
];

/**
 * Returns the vendor that two models share, because a judge prefers its own kind (Panickssery, Bowman and Feng 2024). Undefined if they
 * share none, or if it is unknown.
 */
export function sharedVendor(judge: string, candidate: string): string | undefined {
  const vendor = vendorOf(judge);
  return vendor !== undefined && vendor === vendorOf(candidate) ? vendor : undefined;
}

function vendorOf(model: string): string | undefined {
  const parts = model.toLowerCase().split('/');
  const name = (parts.at(-1) ?? '').replace(/^(?:us|eu|apac)?\.?(?:anthropic|meta|amazon|mistral|cohere)\./, '');
  const known = vendors.find(([, names]) => names.test(name));
  return known?.[0] ?? (parts.length > 1 ? parts.at(-2) : undefined);
}
