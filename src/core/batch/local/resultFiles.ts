import { createReadStream } from 'node:fs';
import { stat, truncate } from 'node:fs/promises';
import path from 'node:path';
import { readRecords } from '../results/readRecords';
import { readResult } from '../results/resultLine';
import { parseObject } from '../scan/jsonValue';
import type { JsonObject } from '../scan/jsonValue';
import { lineOfResult, resultStartBytes } from './resultLine';

/** File names within the folder of a run. */
export const localFiles = {
  output: 'output.jsonl',
  errors: 'errors.jsonl',
  /**
   * The numbers of lines, before each is sent, and with a minus if the service then did not accept it. Any other line here without a result
   * was in progress when the run was interrupted.
   */
  sent: 'sent.txt',
} as const;

/** The results of a local run on disk. */
export interface FoundResults {
  /** The lines of the batch file that have a result. */
  readonly done: ReadonlySet<number>;
  /** The number of responses, complete or not. */
  readonly answered: number;
  /** How many of them are truncated, empty or refused. */
  readonly incomplete: number;
  readonly failed: number;
  /** Lines that were sent but never answered: they may have been billed. */
  readonly unanswered: ReadonlySet<number>;
}

const lineFeed = 0x0a;

/**
 * Reads the results in the folder of a run. An incomplete last line, left by a crash, does
 * not count, and is removed if `repair` is set.
 */
export async function findResults(folder: string, { repair }: { readonly repair: boolean }): Promise<FoundResults> {
  const done = new Set<number>();
  const count = async (name: string) => {
    const before = done.size;
    await eachLineStart(path.join(folder, name), repair, (start) => {
      const line = lineOfResult(start);
      if (line !== undefined) done.add(line);
    });
    return done.size - before;
  };
  const answered = await count(localFiles.output);
  const incomplete = answered === 0 ? 0 : await countIncomplete(path.join(folder, localFiles.output));
  const failed = await count(localFiles.errors);
  const sent = new Set<number>();
  await eachLineStart(path.join(folder, localFiles.sent), repair, (start) => {
    const [, refused, number] = /^(-?)(\d{1,9})$/.exec(start) ?? [];
    if (number === undefined || done.has(Number(number))) return;
    if (refused) sent.delete(Number(number));
    else sent.add(Number(number));
  });
  return { done, answered, incomplete, failed, unanswered: sent };
}

async function countIncomplete(file: string): Promise<number> {
  let count = 0;
  for await (const records of readRecords(file, { onLongLine: () => undefined })) {
    for (const { text } of records) {
      const line = parseObject(text);
      if (line && isIncomplete(line)) count++;
    }
  }
  return count;
}

/** Whether a result is a response that is truncated, empty or refused. */
export function isIncomplete(line: JsonObject): boolean {
  const outcome = readResult(line)?.outcome;
  return outcome === 'truncated' || outcome === 'empty' || outcome === 'refused';
}

/** Calls `tell` with the first bytes of every complete line. A missing file has none. */
async function eachLineStart(file: string, repair: boolean, tell: (start: string) => void): Promise<void> {
  let start = Buffer.alloc(0);
  let read = 0;
  let whole = 0;
  const gather = (bytes: Buffer) => {
    if (start.length < resultStartBytes)
      start = Buffer.concat([start, bytes.subarray(0, resultStartBytes - start.length)]);
  };
  try {
    const { size } = await stat(file);
    if (size === 0) return;
    // Ignores what another window, which has the run, writes in the meantime.
    const pieces = createReadStream(file, { highWaterMark: 1 << 18, end: size - 1 }) as AsyncIterable<Buffer>;
    for await (const piece of pieces) {
      let from = 0;
      for (let end = piece.indexOf(lineFeed); end >= 0; end = piece.indexOf(lineFeed, from)) {
        gather(piece.subarray(from, end));
        tell(start.toString('utf8'));
        start = Buffer.alloc(0);
        from = end + 1;
        whole = read + from;
      }
      gather(piece.subarray(from));
      read += piece.length;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if (repair && whole < read) await truncate(file, whole);
}
