import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { appendFile, makeFolder } from '../files/privateFiles';
import { addUsage, noUsage, readLedger, toLedgerLine, tokensOf } from './usage';
import type { Usage, UsageEntry } from './usage';

/** What was used on one day, in a file that other processes add to as well. */
export interface DayFile {
  /** The sum as far as it is known: what was added here counts at once, and also where the file cannot be written or read. */
  readonly known: Usage;
  /** Rejects where it cannot be written. */
  add(entry: UsageEntry): Promise<void>;
  /** Takes in what others added. Rejects where the file cannot be read; one that is not there holds nothing. */
  readOn(): Promise<void>;
}

const files = new Map<string, DayFile>();

/** Of each file one, whoever in this process counts there. */
export function dayFileAt(path: string): DayFile {
  const file = files.get(path) ?? createDayFile(path);
  files.set(path, file);
  return file;
}

function createDayFile(path: string): DayFile {
  /** What was added here: if nothing else can be known, it was this much. */
  let own = noUsage;
  /** Of it, what is not among `read`: to be written, written since, or not to be written. */
  const writing = new Set<UsageEntry>();
  let written = noUsage;
  let unwritten = noUsage;
  /** The lines up to this byte. */
  let read = noUsage;
  let end = 0;
  let last: Promise<void> = Promise.resolve();
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
  return {
    get known() {
      const all = [...writing].reduce(addUsage, [written, unwritten].reduce(addUsage, read));
      return tokensOf(all) < tokensOf(own) ? own : all;
    },
    add(entry) {
      own = addUsage(own, entry);
      writing.add(entry);
      return inTurn(async () => {
        try {
          await makeFolder(dirname(path));
          await appendFile(path, toLedgerLine(entry));
          written = addUsage(written, entry);
        } catch (error) {
          unwritten = addUsage(unwritten, entry);
          throw error;
        } finally {
          writing.delete(entry);
        }
      });
    },
    readOn: () =>
      inTurn(async () => {
        const { from, lines, to } = await linesFrom(path, end);
        read = addUsage(from === 0 ? noUsage : read, readLedger(lines));
        end = to;
        written = noUsage;
      }),
  };
}

/** The whole lines from there on; from the beginning where the file was cut, or another one is in its place. */
async function linesFrom(path: string, at: number) {
  const handle = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (!handle) return { from: 0, lines: '', to: 0 };
  try {
    const { size } = await handle.stat();
    const from = size < at ? 0 : at;
    const bytes = Buffer.alloc(size - from);
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, from);
    const length = bytes.subarray(0, bytesRead).lastIndexOf('\n') + 1;
    return { from, lines: bytes.toString('utf8', 0, length), to: from + length };
  } finally {
    await handle.close();
  }
}
