import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { addUsage, dayOf, noUsage, readEntries } from './usage';
import type { Usage, UsageSource } from './usage';

/** The requests of one day that have the same source, model, and job, for one account. */
export interface UsageGroup {
  /** In local time, e.g. `2026-11-21`. */
  readonly day: string;
  readonly profileId: string;
  /** `undefined`: written by version 0.1, which did not note it. */
  readonly source: UsageSource | undefined;
  readonly model: string;
  /** Set for the charge of a job. */
  readonly job?: string | undefined;
  readonly requests: number;
  readonly usage: Usage;
  /** The number of requests with a known cost. */
  readonly priced: number;
}

/** Reads what ledgers noted for each day. A file that has not changed since is not read again. */
export class UsageHistory {
  private readonly read = new Map<string, { readonly size: number; readonly groups: readonly UsageGroup[] }>();

  /** `folder`: the one of the ledgers, `<folder>/<profile>/<day>.jsonl`. */
  constructor(private readonly folder: string) {}

  /** Resolves to the groups of the last `days` days, today included. Rejects if a ledger cannot be read; a missing one is empty. */
  async last(days: number, profileIds: readonly string[], now: number): Promise<readonly UsageGroup[]> {
    const dates = lastDays(days, now);
    const groups: UsageGroup[][] = [];
    for (const profileId of profileIds) {
      for (const day of dates) groups.push([...(await this.ofDay(profileId, day))]);
    }
    return groups.flat();
  }

  private async ofDay(profileId: string, day: string): Promise<readonly UsageGroup[]> {
    const path = join(this.folder, profileId, `${day}.jsonl`);
    const size = await sizeOf(path);
    if (size === 0) return [];
    const before = this.read.get(path);
    if (before?.size === size) return before.groups;
    const groups = grouped(profileId, day, await readFile(path, 'utf8'));
    this.read.set(path, { size, groups });
    return groups;
  }
}

/** Returns the last days in local time, oldest first, e.g. `2026-11-21`. */
export function lastDays(count: number, now: number): readonly string[] {
  const date = new Date(now);
  // By the calendar, because a day may have 23 or 25 hours.
  const dayBefore = (days: number) => new Date(date.getFullYear(), date.getMonth(), date.getDate() - days, 12);
  return Array.from({ length: count }, (_, index) => dayOf(dayBefore(count - 1 - index).getTime()));
}

function grouped(profileId: string, day: string, text: string): readonly UsageGroup[] {
  const groups = new Map<string, UsageGroup>();
  for (const { source, model, job, ...usage } of readEntries(text)) {
    const key = JSON.stringify([source, model, job]);
    const before = groups.get(key) ?? { requests: 0, priced: 0, usage: noUsage };
    groups.set(key, {
      day,
      profileId,
      source,
      model,
      ...(job !== undefined && { job }),
      requests: before.requests + 1,
      priced: before.priced + (usage.cost === undefined ? 0 : 1),
      usage: addUsage(before.usage, usage),
    });
  }
  return [...groups.values()];
}

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  return found?.size ?? 0;
}
