import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import '../../schema/jitless';
import * as z from 'zod/mini';
import { createTurns } from '../async/turns';
import { Leases, type Lease } from '../storage/leases';
import { writeFile } from '../storage/privateFiles';

/** Of the files that ask a process to end some of its work. */
export const stopEnding = '.stop';

const text = z.string().check(z.maxLength(2000));
const count = z.number().check(z.nonnegative());
const expectedCharge = z.union([
  z.object({ model: text, piece: z.enum(['image', 'video', 'clip', 'transcription']), count }),
  z.object({ model: text, requests: count, inputTokens: count, outputLimit: z.optional(count) }),
]);
const sharedWork = z.looseObject({
  kind: text,
  label: text,
  startedAt: z.number(),
  subject: z.optional(text),
  profileId: z.optional(text),
  folder: z.optional(text),
  /** Set if it is no window's work. */
  client: z.optional(text),
  /** Identifies it within its process; set if others can ask for its end. */
  stopId: z.optional(z.string().check(z.regex(/^\w{1,32}$/))),
  /** What will be charged for its requests in progress. */
  expected: z.optional(z.array(expectedCharge).check(z.maxLength(100))),
  progress: z.optional(z.looseObject({ done: count, total: count, isPaused: z.optional(z.boolean()) })),
});
const sharedNote = z.looseObject({ work: z.array(z.unknown()).check(z.maxLength(1000)) });

/** A piece of work in progress, as other processes see it. */
export type SharedWork = z.infer<typeof sharedWork>;

export interface WorkElsewhere extends SharedWork {
  /** Identifies it as long as it is in progress. */
  readonly id: string;
  /** The name of its window; empty if it has none. */
  readonly where: string;
}

/**
 * What the windows and servers of this machine do just now, in the notes of one lease each: what a process did ends with it, even if it is
 * killed.
 */
export class WorkBoard {
  private readonly leases: Leases;
  private readonly id = randomUUID();
  private readonly inTurn = createTurns();
  private lease: Lease | undefined;

  /** `where`: the name of this window, for others. */
  constructor(
    readonly folder: string,
    where: () => string,
  ) {
    this.leases = new Leases(folder, where);
  }

  /** Tells others what this process does, in place of what it told before. */
  publish(work: readonly SharedWork[]): Promise<void> {
    return this.inTurn(async () => {
      if (work.length === 0) return this.release();
      this.lease ??= await this.leases.take(this.id);
      await this.lease.setNote({ work: work.map((one) => ({ ...one })) });
    });
  }

  /** Asks the process that does this work to end it. */
  async askToStop({ id, stopId }: WorkElsewhere): Promise<void> {
    const [lease = ''] = id.split(' ');
    if (stopId !== undefined) await writeFile(join(this.folder, `${lease}.${stopId}${stopEnding}`), '');
  }

  /** Resolves to the `stopId` of all work that others asked this process to end, each only once. */
  async stopRequests(): Promise<readonly string[]> {
    const head = `${this.id}.`;
    const all = await readdir(this.folder).catch((): readonly string[] => []);
    const names = all.filter((name) => name.startsWith(head) && name.endsWith(stopEnding));
    for (const name of names) await rm(join(this.folder, name), { force: true });
    return names.map((name) => name.slice(head.length, -stopEnding.length));
  }

  /** Resolves to the work of others, in the order in which it was started. Leaves out what it can't read. */
  async elsewhere(): Promise<readonly WorkElsewhere[]> {
    const notes = await this.leases.notesElsewhere();
    const work = notes.flatMap(({ id, where, note }) => {
      const read = sharedNote.safeParse(note);
      if (!read.success) return [];
      return read.data.work.flatMap((raw, index): WorkElsewhere[] => {
        const one = sharedWork.safeParse(raw);
        return one.success ? [{ ...one.data, id: `${id} ${one.data.stopId ?? `at${index}`}`, where }] : [];
      });
    });
    return work.toSorted((one, other) => one.startedAt - other.startedAt);
  }

  /** Resolves once others see no work of this process any more. */
  async dispose(): Promise<void> {
    this.leases.dispose();
    await this.inTurn(() => this.release());
    await this.stopRequests();
  }

  private async release(): Promise<void> {
    const { lease } = this;
    this.lease = undefined;
    await lease?.release();
  }
}
