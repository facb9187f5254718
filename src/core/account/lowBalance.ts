import { compareDecimals } from './decimal';

/** Whether a balance is below a threshold. False if either is missing or not a decimal: no warnings based on guesses. */
export function isBelow(balance: string | undefined, threshold: string): boolean {
  if (balance === undefined || threshold.trim() === '') return false;
  const order = compareDecimals(balance, threshold);
  return order !== undefined && order < 0;
}

/** Reports each crossing once: returns true if `balance` is below now and was not at the last call with the same profile and threshold. */
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
