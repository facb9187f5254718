import type { NewVectors } from './embeddingCandidates';
import type { RankedList, Unranked } from '../../ranking/rankInSlices';

/** A part of a file that may answer the question; `Where` has the file's location and the position in it. */
export type Candidate<Where> = Where & {
  /** As displayed. */
  readonly path: string;
  readonly text: string;
  /** The score by which it became a candidate. */
  readonly score: number;
};

/** The number of omitted files, by reason. */
export interface LeftOut {
  /** Beyond the limit on the number of files or their total bytes. */
  readonly overLimit: number;
  readonly tooLarge: number;
  /** Binary, or not UTF-8. */
  readonly notText: number;
  readonly unreadable: number;
}

/** How candidates were found. */
export type FoundBy = 'text' | 'embeddings';

export interface Candidates<Where> {
  /** Best first. */
  readonly items: readonly Candidate<Where>[];
  readonly by: FoundBy;
  /** The model that created the vectors. */
  readonly model?: string;
  /** The number of files read. */
  readonly files: number;
  readonly leftOut: LeftOut;
  /** As counted by the service, or estimated. */
  readonly tokens: number;
}

export interface Finding<Where> {
  readonly question: string;
  readonly candidates: Candidates<Where>;
  /** Unset if not ranked yet, or if ranking was impossible (see `problem`). */
  readonly ranking?: { readonly model: string; readonly list: RankedList };
  /** Why the candidates are not ranked, or not all of them. */
  readonly problem?:
    | { readonly kind: 'noReranker' }
    | { readonly kind: 'failed'; readonly error: unknown }
    | { readonly kind: 'unranked'; readonly unranked: Unranked; readonly model: string };
}

export type ScoredBy = FoundBy | 'rerank';

export type Passage<Where> = Candidate<Where> & { readonly scoredBy: ScoredBy };

/** Returns the ranked candidates, best first, then the others by their own score. */
export function passagesOf<Where>({ candidates, ranking }: Finding<Where>): readonly Passage<Where>[] {
  const { items, by } = candidates;
  if (!ranking || ranking.list.unranked) return items.map((item) => ({ ...item, scoredBy: by }));
  return [
    ...ranking.list.scores.map(({ index, score }) => ({ ...items[index]!, score, scoredBy: 'rerank' as const })),
    ...ranking.list.unscored.map((index) => ({ ...items[index]!, scoredBy: by })),
  ];
}

export type FindProgress<Where> =
  | { readonly kind: 'reading'; readonly files: number; readonly of: number }
  | { readonly kind: 'embedding'; readonly parts: number; readonly of: number }
  | { readonly kind: 'candidates'; readonly candidates: Candidates<Where> }
  | { readonly kind: 'ranking'; readonly done: number; readonly of: number };

/** The number of candidates to rank: about 50,000 tokens, and the answer is rarely below. */
export const mostCandidates = 100;

export interface FindOptions<Where> {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: FindProgress<Where>) => void;
  /** Whether missing embeddings should be created. If not, the search is by words. */
  readonly confirm: (vectors: NewVectors) => Promise<boolean>;
  /** Folder of the vectors of all models. */
  readonly folder: string;
}
