import type { SavedRanking } from './rerankRecord';

/** The same ranking of documents that changed places: `order[0]` is the document of before that is first now. */
export function reorderRanking(ranking: SavedRanking, order: readonly number[]): SavedRanking {
  const places = new Map(order.map((index, place) => [index, place]));
  const kept = ranking.sent
    .flatMap((index, at) => {
      const place = places.get(index);
      return place === undefined ? [] : [{ at, place }];
    })
    .toSorted((one, other) => one.place - other.place);
  const byOld = new Map(kept.map(({ at }, now) => [at, now]));
  const moved = (index: number) => byOld.get(index);
  return {
    ...ranking,
    sent: kept.map(({ place }) => place),
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

/** Where documents stand that a person left out; those that went are not among them. */
export function positionsAfter(indexes: readonly number[], order: readonly number[]): readonly number[] {
  const wanted = new Set(indexes);
  return order.flatMap((index, place) => (wanted.has(index) ? [place] : []));
}
