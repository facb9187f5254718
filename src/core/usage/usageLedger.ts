import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { appendFile, makeFolder } from '../files/privateFiles';
import { dayOf, readLedger, toLedgerLine } from './usage';
import type { Usage, UsageEntry } from './usage';

/** What was used per profile and day, by all windows: `<folder>/<profile>/<day>.jsonl`. */
export interface UsageLedger {
  /** Never rejects: an answer is not lost over its count. */
  add(profileId: string, entry: UsageEntry): Promise<void>;
  /** The sum of the day that `at` lies in, with all that was added before. */
  total(profileId: string, at: number): Promise<Usage>;
}

export function createUsageLedger(folder: string, onTrouble: (error: unknown) => void): UsageLedger {
  let last: Promise<void> = Promise.resolve();
  const pathOf = (profileId: string, at: number) => join(folder, profileId, `${dayOf(at)}.jsonl`);
  const append = async (path: string, line: string) => {
    await makeFolder(dirname(path));
    await appendFile(path, line);
  };
  return {
    add(profileId, entry) {
      last = last.then(() => append(pathOf(profileId, entry.at), toLedgerLine(entry))).catch(onTrouble);
      return last;
    },
    async total(profileId, at) {
      await last;
      const text = await readFile(pathOf(profileId, at), 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') onTrouble(error);
        return '';
      });
      return readLedger(text);
    },
  };
}
