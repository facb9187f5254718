import type { RankedSlice } from '../../../core/ranking/rankInSlices';
import type { RerankForm, SplitBy } from '../../../protocol/rerank';
import type { WireError } from '../../../protocol/wire';
import type { RerankSource } from '../sources/rerankSource';

/** Parameters of a ranking: only those that are set. */
export interface RankParameters {
  readonly query: string;
  readonly model: string;
  readonly top_n?: number | undefined;
  readonly return_documents?: boolean | undefined;
  readonly max_chunks_per_doc?: number | undefined;
  readonly overlap_tokens?: number | undefined;
  readonly instruction?: string | undefined;
}

/** Responses that were paid for, and their request parameters. */
export interface SavedRanking {
  readonly order: RankParameters;
  /** Indexes of the documents to rank. The slices' indexes refer to this list. */
  readonly sent: readonly number[];
  readonly slices: readonly SavedSlice[];
  /** Unix milliseconds. */
  readonly at: number;
  /** Sum over all requests, which run one after the other. */
  readonly durationMs: number;
  /** Why the ranking is incomplete. */
  readonly failure?: WireError | undefined;
}

/** Without the response's copies of the documents, which the source already holds. */
export type SavedSlice = Omit<RankedSlice, 'documents'>;

/** Several models on the same documents and query. */
export interface SavedComparison {
  readonly query: string;
  readonly k: number;
  readonly columns: readonly SavedColumn[];
}

export interface SavedColumn {
  readonly model: string;
  readonly ranking?: SavedRanking | undefined;
  /** Set if there is no ranking at all. */
  readonly trouble?: WireError | undefined;
}

/** By split, because each split gives other documents. */
export type BySplit<T> = { readonly [By in SplitBy]?: T | undefined };

/** The user's choices on a page, apart from the source. */
export interface PageChoices {
  readonly by: SplitBy;
  /** Indexes into the documents, for each split. */
  readonly excluded: BySplit<readonly number[]>;
  readonly form: RerankForm;
}

export interface PageResults {
  readonly rankings: BySplit<SavedRanking>;
  readonly comparisons: BySplit<SavedComparison>;
}

/** Everything that is saved of a page. */
export interface RerankRecord extends PageChoices, PageResults {
  readonly id: string;
  /** Absent until a source is chosen. */
  readonly source?: RerankSource | undefined;
}

/** Saves the changes of one page. */
export interface RecordMemory {
  readonly id: string;
  /** Never rejects, nor does `keepSource`: failing to save these is not worth an error. */
  keepChoices(choices: PageChoices): Promise<void>;
  keepSource(source: RerankSource): Promise<void>;
  /** Rejects if the results cannot be saved. */
  keepResults(results: PageResults): Promise<void>;
}
