import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { parseJson } from '../../api/parseJson';
import { openAppendLog } from '../../storage/appendLog';
import { readOrEmpty } from '../../storage/privateFiles';
import { hashOf } from '../evalPlan';

const humanFile = 'human.jsonl';
const hash = z.string().check(z.maxLength(64));

const scale = z.enum(['better', 'pass', 'points']);
const points = z.int().check(z.minimum(1), z.maximum(5));

/** A user's rating of two answers to a row, whose variants are hidden. Lines of a run folder, so properties are only added. */
const label = z.object({
  row: hash,
  /** IDs of the variants. */
  first: hash,
  second: hash,
  /** Hashes of both answers: a label is only of these. */
  answers: z.tuple([hash, hash]),
  choice: z.enum(['first', 'second', 'tie', 'bad']),
  /** How the answers were rated, if not by preference: as passed or failed, of which a tie is passed by both, or from 1 to 5. */
  scale: z.optional(scale),
  /** From 1 to 5. */
  values: z.optional(z.tuple([points, points])),
  /** Identifies the rater. */
  rater: z.optional(hash),
  /** 0, or 1 if the row was shown for the second time. */
  time: z.int(),
  note: z.optional(z.string()),
  seconds: z.number(),
  /** In milliseconds since 1970. */
  at: z.number(),
});
const undone = z.object({
  undo: z.literal(true),
  row: hash,
  first: hash,
  second: hash,
  time: z.int(),
  scale: z.optional(scale),
  rater: z.optional(hash),
});

export type HumanLabel = z.infer<typeof label>;
export type RatingScale = z.infer<typeof scale>;

/** Returns an ID of this user on this computer, without a name, because ratings can be shared. */
export function thisRater(): string {
  return hashOf(`${userInfo().username}@${hostname()}`, 8);
}

/** Returns a hash of an answer, as labels name it. */
export function answerHash(text: string): string {
  return hashOf(text, 12);
}

/** Reads the labels of a run folder: the last one of each row, unless it was undone. Damaged lines are omitted. */
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
export async function undoLabel(folder: string, label: HumanLabel): Promise<void> {
  const { row, first, second, time, scale: by, rater } = label;
  await append(folder, { undo: true, row, first, second, time, scale: by, rater });
}

/** Names what is rated, how, and by whom: a later label of the same key replaces the earlier one. */
export function keyOf(one: Omit<z.infer<typeof undone>, 'undo'>): string {
  return `${one.row} ${one.first} ${one.second} ${one.time} ${one.scale ?? 'better'} ${one.rater ?? ''}`;
}

async function append(folder: string, value: object): Promise<void> {
  const log = await openAppendLog(join(folder, humanFile), { isPrivate: false });
  try {
    await log.append(`${JSON.stringify(value)}\n`);
  } finally {
    await log.close();
  }
}
