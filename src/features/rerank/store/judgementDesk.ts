import { createJudgementFile } from '../../../core/ranking/judgementFile';
import { readJudgements } from '../../../core/ranking/judgements';
import type { JudgementDesk } from '../desk/deskOptions';

/** The judgements of a workspace, as this window has read them. */
export interface SharedJudgements extends JudgementDesk {
  /** Takes what other windows judged meanwhile. */
  refresh(): Promise<void>;
}

export function createJudgementDesk(path: string, now: () => number): SharedJudgements {
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
