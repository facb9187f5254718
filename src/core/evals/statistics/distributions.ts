const rootOf2Pi = Math.sqrt(2 * Math.PI);

/** Probability above `x ≥ 3` under the standard normal density, by Laplace's continued fraction. */
function upperTail(x: number): number {
  let fraction = x;
  for (let term = 120; term > 0; term--) fraction = x + term / fraction;
  return Math.exp((-x * x) / 2) / rootOf2Pi / fraction;
}

/** Standard normal distribution function. Source: Marsaglia 2004, "Evaluating the Normal Distribution" (series). */
export function normalCdf(x: number): number {
  if (x > 3) return 1 - upperTail(x);
  if (x < -3) return upperTail(-x);
  let term = x;
  let sum = x;
  for (let odd = 3; Math.abs(term) > Number.EPSILON * Math.abs(sum); odd += 2) {
    term *= (x * x) / odd;
    sum += term;
  }
  return 0.5 + (sum * Math.exp((-x * x) / 2)) / rootOf2Pi;
}

/** Inverse of `normalCdf` by Halley's method. Source of the first guess: Abramowitz and Stegun 26.2.23. */
export function normalQuantile(p: number): number {
  if (p <= 0 || p >= 1) return p <= 0 ? -Infinity : Infinity;
  // 1 − p is exact above one half, and the lower tail has the digits.
  if (p > 0.5) return -normalQuantile(1 - p);
  const t = Math.sqrt(-2 * Math.log(p));
  let x = (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) - t;
  for (let step = 0; step < 4; step++) {
    const error = ((normalCdf(x) - p) * rootOf2Pi) / Math.exp((-x * x) / 2);
    x -= error / (1 + (x * error) / 2);
  }
  return x;
}

const lanczos = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
] as const;

/** Logarithm of the gamma function for x ≥ ½. Source: Lanczos 1964, coefficients for g = 7. */
function logGamma(x: number): number {
  const base = x - 1 + 7.5;
  const sum = lanczos.reduce((total, part, index) => total + (index === 0 ? part : part / (x - 1 + index)), 0);
  return Math.log(rootOf2Pi) + (x - 0.5) * Math.log(base) - base + Math.log(sum);
}

/** Regularized incomplete beta function. Source: DLMF 8.17.22, evaluated by Lentz's method. */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const tiny = 1e-300;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x)) / a;
  let [value, up, down] = [1, 1, 0];
  for (let step = 0; step < 20_000; step++) {
    const m = Math.floor(step / 2);
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    const factor = step === 0 ? 1 : step % 2 === 0 ? even : odd;
    down = 1 / (1 + factor * down || tiny);
    up = 1 + factor / up || tiny;
    value *= up * down;
    if (step > 0 && Math.abs(up * down - 1) < 1e-15) break;
  }
  return front * (value - 1);
}

/** Quantile of Student's t distribution for p ≥ ½, by bisection of its tail (DLMF 8.17, Student 1908). */
export function tQuantile(p: number, degrees: number): number {
  const tail = 2 * (1 - p);
  const tailAt = (t: number) => incompleteBeta(degrees / (degrees + t * t), degrees / 2, 0.5);
  let [low, high] = [0, 1];
  while (tailAt(high) > tail && high < 1e12) high *= 2;
  for (let step = 0; step < 200 && high - low > 1e-15 * high; step++) {
    const middle = (low + high) / 2;
    if (tailAt(middle) > tail) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Probabilities of the counts `first`, `first + 1`, …. Omitted ones are below 1e-18. */
export interface CountChances {
  readonly first: number;
  readonly chances: Float64Array;
}

/** Binomial probabilities from the mode outward, by the ratio of neighbors. */
export function binomial(n: number, p: number): CountChances {
  if (p <= 0 || p >= 1 || n === 0) return { first: p >= 1 ? n : 0, chances: Float64Array.of(1) };
  const mode = Math.min(n, Math.floor((n + 1) * p));
  const atMode = Math.exp(
    logGamma(n + 1) - logGamma(mode + 1) - logGamma(n - mode + 1) + mode * Math.log(p) + (n - mode) * Math.log1p(-p),
  );
  const below: number[] = [];
  const above = [atMode];
  const odds = p / (1 - p);
  for (let k = mode, chance = atMode; k > 0 && chance > 1e-18; k--) below.push((chance *= k / ((n - k + 1) * odds)));
  for (let k = mode, chance = atMode; k < n && chance > 1e-18; k++) above.push((chance *= ((n - k) * odds) / (k + 1)));
  return { first: mode - below.length, chances: Float64Array.from(below.toReversed().concat(above)) };
}

/** Type 7 (numpy's default) interpolates between neighbors; type 1 is the inverse distribution function. */
export type QuantileRule = 'linear' | 'inverse';

/** Quantile of sorted values. Source: Hyndman and Fan 1996. */
export function quantileOf(sorted: Float64Array, p: number, rule: QuantileRule): number {
  const last = sorted.length - 1;
  if (rule === 'inverse') return sorted[Math.min(last, Math.max(0, Math.ceil(p * sorted.length - 1e-9) - 1))] ?? NaN;
  const place = p * last;
  const [low = NaN, high = low] = [sorted[Math.floor(place)], sorted[Math.min(last, Math.floor(place) + 1)]];
  return low + (high - low) * (place - Math.floor(place));
}
