import { join } from 'node:path';
import * as z from 'zod/mini';
import { parseJson } from '../../api/parseJson';
import { openAppendLog } from '../../storage/appendLog';
import { readOrEmpty } from '../../storage/privateFiles';
import { hashOf } from '../evalPlan';

const humanFile = 'human.jsonl';
const hash = z.string().check(z.maxLength(64));

/** What a user said of two answers to a row, without knowing whose they are. Lines of a run folder, so members are only added. */
const label = z.object({
  row: hash,
  /** IDs of the variants. */
  first: hash,
  second: hash,
  /** Hashes of both answers: a label is only of these. */
  answers: z.tuple([hash, hash]),
  choice: z.enum(['first', 'second', 'tie', 'bad']),
  /** 0, or 1 if the row was shown for the second time. */
  time: z.int(),
  note: z.optional(z.string()),
  seconds: z.number(),
  /** In milliseconds since 1970. */
  at: z.number(),
});
const undone = z.object({ undo: z.literal(true), row: hash, first: hash, second: hash, time: z.int() });

export type HumanLabel = z.infer<typeof label>;

/** Returns a hash of an answer, as labels name it. */
export function answerHash(text: string): string {
  return hashOf(text, 12);
}

/** Reads the labels of a run folder: the last one of each row, unless it was undone. Damaged lines are left out. */
export async function readLabels(folder: string): Promise<readonly HumanLabel[]> {
  const byKey = new Map<string, HumanLabel>();
  for (const line of (await readOrEmpty(join(folder, humanFile))).split('\n')) {
    const value = line === '' ? undefined : parseJson(line);
    const read = label.safeParse(value);
    const taken = undone.safeParse(value);
    if (read.success) byKey.set(keyOf(read.data), read.data);
    else if (taken.success) byKey.delete(keyOf(taken.data));
  }
  return [...byKey.values()];
}

/** Appends a label. Resolves once it is on disk. */
export async function addLabel(folder: string, one: HumanLabel): Promise<void> {
  await append(folder, one);
}

/** Takes a label back, also by appending. */
export async function undoLabel(folder: string, { row, first, second, time }: HumanLabel): Promise<void> {
  await append(folder, { undo: true, row, first, second, time });
}

function keyOf({ row, first, second, time }: z.infer<typeof undone> | HumanLabel): string {
  return `${row} ${first} ${second} ${time}`;
}

async function append(folder: string, value: object): Promise<void> {
  const log = await openAppendLog(join(folder, humanFile), { isPrivate: false });
  try {
    await log.append(`${JSON.stringify(value)}\n`);
  } finally {
    await log.close();
  }
}
