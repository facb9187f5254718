import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, rm } from 'node:fs/promises';
import path from 'node:path';
import { copyFile } from '../../files/privateFiles';
import type { Reach } from '../../files/privateFiles';

/** The copy of the batch file as it was sent, within the folder of its run. */
const sentName = 'requests.jsonl';
/** Larger files are not kept: results show the batch file as it is then, and say where that is another one. */
const mostBytes = 256 * 1024 * 1024;

export const sentPathIn = (folder: string): string => path.join(folder, sentName);

/** Where what was sent is kept; `undefined` where it is not, or something else than a file is there. */
export async function findSent(folder: string): Promise<string | undefined> {
  const copy = sentPathIn(folder);
  return (await lstat(copy).catch(() => undefined))?.isFile() ? copy : undefined;
}

/**
 * Keeps a batch file as it is sent. False where it is too large, another one than `sha256` says, or cannot be copied: nothing is left
 * then. Throws nothing.
 */
export async function keepSent(
  file: { readonly path: string; readonly sha256: string; readonly bytes: number },
  to: string,
  reach: Reach = {},
): Promise<boolean> {
  if (file.bytes > mostBytes) return false;
  try {
    await copyFile(file.path, to, reach);
    if ((await digestOf(to)) === file.sha256) return true;
  } catch {
    // What cannot be kept can be sent.
  }
  await rm(to, { force: true }).catch(() => undefined);
  return false;
}

/** What was copied to be sent from goes, where it is too large to be kept. */
export async function dropLargeCopy(folder: string): Promise<void> {
  const copy = sentPathIn(folder);
  const found = await lstat(copy).catch(() => undefined);
  if (found && found.size > mostBytes) await rm(copy, { force: true });
}

/** SHA-256 in hexadecimal. Throws what reading throws. */
export async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(file, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>)
    hash.update(piece);
  return hash.digest('hex');
}
