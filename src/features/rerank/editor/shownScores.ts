import type { DocumentScore } from '../../../core/ranking/checkRanking';
import type { TextSplit } from '../../../core/ranking/textSplit';
import type { SplitRange } from './splitRange';

/** Scores to be shown beside the parts of a document. */
export interface ShownScores extends SplitRange {
  /** Best first; `index` is into the parts. */
  readonly scores: readonly DocumentScore[];
  readonly query: string;
  readonly model: string;
}

/** The same scores after the parts changed places: `order[0]` is the part of before that is first now. */
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
