import { tQuantile } from './distributions';

export interface MeanEstimate {
  readonly mean: number;
  /** Undefined for a single value, like the bounds. */
  readonly standardError?: number;
  readonly low?: number;
  readonly high?: number;
}

/** Mean with its t interval (Student 1908). Undefined without values; equal values are their own interval. */
export function meanInterval(values: readonly number[], alpha = 0.05): MeanEstimate | undefined {
  const n = values.length;
  if (n === 0) return undefined;
  const mean = meanOf(values);
  if (n === 1) return { mean };
  const first = values[0] ?? 0;
  if (values.every((value) => value === first)) return { mean: first, standardError: 0, low: first, high: first };
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const standardError = Math.sqrt(squares / (n - 1) / n);
  const half = tQuantile(1 - alpha / 2, n - 1) * standardError;
  return { mean, standardError, low: mean - half, high: mean + half };
}

export interface ClusteredError {
  readonly mean: number;
  readonly groups: number;
  /** Undefined if there is only one group. */
  readonly standardError?: number;
  /** With the factor √(G/(G − 1)) for few groups. */
  readonly corrected?: number;
}

/** Standard error of a mean whose rows come in groups. Source: Miller 2024, "Adding Error Bars to Evals", equation 4. */
export function clusteredError(values: readonly number[], groups: readonly string[]): ClusteredError | undefined {
  const n = values.length;
  if (n === 0) return undefined;
  const mean = meanOf(values);
  const sums = new Map<string, number>();
  for (const [index, value] of values.entries()) {
    const group = groups[index] ?? '';
    sums.set(group, (sums.get(group) ?? 0) + value - mean);
  }
  if (sums.size === 1) return { mean, groups: 1 };
  const standardError = Math.sqrt([...sums.values()].reduce((total, sum) => total + sum * sum, 0)) / n;
  return {
    mean,
    groups: sums.size,
    standardError,
    corrected: standardError * Math.sqrt(sums.size / (sums.size - 1)),
  };
}

/** Corrected by the mean of what is left, so that large values lose no digits. */
function meanOf(values: readonly number[]): number {
  const rough = values.reduce((sum, value) => sum + value, 0) / values.length;
  return rough + values.reduce((sum, value) => sum + (value - rough), 0) / values.length;
}
