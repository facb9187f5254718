/** What is wrong with one entry of an answer. `at`: which entry, from 0. */
export type RankingProblem = { readonly at: number } & (
  | { readonly kind: 'indexMissing' }
  /** It is no whole number, or no document has it. */
  | { readonly kind: 'indexUnknown'; readonly index: number }
  /** The document was scored before in the same answer: by the same number, or by another, which leaves it without a score. */
  | { readonly kind: 'indexRepeated'; readonly index: number; readonly isSameScore: boolean }
  | { readonly kind: 'scoreMissing'; readonly index: number }
  /** It is not a number, or an infinite one. */
  | { readonly kind: 'scoreNotNumber'; readonly index: number }
);

/** An entry as it came: what the answer lacks is `undefined`. */
export interface RankedEntry {
  readonly index?: number | undefined;
  readonly relevance_score?: number | undefined;
}

export interface CheckedRanking {
  /** What can be used: each document once at most, in the order of the answer. */
  readonly scores: readonly DocumentScore[];
  readonly troubles: readonly RankingProblem[];
}

export interface DocumentScore {
  /** Into the documents that were sent. */
  readonly index: number;
  /** Finite; it may be below 0 or above 1 with some models. */
  readonly score: number;
}

/** Keeps of an answer what can be used for `count` documents, and guesses nothing. */
export function checkRanking(results: readonly RankedEntry[], count: number): CheckedRanking {
  const scores = new Map<number, number>();
  const contradicted = new Set<number>();
  const troubles: RankingProblem[] = [];
  for (const [at, { index, relevance_score: score }] of results.entries()) {
    const trouble = troubleOf(index, score, count);
    const known = index === undefined ? undefined : scores.get(index);
    if (trouble) {
      troubles.push({ at, ...trouble });
    } else if (known === undefined) {
      scores.set(index!, score!);
    } else {
      troubles.push({ at, kind: 'indexRepeated', index: index!, isSameScore: known === score });
      if (known !== score) contradicted.add(index!);
    }
  }
  const usable = [...scores].filter(([index]) => !contradicted.has(index));
  return { scores: usable.map(([index, score]) => ({ index, score })), troubles };
}

type Without<T> = T extends unknown ? Omit<T, 'at'> : never;

function troubleOf(
  index: number | undefined,
  score: number | undefined,
  count: number,
): Without<RankingProblem> | undefined {
  if (index === undefined) return { kind: 'indexMissing' };
  if (!Number.isInteger(index) || index < 0 || index >= count) return { kind: 'indexUnknown', index };
  if (score === undefined) return { kind: 'scoreMissing', index };
  return Number.isFinite(score) ? undefined : { kind: 'scoreNotNumber', index };
}
