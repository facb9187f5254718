import { addUsage, budgetState, tokensOf } from './usage';
import type { TokenBudget, Usage, UsageSource } from './usage';
import type { HeldTokens, UsageLedger } from './usageLedger';

/** Counts the tokens that one account uses per day and enforces its budget. */
export interface DayTokens {
  add(this: void, usage: Usage, model: string, source: UsageSource): void;
  /**
   * Throws once the day's tokens are used up or reserved by requests in progress, or if about `expected` more exceed the rest;
   * otherwise reserves that many.
   */
  check(this: void, expected?: number): Promise<HeldTokens>;
  /** Resolves once everything added is on disk, or failed to be written. */
  settled(this: void): Promise<void>;
}

/** Whether a budget refused a call, so that nothing was sent. */
export function isBudgetRefusal(error: unknown): error is Error {
  return error instanceof Error && 'isBudgetRefusal' in error;
}

/** Counts in each, and throws if one does. */
export function inEach(counts: readonly DayTokens[]): DayTokens {
  return {
    add(usage, model, source) {
      for (const one of counts) one.add(usage, model, source);
    },
    async check(expected) {
      const held: HeldTokens[] = [];
      const release = () => {
        for (const one of held) one.release();
      };
      try {
        for (const one of counts) held.push(await one.check(expected));
      } catch (error) {
        release();
        throw error;
      }
      return { release };
    },
    async settled() {
      for (const one of counts) await one.settled();
    },
  };
}

/** Creates the error to throw. `expected` is set if the limit is not reached yet, but the next request would exceed it. */
type Refuse = (used: Usage, limit: number, expected?: number) => Error;

/** Counts in the ledger, together with all windows and processes that share it. */
export function createDayTokens({
  ledger,
  account,
  budget,
  refuse,
  onWarn,
}: {
  readonly ledger: UsageLedger;
  readonly account: string;
  /** Input and output tokens together. Read on every check. */
  readonly budget: () => TokenBudget;
  readonly refuse: Refuse;
  /** Called once when the soft limit is exceeded. */
  readonly onWarn?: () => void;
}): DayTokens {
  let isWarned = false;
  let last: Promise<unknown> = Promise.resolve();
  const refusal = (...reason: Parameters<Refuse>) => Object.assign(refuse(...reason), { isBudgetRefusal: true });
  return {
    add(usage, model, source) {
      last = ledger.add(account, { at: Date.now(), model, source, ...usage });
    },
    async check(expected = 0) {
      const { soft, hard } = budget();
      if (soft === 0 && hard === 0) return ledger.hold(account, expected);
      const now = Date.now();
      await ledger.total(account, now);
      // No `await` from here on: another check would see the same sum.
      const used = ledger.known(account, now);
      const held = ledger.held(account);
      const all = held > 0 ? addUsage(used, { inputTokens: held, outputTokens: 0, isEstimate: true }) : used;
      const state = budgetState(all, { soft, hard });
      if (state === 'hard') throw refusal(all, hard);
      if (hard > 0 && tokensOf(all) + expected > hard) throw refusal(all, hard, expected);
      if (state === 'soft' && !isWarned) {
        isWarned = true;
        onWarn?.();
      }
      return ledger.hold(account, expected);
    },
    settled: async () => void (await last),
  };
}
