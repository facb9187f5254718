import type { ComparedAnswer } from '../../../../src/protocol/chatCompare';
import type { Turn } from '../../../../src/protocol/chat';

/** The part of a comparison that stays the same while its answers grow. */
export interface ComparisonView {
  /** The compared answers; empty while only one answer is shown. */
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
