import type { RankedSlice } from '../../../core/ranking/rankInSlices';
import type { RerankForm, SplitBy } from '../../../protocol/rerank';
import type { WireError } from '../../../protocol/wire';
import type { RerankSource } from '../sources/rerankSource';

/** What a ranking is asked with: only what is set. */
export interface RankParameters {
  readonly query: string;
  readonly model: string;
  readonly top_n?: number | undefined;
  readonly return_documents?: boolean | undefined;
  readonly max_chunks_per_doc?: number | undefined;
  readonly overlap_tokens?: number | undefined;
  readonly instruction?: string | undefined;
}

/** Answers that were paid for, and what they were asked with. */
export interface SavedRanking {
  readonly order: RankParameters;
  /** Into the documents: what was to be ranked. Indexes of the slices are into this list. */
  readonly sent: readonly number[];
  readonly slices: readonly SavedSlice[];
  /** Unix milliseconds. */
  readonly at: number;
  /** Of all requests, one after the other. */
  readonly durationMs: number;
  /** Why it is not all. */
  readonly failure?: WireError | undefined;
}

/** Without the copies of the documents, which are texts of ours. */
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
  /** Where there is no ranking at all. */
  readonly trouble?: WireError | undefined;
}

/** By the way the documents were split: another split makes other documents. */
export type BySplit<T> = { readonly [By in SplitBy]?: T | undefined };

/** What stands in a page beside its source. */
export interface PageChoices {
  readonly by: SplitBy;
  /** Into the documents of each split. */
  readonly excluded: BySplit<readonly number[]>;
  readonly form: RerankForm;
}

export interface PageResults {
  readonly rankings: BySplit<SavedRanking>;
  readonly comparisons: BySplit<SavedComparison>;
}

/** All that is kept of a page. */
export interface RerankRecord extends PageChoices, PageResults {
  readonly id: string;
  /** Absent until something was chosen. */
  readonly source?: RerankSource | undefined;
}

/** Keeps what changed of one page. */
export interface RecordMemory {
  readonly id: string;
  /** This and the next never reject: what is typed is not worth a fault. */
  keepChoices(choices: PageChoices): Promise<void>;
  keepSource(source: RerankSource): Promise<void>;
  /** Rejects when it cannot be kept. */
  keepResults(results: PageResults): Promise<void>;
}
