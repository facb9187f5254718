import { appendShared } from '../storage/appendLog';
import { readOrEmpty } from '../storage/privateFiles';
import { readJudgements, toJudgementLine } from './judgements';
import type { Judgement, Judgements } from './judgements';

/** A user's judgments, in an append-only JSON Lines file. */
export interface JudgementFile {
  /** Reads the file from disk, because another window might have added to it. Empty without a file. */
  read(): Promise<Judgements>;
  /** Resolves once it is written. Creates the file and its folder on first use. */
  add(judgement: Judgement): Promise<void>;
}

export function createJudgementFile(path: string): JudgementFile {
  return {
    read: async () => readJudgements(await readOrEmpty(path)).judgements,
    add: (judgement) => appendShared(path, toJudgementLine(judgement)),
  };
}
