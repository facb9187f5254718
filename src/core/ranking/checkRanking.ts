/** A problem with one entry of a response. `at`: its position, from 0. */
export type RankingProblem = { readonly at: number } & (
  | { readonly kind: 'indexMissing' }
  /** The index is not a whole number, or no document has it. */
  | { readonly kind: 'indexUnknown'; readonly index: number }
  /** The same response scored the document before: with the same score, or with a different one, which leaves it without a score. */
  | { readonly kind: 'indexRepeated'; readonly index: number; readonly isSameScore: boolean }
  | { readonly kind: 'scoreMissing'; readonly index: number }
  /** The score is not a number, or is infinite. */
  | { readonly kind: 'scoreNotNumber'; readonly index: number }
);

/** An entry as received: missing members are `undefined`. */
export interface RankedEntry {
  readonly index?: number | undefined;
  readonly relevance_score?: number | undefined;
}

export interface CheckedRanking {
  /** The usable scores: each document at most once, in the order of the response. */
  readonly scores: readonly DocumentScore[];
  readonly problems: readonly RankingProblem[];
}

export interface DocumentScore {
  /** Index into the documents that were sent. */
  readonly index: number;
  /** Finite; with some models it may be below 0 or above 1. */
  readonly score: number;
}

/** Returns the usable scores of a response for `count` documents, without guessing. */
export function checkRanking(results: readonly RankedEntry[], count: number): CheckedRanking {
  const scores = new Map<number, number>();
  const contradicted = new Set<number>();
  const problems: RankingProblem[] = [];
  for (const [at, { index, relevance_score: score }] of results.entries()) {
    const problem = problemOf(index, score, count);
    const known = index === undefined ? undefined : scores.get(index);
    if (problem) {
      problems.push({ at, ...problem });
    } else if (known === undefined) {
      scores.set(index!, score!);
    } else {
      problems.push({ at, kind: 'indexRepeated', index: index!, isSameScore: known === score });
      if (known !== score) contradicted.add(index!);
    }
  }
  const usable = [...scores].filter(([index]) => !contradicted.has(index));
  return { scores: usable.map(([index, score]) => ({ index, score })), problems };
}

type Without<T> = T extends unknown ? Omit<T, 'at'> : never;

function problemOf(
  index: number | undefined,
  score: number | undefined,
  count: number,
): Without<RankingProblem> | undefined {
  if (index === undefined) return { kind: 'indexMissing' };
  if (!Number.isInteger(index) || index < 0 || index >= count) return { kind: 'indexUnknown', index };
  if (score === undefined) return { kind: 'scoreMissing', index };
  return Number.isFinite(score) ? undefined : { kind: 'scoreNotNumber', index };
}
