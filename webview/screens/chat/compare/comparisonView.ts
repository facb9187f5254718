import type { ComparedAnswer } from '../../../../src/protocol/chatCompare';
import type { Turn } from '../../../../src/protocol/chat';

/** What of a comparison stays while its answers grow. */
export interface ComparisonView {
  /** Side by side; empty while one answer is shown. */
  readonly columns: readonly ColumnView[];
  readonly count: number;
}

export type ColumnView = Omit<ComparedAnswer, 'answer'>;

export function toComparisonView({ comparison }: Turn): ComparisonView | undefined {
  return (
    comparison && {
      count: comparison.count,
      columns: comparison.columns.map(({ tryId, leftOut, picked }) => ({
        tryId,
        ...(leftOut && { leftOut }),
        ...(picked && { picked }),
      })),
    }
  );
}
