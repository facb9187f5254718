import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { appendFile, makeFolder } from '../files/privateFiles';
import { readJudgements, toJudgementLine } from './judgements';
import type { Judgement, Judgements } from './judgements';

/** The judgements of a person, in a file of JSON lines that only grows. */
export interface JudgementFile {
  /** As it is on the disk: another window may have added to it. Without a file, none. */
  read(): Promise<Judgements>;
  /** Resolves when it is written. The file and its folder are made at the first. */
  add(judgement: Judgement): Promise<void>;
}

export function createJudgementFile(path: string): JudgementFile {
  return {
    async read() {
      const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return '';
        throw error;
      });
      return readJudgements(text).judgements;
    },
    async add(judgement) {
      await makeFolder(dirname(path));
      await appendFile(path, toJudgementLine(judgement));
    },
  };
}
