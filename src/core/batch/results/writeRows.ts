import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { ProgressMonitor } from '../../async/progressMonitor';
import { systemCode } from '../../network/systemCode';
import { isMakingError, MakingError } from '../making/makingError';
import { parseObject } from '../scan/jsonValue';
import { writeLines } from '../transform/writeLines';
import type { AtomicFile } from '../../storage/atomicFile';
import { writingWords } from '../words/resultWords';
import type { ResultsTable } from './resultsTable';

/** Progress is from 0 to 1. */
interface Writing extends ProgressMonitor<[part: number]> {
  readonly target: string;
  readonly replace: boolean;
  readonly rows: readonly number[];
  /** Writes a row to the file. */
  readonly row: (row: number, file: AtomicFile) => Promise<void> | undefined;
  readonly before?: (file: AtomicFile) => Promise<void> | undefined;
  readonly after?: (file: AtomicFile) => Promise<void>;
}

/** What rows are read from: one run, or two that are compared. */
interface RowFiles {
  /** Every file that is read. */
  readonly paths: readonly string[];
  isChanged(): Promise<boolean>;
}

/** Other work can run after this many rows, so that the export can be canceled. */
const rowsAtOnce = 200;

/**
 * Writes a file from rows, completely or not at all: nothing remains if it fails or is canceled. Throws a `MakingError` with a
 * message for errors that the user can do something about.
 */
export async function writeRows(source: RowFiles, writing: Writing): Promise<{ readonly bytes: number }> {
  const { target, rows, row, before, after, signal, onProgress } = writing;
  const name = path.basename(target);
  if (await isOwn(source, target)) throw new MakingError(writingWords.own(name));
  try {
    return await writeLines(writing, async (file) => {
      await before?.(file);
      for (let index = 0; index < rows.length; index++) {
        if (index % rowsAtOnce === 0) {
          await setImmediate();
          signal.throwIfAborted();
          onProgress(index / rows.length);
        }
        await row(rows[index]!, file);
      }
      await after?.(file);
      if (await source.isChanged()) throw new MakingError(writingWords.changed());
      return { bytes: file.bytes };
    });
  } catch (error) {
    signal.throwIfAborted();
    throw isMakingError(error) ? error : worded(error, name);
  }
}

/** Requests of a run for a new batch file. Progress is from 0 to 1. */
interface RequestWriting extends ProgressMonitor<[part: number]> {
  readonly target: string;
  readonly replace: boolean;
  /** Each must be one that `canBeSent` again. */
  readonly rows: readonly number[];
  /** Returns the request to write. `isSent`: it is as it was sent, so what the service said of it applies. */
  readonly change: (line: Buffer, row: number, isSent: boolean) => Buffer;
  /** Further requests, written as they are. */
  readonly more?: readonly Buffer[];
}

export interface WrittenRequests {
  readonly requests: number;
  readonly bytes: number;
  /** Of the new file, in hexadecimal. */
  readonly sha256: string;
}

/**
 * Writes requests as they were last sent, because a retry can have changed them, or as they were edited in the batch file since. Throws like
 * `writeRows`.
 */
export async function writeRequests(
  table: ResultsTable,
  { change, more = [], ...writing }: RequestWriting,
): Promise<WrittenRequests> {
  const now = await table.currentLine();
  const hash = createHash('sha256');
  const add = (line: Buffer, file: AtomicFile) => {
    hash.update(line).update('\n');
    return file.line(line);
  };
  const { bytes } = await writeRows(table, {
    ...writing,
    row: (row, file) => {
      const sent = table.lineBytes(row) ?? Buffer.alloc(0);
      const found = now?.(row)?.bytes;
      const edited = found && !table.isAsSent(row, found) ? found : undefined;
      return add(change(onOneLine(edited ?? sent), row, edited === undefined), file);
    },
    after: async (file) => {
      for (const line of more) await add(line, file);
    },
  });
  return { requests: writing.rows.length + more.length, bytes, sha256: hash.digest('hex') };
}

/** The service does not accept a request without an id, or with the id of an earlier one. */
export function canBeSent({ joined: { rows } }: ResultsTable, row: number): boolean {
  return rows.idOf(row) !== '' && rows.firstOf(row) === row;
}

/** A request that the input has over several lines must be one line of a batch file. */
function onOneLine(request: Buffer): Buffer {
  if (!request.includes('\n')) return request;
  const value = parseObject(request.toString());
  return value ? Buffer.from(JSON.stringify(value)) : request;
}

/** Whether the target is one of the files being read. */
async function isOwn({ paths }: RowFiles, target: string): Promise<boolean> {
  const there = await stat(target).catch(() => undefined);
  for (const file of paths) {
    if (path.resolve(file) === path.resolve(target)) return true;
    const own = there && (await stat(file).catch(() => undefined));
    if (own && own.ino === there.ino && own.dev === there.dev) return true;
  }
  return false;
}

function worded(error: unknown, name: string): unknown {
  const code = systemCode(error);
  switch (code) {
    case undefined:
      return error;
    case 'ENOSPC':
    case 'EDQUOT':
      return new MakingError(writingWords.diskFull(name));
    case 'EACCES':
    case 'EPERM':
      return new MakingError(writingWords.noRights(name));
    case 'EROFS':
      return new MakingError(writingWords.readOnly(name));
    case 'ENOENT':
    case 'ENOTDIR':
      return new MakingError(writingWords.noFolder(name));
    case 'EISDIR':
      return new MakingError(writingWords.isFolder(name));
    case 'ENAMETOOLONG':
      return new MakingError(writingWords.tooLongName());
    default:
      return new MakingError(writingWords.failed(name, code));
  }
}
