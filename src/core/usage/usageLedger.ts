import { join } from 'node:path';
import { dayFileAt } from './dayFile';
import { dayOf } from './usage';
import type { Usage, UsageEntry } from './usage';

/** Usage per profile and day, across all windows: `<folder>/<profile>/<day>.jsonl`. */
export interface UsageLedger {
  /** Counts at once, even if writing fails. Resolves when writing is over; never rejects, so that an answer is not lost over its count. */
  add(profileId: string, entry: UsageEntry): Promise<void>;
  /** Resolves to the sum of the day of `at`, including other processes; never less than what this process added. */
  total(profileId: string, at: number): Promise<Usage>;
  /** The same sum as far as it is known without waiting. */
  known(profileId: string, at: number): Usage;
  /** Reserves tokens of a profile, in this process, until they are released. */
  hold(profileId: string, tokens: number): HeldTokens;
  /** Returns how many tokens are reserved. */
  held(profileId: string): number;
}

/** Tokens that count as used while the actual number is still unknown. */
export interface HeldTokens {
  /** Call once the actual usage is added, or if nothing was used. */
  release(this: void): void;
}

/** Reserved tokens in this process, by account folder. */
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
