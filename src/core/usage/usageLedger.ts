import { join } from 'node:path';
import { dayFileAt } from './dayFile';
import { dayOf } from './usage';
import type { Usage, UsageEntry } from './usage';

/** What was used per profile and day, by all windows: `<folder>/<profile>/<day>.jsonl`. */
export interface UsageLedger {
  /** Counts at once, also where it cannot be written. Resolves when that is over; never rejects: an answer is not lost over its count. */
  add(profileId: string, entry: UsageEntry): Promise<void>;
  /** The sum of the day that `at` lies in, with what other processes added; no less than what this one did. */
  total(profileId: string, at: number): Promise<Usage>;
  /** The same as far as it is known without waiting. */
  known(profileId: string, at: number): Usage;
  /** Counts tokens as used by a profile, in this process, until they are let go. */
  hold(profileId: string, tokens: number): HeldTokens;
  /** How many tokens are held. */
  held(profileId: string): number;
}

/** Tokens that count as used although nobody knows yet how many it will be. */
export interface HeldTokens {
  /** To be called once what was used is added, or nothing was. */
  release(this: void): void;
}

/** Of each account in this process, by its folder. */
const heldTokens = new Map<string, number>();

export function createUsageLedger(folder: string, onTrouble: (error: unknown) => void): UsageLedger {
  const dayFile = (profileId: string, at: number) => dayFileAt(join(folder, profileId, `${dayOf(at)}.jsonl`));
  const change = (profileId: string, by: number) => {
    const account = join(folder, profileId);
    heldTokens.set(account, (heldTokens.get(account) ?? 0) + by);
  };
  return {
    add: (profileId, entry) => dayFile(profileId, entry.at).add(entry).catch(onTrouble),
    async total(profileId, at) {
      const file = dayFile(profileId, at);
      await file.readOn().catch(onTrouble);
      return file.known;
    },
    known: (profileId, at) => dayFile(profileId, at).known,
    hold(profileId, tokens) {
      let left = tokens;
      change(profileId, left);
      return {
        release() {
          change(profileId, -left);
          left = 0;
        },
      };
    },
    held: (profileId) => heldTokens.get(join(folder, profileId)) ?? 0,
  };
}
