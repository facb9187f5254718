import * as l10n from '@vscode/l10n';
import type { RankingRow } from '../../../src/protocol/rerank';
import { Icon } from '../../components/icon';
import type { RerankSession } from './session';
import { pageNumber } from '../../components/pageLanguage';

interface JudgeButtonsProps {
  readonly row: Pick<RankingRow, 'index' | 'judgement'>;
  readonly session: RerankSession;
  /** -1 in a table, where keys do the same. */
  readonly tabIndex: number;
}

/** Buttons to judge a document as relevant to the query or not; pressing one again clears the judgement. */
export function JudgeButtons({ row, session, tabIndex }: JudgeButtonsProps) {
  const choices = [
    { judgement: 'relevant', icon: 'thumbsup', label: l10n.t('Mark as Relevant (R)') },
    { judgement: 'notRelevant', icon: 'thumbsdown', label: l10n.t('Mark as Not Relevant (N)') },
  ] as const;
  return (
    <span class="judge" role="group" aria-label={l10n.t('Rate document {0}', pageNumber(row.index + 1))}>
      {choices.map(({ judgement, icon, label }) => {
        const isChosen = row.judgement === judgement;
        return (
          <button
            type="button"
            class={`judge-button judge-${judgement}`}
            key={judgement}
            title={label}
            aria-label={label}
            aria-pressed={isChosen}
            tabIndex={tabIndex}
            onClick={(event) => {
              event.stopPropagation();
              void session.judge(row, judgement);
            }}
          >
            <Icon name={isChosen ? `${icon}-filled` : icon} />
          </button>
        );
      })}
    </span>
  );
}

/** Handles the keys for judging, in tables, where a row is active instead of a button. */
export function judgeByKey(key: string, row: JudgeButtonsProps['row'], session: RerankSession): void {
  if (key === 'r') void session.judge(row, 'relevant');
  if (key === 'n') void session.judge(row, 'notRelevant');
}
