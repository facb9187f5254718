import { mergeSlices } from '../../../core/ranking/rankInSlices';
import type { RankedList } from '../../../core/ranking/rankInSlices';
import type { DocumentScore } from '../../../core/ranking/checkRanking';
import type { SavedRanking } from './rerankRecord';

export interface RankedDocuments extends Omit<RankedList, 'scores' | 'unscored' | 'failure'> {
  /** Best first, by index into the documents. */
  readonly scores: readonly DocumentScore[];
  /** From 1, by index into the documents. */
  readonly ranks: ReadonlyMap<number, number>;
  /** Number of documents that were answered without a score, or are beyond `top_n`. */
  readonly unscored: number;
  /** Number of documents without a response. */
  readonly unasked: number;
}

const merged = new WeakMap<SavedRanking, RankedDocuments>();

/** Merges the responses of a ranking; cached. */
export function rankedOf(ranking: SavedRanking): RankedDocuments {
  const known = merged.get(ranking) ?? merge(ranking);
  merged.set(ranking, known);
  return known;
}

function merge({ order, sent, slices }: SavedRanking): RankedDocuments {
  const list = mergeSlices(slices, { ...order, documents: sent.map(() => '') });
  const scores = list.scores.map(({ index, score }) => ({ index: sent[index]!, score }));
  const answered = slices.reduce((sum, { indexes }) => sum + indexes.length, 0);
  return {
    ...list,
    scores,
    ranks: new Map(scores.map(({ index }, at) => [index, at + 1])),
    unscored: answered - scores.length,
    unasked: sent.length - answered,
  };
}

/** The service's score, rounded to six significant digits. */
export function scoreText(score: number): string {
  return String(Number(score.toPrecision(6)));
}
