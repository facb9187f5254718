import type { BalanceFalls } from './daySpending';

/** A fall of a balance that no known charge explains. */
export interface UnattributedFall {
  /** The balance, as in `BalanceFalls`. */
  readonly of: string;
  readonly day: string;
  readonly amount: number;
}

/** Below this share of a fall, the difference is that of rounding. */
const leastShare = 0.005;

/**
 * Returns by how much the decrease of balances exceeds known charges, on the given days (consecutive, oldest first). `charged` returns the
 * known charges of a balance on a day. A charge and its decrease can be on two sides of midnight, so an excess on one day is subtracted
 * from the day before or after it.
 */
export function unattributedFalls(
  falls: readonly BalanceFalls[],
  charged: (of: string, day: string) => number,
  days: readonly string[],
): readonly UnattributedFall[] {
  return [...new Set(falls.map(({ of }) => of))].flatMap((of) => {
    const accounts = falls.filter((one) => one.of === of);
    // Accounts with the same key have the same balance, and each saw a part of its fall or all of it.
    const fell = days.map((day) => accounts.reduce((most, one) => Math.max(most, one.days.get(day) ?? 0), 0));
    const isRead = days.map((day) => accounts.some((one) => one.days.has(day)));
    const left = days.map((day, at) => (isRead[at] ? fell[at]! - charged(of, day) : 0));
    for (const [at, missing] of left.entries())
      for (const other of [at - 1, at + 1]) {
        const taken = Math.min(Math.max(0, left[at] ?? missing), Math.max(0, -(left[other] ?? 0)));
        if (taken === 0) continue;
        left[at]! -= taken;
        left[other]! += taken;
      }
    return days.flatMap((day, at) => {
      const amount = left[at]!;
      return amount > fell[at]! * leastShare ? [{ of, day, amount }] : [];
    });
  });
}
