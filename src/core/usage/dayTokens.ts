import { addUsage, budgetState } from './usage';
import type { Usage } from './usage';
import type { UsageLedger } from './usageLedger';

/** Tokens that count as used although nobody knows yet how many it will be. */
export interface HeldTokens {
  /** To be called once what was used is added, or nothing was. */
  release(this: void): void;
}

/** What one account uses on a day, held to a limit. */
export interface DayTokens {
  add(this: void, usage: Usage, model: string): void;
  /** Throws once the tokens of the day are used up, or are by what is under way; from then on about `expected` more are. */
  check(this: void, expected?: number): Promise<HeldTokens>;
  /** Resolves when all that was added is on disk. */
  settled(this: void): Promise<void>;
}

export interface DayTokensOptions {
  readonly ledger: UsageLedger;
  readonly account: string;
  /** Tokens, in and out together; 0 is no limit. Asked each time. */
  readonly limit: () => number;
  /** What is thrown beyond it. */
  readonly refuse: (used: Usage, limit: number) => Error;
}

/** Counts in the ledger, with all windows and processes that count there. */
export function createDayTokens({ ledger, account, limit, refuse }: DayTokensOptions): DayTokens {
  let held = 0;
  let last: Promise<void> = Promise.resolve();
  return {
    add(usage, model) {
      last = ledger.add(account, { at: Date.now(), model, ...usage });
    },
    async check(expected = 0) {
      const hard = limit();
      if (hard > 0) {
        const used = await ledger.total(account, Date.now());
        // Nothing may wait from here on: another check would see the same.
        const all = held > 0 ? addUsage(used, { inputTokens: held, outputTokens: 0, isEstimate: true }) : used;
        if (budgetState(all, { soft: 0, hard }) === 'hard') throw refuse(all, hard);
      }
      let left = expected;
      held += left;
      return {
        release() {
          held -= left;
          left = 0;
        },
      };
    },
    settled: () => last,
  };
}
