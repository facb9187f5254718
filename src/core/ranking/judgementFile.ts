import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { appendFile, makeFolder } from '../files/privateFiles';
import { readJudgements, toJudgementLine } from './judgements';
import type { Judgement, Judgements } from './judgements';

/** A person's judgements, in an append-only JSON Lines file. */
export interface JudgementFile {
  /** Reads the file as it is on disk, because another window may have added to it. Empty if there is no file. */
  read(): Promise<Judgements>;
  /** Resolves once it is written. Creates the file and its folder on first use. */
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
