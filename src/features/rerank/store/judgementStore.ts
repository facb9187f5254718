import { createJudgementFile } from '../../../core/ranking/judgementFile';
import { readJudgements } from '../../../core/ranking/judgements';
import type { JudgementStore } from '../controller/rerankWorkspace';

/** The judgements of a workspace, as last read by this window. */
export interface SharedJudgements extends JudgementStore {
  /** Reads what other windows have judged meanwhile. */
  refresh(): Promise<void>;
}

export function createJudgementStore(path: string, now: () => number): SharedJudgements {
  const file = createJudgementFile(path);
  let held = readJudgements('').judgements;
  return {
    get held() {
      return held;
    },
    async refresh() {
      held = await file.read();
    },
    async judge(query, document, relevant) {
      const judgement = { query, document, relevant, at: now() };
      await file.add(judgement);
      held.set(judgement);
    },
  };
}
