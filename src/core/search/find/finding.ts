import type { RankedList } from '../../ranking/rankInSlices';

/** A part of a file that may be what was asked for; `Where` tells where the file is, and where the part is in it. */
export type Candidate<Where> = Where & {
  /** As it is shown. */
  readonly path: string;
  readonly text: string;
  /** By which it became a candidate. */
  readonly score: number;
};

/** How many files were left out, by the reason. */
export interface LeftOut {
  /** More than the limit, in number or in bytes of all. */
  readonly overLimit: number;
  readonly tooLarge: number;
  /** Binary, or not in UTF-8. */
  readonly notText: number;
  readonly unreadable: number;
}

/** What candidates were found by. */
export type FoundBy = 'text' | 'embeddings';

export interface Candidates<Where> {
  /** Best first. */
  readonly items: readonly Candidate<Where>[];
  readonly by: FoundBy;
  /** The model that made the vectors. */
  readonly model?: string;
  /** That were read. */
  readonly files: number;
  readonly leftOut: LeftOut;
  /** As the service counted them, or estimated. */
  readonly tokens: number;
}

export interface Finding<Where> {
  readonly question: string;
  readonly candidates: Candidates<Where>;
  /** Unset: not ranked yet, or by nothing (see `trouble`). */
  readonly ranking?: { readonly model: string; readonly list: RankedList };
  /** Why they are not ranked, or not all. */
  readonly trouble?: { readonly kind: 'noReranker' } | { readonly kind: 'failed'; readonly error: unknown };
}

export type ScoredBy = FoundBy | 'rerank';

export type Passage<Where> = Candidate<Where> & { readonly scoredBy: ScoredBy };

/** Best first: what was ranked, then the other candidates by their own score. */
export function passagesOf<Where>({ candidates, ranking }: Finding<Where>): readonly Passage<Where>[] {
  const { items, by } = candidates;
  if (!ranking) return items.map((item) => ({ ...item, scoredBy: by }));
  return [
    ...ranking.list.scores.map(({ index, score }) => ({ ...items[index]!, score, scoredBy: 'rerank' as const })),
    ...ranking.list.unscored.map((index) => ({ ...items[index]!, scoredBy: by })),
  ];
}
