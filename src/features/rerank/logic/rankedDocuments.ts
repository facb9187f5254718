import { mergeSlices, ranksOf, type RankedList } from '../../../core/ranking/rankInSlices';
import type { SavedRanking } from './rerankStore';

/** The merged responses of a ranking; its indexes are those of the documents. */
interface RankedDocuments extends RankedList {
  /** From 1, by document. Equal scores share a rank. */
  readonly ranks: ReadonlyMap<number, number>;
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

function merge({ parameters, sent, slices }: SavedRanking): RankedDocuments {
  // Texts are not stored with a ranking, so their indexes represent them. Almost all texts differ.
  const list = mergeSlices(slices, { top_n: parameters.top_n, documents: sent });
  const scores = list.scores.map(({ index, score }) => ({ index: sent[index]!, score }));
  const ranks = ranksOf(scores);
  return {
    ...list,
    scores,
    unscored: list.unscored.map((index) => sent[index]!),
    ranks: new Map(scores.map(({ index }, at) => [index, ranks[at]!])),
    unasked: sent.length - slices.reduce((sum, { indexes }) => sum + indexes.length, 0),
  };
}

/** Returns the ranking for reordered documents: `order[0]` is the previous index of the document that is now first. */
export function reorderRanking(ranking: SavedRanking, order: readonly number[]): SavedRanking {
  const places = new Map(order.map((index, place) => [index, place]));
  const remaining = ranking.sent
    .flatMap((index, at) => {
      const place = places.get(index);
      return place === undefined ? [] : [{ at, place }];
    })
    .toSorted((one, other) => one.place - other.place);
  const byOld = new Map(remaining.map(({ at }, now) => [at, now]));
  const moved = (index: number) => byOld.get(index);
  return {
    ...ranking,
    sent: remaining.map(({ place }) => place),
    slices: ranking.slices.map((slice) => ({
      ...slice,
      indexes: slice.indexes.flatMap((index) => moved(index) ?? []),
      scores: slice.scores.flatMap(({ index, score }) => {
        const now = moved(index);
        return now === undefined ? [] : [{ index: now, score }];
      }),
    })),
  };
}

/** Returns the new indexes of excluded documents; removed documents are dropped. */
export function positionsAfter(indexes: readonly number[], order: readonly number[]): readonly number[] {
  const requested = new Set(indexes);
  return order.flatMap((index, place) => (requested.has(index) ? [place] : []));
}
