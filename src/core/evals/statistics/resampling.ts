import { normalCdf, normalQuantile, quantileOf, type QuantileRule } from './distributions';

/** Up to here every resample is looked at, and the result has no random part. */
const mostEnumerated = 50_000;
const usualResamples = 10_000;

export interface Resamples {
  readonly difference: number;
  /** In ascending order. */
  readonly means: Float64Array;
  /** Means with each row (or group) omitted in turn, for the acceleration. */
  readonly jackknife: readonly number[];
}

/** Seeded numbers in [0, 1). Source: mulberry32 (Ettinger 2017, public domain). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Resamples the mean of paired differences (Efron 1979). With `groups`, resamples entire groups and divides by the rows drawn (Field and
 * Welsh 2007). All resamples are enumerated if there are few rows. Otherwise they are drawn from the seed.
 */
export function resample(
  differences: readonly number[],
  {
    groups,
    seed = 1,
    resamples = usualResamples,
  }: { readonly groups?: readonly string[]; readonly seed?: number; readonly resamples?: number } = {},
): Resamples {
  const units = new Map<string, { sum: number; rows: number }>();
  for (const [index, value] of differences.entries()) {
    const unit = groups ? (groups[index] ?? '') : String(index);
    const { sum, rows } = units.get(unit) ?? { sum: 0, rows: 0 };
    units.set(unit, { sum: sum + value, rows: rows + 1 });
  }
  const sums = Float64Array.from([...units.values()], ({ sum }) => sum);
  const rows = Float64Array.from([...units.values()], ({ rows: count }) => count);
  const n = sums.length;
  const total = sums.reduce((sum, value) => sum + value, 0);
  const count = n ** n <= mostEnumerated ? n ** n : resamples;
  const pick = n ** n <= mostEnumerated ? digitsOf(n) : createRandom(seed);
  const means = new Float64Array(count);
  for (let one = 0; one < count; one++) {
    let [sum, drawn] = [0, 0];
    for (let place = 0; place < n; place++) {
      const chosen = Math.floor(pick() * n);
      sum += sums[chosen] ?? 0;
      drawn += rows[chosen] ?? 0;
    }
    means[one] = sum / drawn;
  }
  return {
    difference: total / differences.length,
    means: means.toSorted(),
    jackknife: Array.from(sums, (sum, index) => (total - sum) / (differences.length - (rows[index] ?? 0))),
  };
}

/** Every sequence of n digits below n, one digit per call, as what a random number would choose. */
function digitsOf(n: number): () => number {
  const digits = new Uint8Array(n);
  let place = 0;
  return () => {
    const digit = digits[place] ?? 0;
    if (++place === n) {
      place = 0;
      for (let index = n - 1; index >= 0; index--) {
        digits[index] = ((digits[index] ?? 0) + 1) % n;
        if (digits[index] !== 0) break;
      }
    }
    return (digit + 0.5) / n;
  };
}

/** Percentile interval of resampled means. */
export function percentileInterval(
  { means }: Resamples,
  alpha = 0.05,
  rule: QuantileRule = 'linear',
): readonly [number, number] {
  return [quantileOf(means, alpha / 2, rule), quantileOf(means, 1 - alpha / 2, rule)];
}

export interface BcaInterval {
  readonly low: number;
  readonly high: number;
  /** Undefined if all differences are equal, like the other two. */
  readonly bias?: number;
  readonly acceleration?: number;
  readonly levels?: readonly [number, number];
}

/** Bias-corrected and accelerated interval (Efron 1987). Ties with the estimate count half, as in scipy. */
export function bcaInterval(
  { means, difference, jackknife }: Resamples,
  alpha = 0.05,
  rule: QuantileRule = 'linear',
): BcaInterval {
  const [lowest = difference, highest = difference] = [means[0], means.at(-1)];
  const noise = 1e-12 * Math.max(1, Math.abs(lowest), Math.abs(highest));
  if (highest - lowest <= noise) return { low: difference, high: difference };
  const [below, upTo] = [countBelow(means, difference - noise), countBelow(means, difference + noise)];
  const bias = normalQuantile((below + upTo) / (2 * means.length));
  const center = jackknife.reduce((sum, value) => sum + value, 0) / jackknife.length;
  const moment = (power: number) => jackknife.reduce((sum, value) => sum + (center - value) ** power, 0);
  const acceleration = moment(3) / (6 * moment(2) ** 1.5);
  const levelOf = (p: number) => {
    const shifted = bias + normalQuantile(p);
    return normalCdf(bias + shifted / (1 - acceleration * shifted));
  };
  const levels = [levelOf(alpha / 2), levelOf(1 - alpha / 2)] as const;
  return {
    low: quantileOf(means, levels[0], rule),
    high: quantileOf(means, levels[1], rule),
    bias,
    acceleration,
    levels,
  };
}

function countBelow(sorted: Float64Array, limit: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** From here on sign patterns are drawn. */
const mostFlipped = 16;

/**
 * Two-sided sign-flip permutation test of a mean difference (Fisher 1935). Enumerates all patterns of up to 16 differences other than 0,
 * which change no sum; draws them from the seed beyond that, and then counts the observed one too.
 */
export function permutationP(differences: readonly number[], seed = 1, draws = usualResamples): number {
  const moved = differences.filter((value) => value !== 0).map(Math.abs);
  const observed = Math.abs(differences.reduce((sum, value) => sum + value, 0));
  const limit = observed - 1e-12 * differences.length;
  const isExact = moved.length <= mostFlipped;
  const patterns = isExact ? 2 ** moved.length : draws;
  const random = createRandom(seed);
  let asExtreme = 0;
  for (let pattern = 0; pattern < patterns; pattern++) {
    let sum = 0;
    let bits = pattern;
    for (const [index, value] of moved.entries()) {
      if (!isExact && index % 32 === 0) bits = Math.floor(random() * 2 ** 32);
      sum += bits & 1 ? value : -value;
      bits >>>= 1;
    }
    if (Math.abs(sum) >= limit) asExtreme++;
  }
  return isExact ? asExtreme / patterns : (asExtreme + 1) / (patterns + 1);
}
