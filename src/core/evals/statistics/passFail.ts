import { binomial, normalQuantile } from './distributions';

/** An estimate with its interval; the bounds are inclusive. */
export interface Estimate {
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
}

/** Wilson score interval without continuity correction (Wilson 1927). Undefined without any rows. */
export function wilson(passed: number, n: number, alpha = 0.05): Estimate | undefined {
  if (n === 0) return undefined;
  const z = normalQuantile(1 - alpha / 2);
  const estimate = passed / n;
  const divisor = 1 + (z * z) / n;
  const center = (estimate + (z * z) / (2 * n)) / divisor;
  const half = (z / divisor) * Math.sqrt((estimate * (1 - estimate)) / n + (z * z) / (4 * n * n));
  // The bounds at 0 and 100 % are exact, without the error of the last digit.
  return { estimate, low: passed === 0 ? 0 : center - half, high: passed === n ? 1 : center + half };
}

/**
 * McNemar's test on the discordant pairs: `b` rows that only the second variant passes, `c` that only the first one passes.
 * Two-sided p-values, exact (McNemar 1947) and mid-p (Fagerland, Lydersen and Laake 2013).
 */
export function mcNemar(b: number, c: number): { readonly exact: number; readonly midP: number } {
  if (b + c === 0) return { exact: 1, midP: 1 };
  const fewer = Math.min(b, c);
  const { first, chances } = binomial(b + c, 0.5);
  let below = 0;
  for (let k = first; k < fewer; k++) below += chances[k - first] ?? 0;
  const at = chances[fewer - first] ?? 0;
  return { exact: Math.min(1, 2 * (below + at)), midP: b === c ? 1 - at / 2 : 2 * below + at };
}

/** Preferences without ties: share of wins with its Wilson interval, and the exact two-sided sign test (Arbuthnot 1710; Conover 1999). */
export function signTest(wins: number, losses: number): { readonly p: number; readonly rate: Estimate | undefined } {
  return { p: mcNemar(wins, losses).exact, rate: wilson(wins, wins + losses) };
}

/**
 * Percentile bootstrap interval of the difference in pass rates on the same rows, without resampling: resampled wins and losses are
 * multinomial (n; b/n, c/n), so their difference is summed exactly. Bounds by the inverse distribution function. Source: Efron 1979.
 */
export function pairedInterval(n: number, b: number, c: number, alpha = 0.05): Estimate | undefined {
  if (n === 0) return undefined;
  const chances = new Float64Array(2 * n + 1);
  const discordant = binomial(n, (b + c) / n);
  for (const [index, share] of discordant.chances.entries()) {
    const count = discordant.first + index;
    const wins = binomial(count, b + c === 0 ? 0 : b / (b + c));
    for (const [place, chance] of wins.chances.entries()) {
      const difference = 2 * (wins.first + place) - count + n;
      chances[difference] = (chances[difference] ?? 0) + share * chance;
    }
  }
  const boundAt = (p: number) => {
    let sum = 0;
    const found = chances.findIndex((chance) => (sum += chance) >= p - 1e-12);
    return ((found < 0 ? 2 * n : found) - n) / n;
  };
  return { estimate: (b - c) / n, low: boundAt(alpha / 2), high: boundAt(1 - alpha / 2) };
}

/** Holm's step-down adjusted p-values in the order given (Holm 1979). Undefined ones stay undefined and do not count. */
export function holm(values: readonly (number | undefined)[]): readonly (number | undefined)[] {
  const adjusted: (number | undefined)[] = values.map(() => undefined);
  const known = values.flatMap((p, index) => (p === undefined ? [] : [{ p, index }])).toSorted((x, y) => x.p - y.p);
  let highest = 0;
  for (const [rank, { p, index }] of known.entries())
    adjusted[index] = highest = Math.max(highest, Math.min(1, (known.length - rank) * p));
  return adjusted;
}
