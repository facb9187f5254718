import { compareDecimals } from './decimal';

/** Whether a balance is below a threshold. False where either is missing or no decimal: nothing is warned of by guess. */
export function isBelow(balance: string | undefined, threshold: string): boolean {
  if (balance === undefined || threshold.trim() === '') return false;
  const order = compareDecimals(balance, threshold);
  return order !== undefined && order < 0;
}

/** Tells each crossing once: true when `balance` is below now and was not when last seen for the same profile and threshold. */
export function createCrossingWatch(): (profileId: string, balance: string | undefined, threshold: string) => boolean {
  const below = new Map<string, boolean>();
  return (profileId, balance, threshold) => {
    if (balance === undefined) return false;
    const name = `${profileId} ${threshold}`;
    const was = below.get(name) ?? false;
    const is = isBelow(balance, threshold);
    below.set(name, is);
    return is && !was;
  };
}
