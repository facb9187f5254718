import type { DocumentScore } from '../../../core/ranking/checkRanking';
import type { TextSplit } from '../../../core/ranking/textSplit';
import type { SplitRange } from './splitRange';

/** Scores to show next to the parts of a document. */
export interface ShownScores extends SplitRange {
  /** Best first; `index` is that of the part. */
  readonly scores: readonly DocumentScore[];
  readonly query: string;
  readonly model: string;
}

/** Returns the scores for reordered parts: `order[0]` is the previous index of the part that is now first. */
export function afterOrder(scores: readonly DocumentScore[], order: readonly number[]): readonly DocumentScore[] {
  const places = new Map(order.map((index, place) => [index, place]));
  return scores.flatMap(({ index, score }) => {
    const place = places.get(index);
    return place === undefined ? [] : [{ index: place, score }];
  });
}

/** A text whose scores are known. */
export interface ScoredText {
  readonly text: string;
  readonly split: TextSplit;
  readonly scores: readonly DocumentScore[];
}
