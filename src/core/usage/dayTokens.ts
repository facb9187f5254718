import { addUsage, budgetState, tokensOf } from './usage';
import type { TokenBudget, Usage } from './usage';
import type { HeldTokens, UsageLedger } from './usageLedger';

/** What one account uses on a day, held to a budget. */
export interface DayTokens {
  add(this: void, usage: Usage, model: string): void;
  /**
   * Throws once the tokens of the day are used up, or are by what is under way, and where about `expected` more do not fit into what
   * is left; else so many count as used from now on.
   */
  check(this: void, expected?: number): Promise<HeldTokens>;
  /** Resolves when all that was added is on disk, or cannot be. */
  settled(this: void): Promise<void>;
}

/** What is thrown beyond the limit. `expected` is set where it is not reached, and what is to be sent would pass it. */
type Refuse = (used: Usage, limit: number, expected?: number) => Error;

export interface DayTokensOptions {
  readonly ledger: UsageLedger;
  readonly account: string;
  /** Tokens, in and out together. Asked each time. */
  readonly budget: () => TokenBudget;
  readonly refuse: Refuse;
  /** Told once that the level before the limit is passed. */
  readonly onWarn?: () => void;
}

/** Counts in the ledger, with all windows and processes that count there. */
export function createDayTokens({ ledger, account, budget, refuse, onWarn }: DayTokensOptions): DayTokens {
  let isWarned = false;
  let last: Promise<void> = Promise.resolve();
  return {
    add(usage, model) {
      last = ledger.add(account, { at: Date.now(), model, ...usage });
    },
    async check(expected = 0) {
      const { soft, hard } = budget();
      if (soft === 0 && hard === 0) return ledger.hold(account, expected);
      const now = Date.now();
      await ledger.total(account, now);
      // Nothing may wait from here on: another check would see the same.
      const used = ledger.known(account, now);
      const held = ledger.held(account);
      const all = held > 0 ? addUsage(used, { inputTokens: held, outputTokens: 0, isEstimate: true }) : used;
      const state = budgetState(all, { soft, hard });
      if (state === 'hard') throw refuse(all, hard);
      if (hard > 0 && tokensOf(all) + expected > hard) throw refuse(all, hard, expected);
      if (state === 'soft' && !isWarned) {
        isWarned = true;
        onWarn?.();
      }
      return ledger.hold(account, expected);
    },
    settled: () => last,
  };
}
