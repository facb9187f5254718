import { binomial, normalQuantile } from './distributions';
import { mcNemar } from './passFail';

export interface PowerGoal {
  readonly alpha?: number;
  readonly power?: number;
}

/**
 * Rows (not rounded) to see a difference in pass rates between two variants on the same rows if a share `discordant` of the rows has
 * different outcomes. Undefined if the share is below the difference. Source: Miettinen 1968; Connor 1987.
 */
export function pairedRows(
  difference: number,
  discordant: number,
  { alpha = 0.05, power = 0.8 }: PowerGoal = {},
): number | undefined {
  const size = Math.abs(difference);
  if (size === 0 || discordant < size) return undefined;
  const root = normalQuantile(1 - alpha / 2) * Math.sqrt(discordant);
  return ((root + normalQuantile(power) * Math.sqrt(discordant - size * size)) / size) ** 2;
}

/** Rows of each variant, not rounded, if the variants answer different rows. Source: Fleiss, Levin and Paik 2003. */
export function unpairedRows(
  p1: number,
  p2: number,
  { alpha = 0.05, power = 0.8 }: PowerGoal = {},
): { readonly unpooled: number; readonly pooled: number } {
  const [z, zPower] = [normalQuantile(1 - alpha / 2), normalQuantile(power)];
  const variance = p1 * (1 - p1) + p2 * (1 - p2);
  const mean = (p1 + p2) / 2;
  const square = (p1 - p2) ** 2;
  return {
    unpooled: ((z + zPower) ** 2 * variance) / square,
    pooled: (z * Math.sqrt(2 * mean * (1 - mean)) + zPower * Math.sqrt(variance)) ** 2 / square,
  };
}

/** Smallest difference that so many rows show. Undefined if even all discordant rows in one direction would not be enough. */
export function detectableDifference(rows: number, discordant: number, goal: PowerGoal = {}): number | undefined {
  const neededAtMost = pairedRows(discordant, discordant, goal);
  if (neededAtMost === undefined || neededAtMost > rows) return undefined;
  let [low, high] = [0, discordant];
  for (let step = 0; step < 200 && high - low > 1e-15; step++) {
    const middle = (low + high) / 2;
    if ((pairedRows(middle, discordant, goal) ?? Infinity) > rows) low = middle;
    else high = middle;
  }
  return high;
}

/** Chance that McNemar's test finds a difference in its direction with so many rows, by summing the trinomial distribution. */
export function exactPower(
  rows: number,
  {
    difference,
    discordant,
    alpha = 0.05,
  }: { readonly difference: number; readonly discordant: number; readonly alpha?: number },
): { readonly midP: number; readonly exact: number } {
  const share = discordant === 0 ? 0 : (discordant + difference) / (2 * discordant);
  const pairs = binomial(rows, discordant);
  let [midP, exact] = [0, 0];
  for (const [index, chance] of pairs.chances.entries()) {
    const count = pairs.first + index;
    const wins = binomial(count, share);
    const limits = { midP: rejectedUpTo(count, 'midP', alpha), exact: rejectedUpTo(count, 'exact', alpha) };
    for (const [place, part] of wins.chances.entries()) {
      const losses = count - wins.first - place;
      if (losses * 2 >= count) continue;
      if (losses <= limits.midP) midP += chance * part;
      if (losses <= limits.exact) exact += chance * part;
    }
  }
  return { midP, exact };
}

/** Largest count of the rarer outcome at which the test still rejects; −1 if it never does. */
function rejectedUpTo(count: number, test: 'midP' | 'exact', alpha: number): number {
  let [low, high] = [-1, Math.floor(count / 2)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (mcNemar(middle, count - middle)[test] <= alpha) low = middle;
    else high = middle - 1;
  }
  return low;
}
