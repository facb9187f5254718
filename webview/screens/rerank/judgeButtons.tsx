import type { RankingRow } from '../../../src/protocol/rerank';
import { fill } from '../../components/fill';
import { Icon } from '../../components/icon';
import type { Rerank } from './rerankContext';

interface JudgeButtonsProps {
  readonly row: Pick<RankingRow, 'index' | 'judgement'>;
  readonly rerank: Rerank;
  /** -1 in a table, where keys do the same. */
  readonly tabIndex: number;
}

/** Buttons to judge a document as relevant to the query or not; pressing one again clears the judgement. */
export function JudgeButtons({ row, rerank: { session, strings, number }, tabIndex }: JudgeButtonsProps) {
  const choices = [
    { judgement: 'relevant', icon: 'thumbsup', label: strings.relevant },
    { judgement: 'notRelevant', icon: 'thumbsdown', label: strings.notRelevant },
  ] as const;
  return (
    <span class="judge" role="group" aria-label={fill(strings.judgeGroup, number(row.index + 1))}>
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
export function judgeByKey(key: string, row: JudgeButtonsProps['row'], { session }: Rerank): void {
  if (key === 'r') void session.judge(row, 'relevant');
  if (key === 'n') void session.judge(row, 'notRelevant');
}
