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
import { porterStem } from '../../../../src/core/evals/statistics/porterStem';
import {
  bcaInterval,
  percentileInterval,
  permutationP,
  resample,
} from '../../../../src/core/evals/statistics/resampling';
import {
  bleu,
  classify,
  editDistance,
  gleu,
  meteor,
  rougeL,
  rougeN,
  tokenF1,
} from '../../../../src/core/evals/statistics/textMeasures';
import type { MeteorWeights } from '../../../../src/core/evals/statistics/textMeasures';

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

  it('returns BLEU and GLEU as NLTK does without smoothing', () => {
    const guide = 'It is a guide to action which ensures that the military always obeys the commands of the party';
    const troops = 'It is to insure the troops forever hearing the activity guidebook that party direct';
    const party = [
      'It is a guide to action that ensures that the military will forever heed Party commands',
      'It is the guiding principle which guarantees the military forces always being under the command of the Party',
      'It is the practical guide for the army always to heed the directions of the party',
    ];
    const fox = ['The quick brown fox jumps over the lazy dog', 'A quick brown fox jumped over a lazy dog today'];
    const numbers = ['one two three four', 'one two three four five six seven eight nine'];
    // From NLTK 3.10, of words in lower case. Where it has 1e-77 or less without a common sequence of four words, this is 0.
    const known: readonly (readonly [output: string, references: readonly string[], bleu: number, gleu: number])[] = [
      [guide, party.slice(0, 1), 0.4208598069524091, 0.45454545454545453],
      [guide, party, 0.5045666840058485, 0.45454545454545453],
      [troops, party, 0, 0.13793103448275862],
      ['the the the the the the the', ['the cat is on the mat'], 0, 0.09090909090909091],
      ['the cat sat on the mat', ['the cat sat on the mat'], 1, 1],
      ['the cat', ['the cat sat on the mat'], 0, 0.16666666666666666],
      ['John loves Mary', ['John loves Mary'], 0, 1],
      ['who is it', ['John loves Mary'], 0, 0],
      ['The quick brown fox jumped over the lazy dog today', fox, 0.8408964152537145, 0.5882352941176471],
      ['a b c d e', ['a b c d e f g h'], 0.5488116360940264, 0.5384615384615384],
      ['one two three four five six', numbers, 1, 0.6],
      ['', ['a b c d'], 0, 0],
    ];
    for (const [output, references, expectedBleu, expectedGleu] of known)
      near(
        { bleu: bleu(references, output), gleu: gleu(references, output) },
        { bleu: expectedBleu, gleu: expectedGleu },
        1e-12,
        output,
      );
    ok(bleu(['价格下降了百分之五'], '价格上涨了百分之五') > 0.5);
  });

  it('returns METEOR with stems and without synonyms', () => {
    const sat = 'the cat sat on the mat';
    // From NLTK 3.10 with the stems of Porter's paper and an empty WordNet, of words without dots at their end.
    const known: readonly (readonly [output: string, references: readonly string[], number, MeteorWeights?])[] = [
      ['The cats sat on the mats.', [sat], 0.9976851851851852],
      ['on the mat sat the cat', [sat], 0.5],
      ['on the mat sat the cat', [sat], 0.8, { alpha: 0.5, beta: 1, gamma: 0.2 }],
      ['the cat', [sat], 0.17857142857142855],
      ['running dogs jumped happily', ['A running dog jumps with happiness', 'dogs run'], 0.5076628352490421],
      ['The cat is quick', ['the quick cat is relationally quick'], 0.689655172413793, { gamma: 0 }],
      ['who is it', ['John loves Mary'], 0],
      ['', [sat], 0],
    ];
    for (const [output, references, expected, weights] of known)
      near({ meteor: meteor(references, output, weights) }, { meteor: expected }, 1e-12, output);
    ok(meteor(['价格下降了百分之五'], '价格上涨了百分之五') > 0.5);
  });

  it('returns the stems of Porter for English words', () => {
    const words =
      'caresses ponies ties cats feed agreed plastered motoring conflated sized hopping falling hissing failing filing happy sky relational conditional valency hesitancy digitizer conformably radically differently vilely analogously vietnamization operator feudalism decisiveness hopefulness callousness formality sensitivity sensibility triplicate formative formalize electrical hopeful goodness revival allowance airliner gyroscopic adjustable irritant replacement adjustment dependent adoption communism activate angularity homologous effective probate rate cease controll roll as';
    // From NLTK 3.10.
    const stems =
      'caress poni ti cat feed agre plaster motor conflat size hop fall hiss fail file happi sky relat condit valenc hesit digit conform radic differ vile analog vietnam oper feudal decis hope callous formal sensit sensibl triplic form formal electr hope good reviv allow airlin gyroscop adjust irrit replac adjust depend adopt commun activ angular homolog effect probat rate ceas control roll as';
    deepEqual(words.split(' ').map(porterStem), stems.split(' '));
  });

  it('returns ROUGE-N as in the example of its paper', () => {
    const killed = 'police killed the gunman';
    near(rougeN(killed, 'police kill the gunman', 2), { recall: 1 / 3, precision: 1 / 3, f1: 1 / 3 }, 1e-12, 'S2');
    near(rougeN(killed, 'the gunman kill police', 2), { recall: 1 / 3, precision: 1 / 3, f1: 1 / 3 }, 1e-12, 'S3');
    near(rougeN(killed, 'police kill the gunman', 1), { recall: 3 / 4, precision: 3 / 4 }, 1e-12, 'ROUGE-1');
    // Clipped: only two of the seven are in the reference.
    near(
      rougeN('the cat is on the mat', 'the the the the the the the', 1),
      { recall: 1 / 3, precision: 2 / 7 },
      1e-12,
      'the',
    );
    deepEqual(rougeN('one', 'one', 2), { precision: 0, recall: 0, f1: 0 });
    for (const text of ['Привет мир', 'Γειά σου', 'مرحبا', '你好'])
      deepEqual(rougeN(text, text, 1), { precision: 1, recall: 1, f1: 1 }, text);
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
