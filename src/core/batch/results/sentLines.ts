import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, rm } from 'node:fs/promises';
import path from 'node:path';
import { copyAtomic } from '../../storage/atomicFile';
import type { Reach } from '../../storage/privateFiles';
import { readLines } from '../transform/lines';
import type { ResultsSource } from './resultsSource';

/** The copy of the batch file as it was sent, within the folder of its run. */
const sentName = 'requests.jsonl';
/** Larger files are not copied: results then show the current batch file, and say if it has changed. */
const mostBytes = 256 * 1024 * 1024;

export const sentPathIn = (folder: string): string => path.join(folder, sentName);

/** Returns the path of the copy of what was sent, or `undefined` if it is missing or isn't a file. */
export async function findSent(folder: string): Promise<string | undefined> {
  const copy = sentPathIn(folder);
  return (await lstat(copy).catch(() => undefined))?.isFile() ? copy : undefined;
}

/**
 * Copies a batch file as it is sent. Returns `false`, without leaving a file, if it is too large, doesn't match `sha256`, or can't be
 * copied. Never rejects.
 */
export async function keepSent(
  file: { readonly path: string; readonly sha256: string; readonly bytes: number },
  to: string,
  reach: Reach = {},
): Promise<boolean> {
  if (file.bytes > mostBytes) return false;
  try {
    await copyAtomic(file.path, to, reach);
    if ((await digestOf(to)) === file.sha256) return true;
  } catch {
    // A file that cannot be copied can still be sent.
  }
  await rm(to, { force: true }).catch(() => undefined);
  return false;
}

/** Deletes the copy that a file was sent from, if it is too large to be retained. */
export async function dropLargeCopy(folder: string): Promise<void> {
  const copy = sentPathIn(folder);
  const found = await lstat(copy).catch(() => undefined);
  if (found && found.size > mostBytes) await rm(copy, { force: true });
}

/** Returns the SHA-256 in hexadecimal. Throws if reading fails. */
export async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(file, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>)
    hash.update(piece);
  return hash.digest('hex');
}

type Input = NonNullable<ResultsSource['input']>;
type Lines = ReadonlyMap<number, string>;

/**
 * Returns lines as they were sent, without line breaks, by their numbers from 1. Omits lines that the file doesn't have. Returns
 * `undefined` if what was sent is no longer known. Never rejects.
 */
export async function sentLines(input: Input, numbers: readonly number[]): Promise<Lines | undefined> {
  const { path, current, sha256 } = input;
  try {
    if (current === undefined && (sha256 === undefined || (await digestOf(path)) !== sha256)) return undefined;
    return await linesAt(path, numbers);
  } catch {
    return undefined;
  }
}

/** Returns which lines of the batch file differ from what was sent, by their numbers from 1. Never rejects. */
export async function changedLines(input: Input, numbers: readonly number[]): Promise<readonly number[]> {
  const sent = await sentLines(input, numbers);
  if (!sent) return numbers;
  if (input.current === undefined) return [];
  const now = await linesAt(input.current, numbers).catch(() => new Map<number, string>());
  return numbers.filter((number) => sent.get(number) !== now.get(number));
}

/** Reads no further than the last line requested. Throws if reading fails. */
async function linesAt(path: string, numbers: readonly number[]): Promise<Lines> {
  const found = new Map<number, string>();
  const requested = new Set(numbers);
  const last = numbers.reduce((most, one) => Math.max(most, one), 0);
  for await (const lines of readLines(path)) {
    for (const { number, bytes } of lines) if (requested.has(number)) found.set(number, bytes.toString('utf8'));
    if ((lines.at(-1)?.number ?? 0) >= last) break;
  }
  return found;
}
