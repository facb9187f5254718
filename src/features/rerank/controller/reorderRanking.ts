import type { SavedRanking } from './rerankRecord';

/** Returns the ranking for reordered documents: `order[0]` is the previous index of the document that is now first. */
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

/** Returns the new indexes of excluded documents; removed documents are dropped. */
export function positionsAfter(indexes: readonly number[], order: readonly number[]): readonly number[] {
  const wanted = new Set(indexes);
  return order.flatMap((index, place) => (wanted.has(index) ? [place] : []));
}
