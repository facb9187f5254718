import type { Call } from './call';
import type { WireAction, WireError } from './wire';

export type RerankSourceKind = 'selection' | 'file' | 'tabs' | 'files' | 'search' | 'problems' | 'clipboard';
export type SplitBy = 'whole' | 'lines' | 'paragraphs' | 'listItems' | 'jsonArray' | 'sections';
export type RerankTab = 'documents' | 'ranking' | 'comparison';
export type CopyForm = 'list' | 'markdownTable' | 'json';
/** The service's limit. */
export const mostOverlapTokens = 80;

/** As typed: an empty text is a parameter that is not set. */
export interface RerankForm {
  readonly query: string;
  readonly model: string;
  readonly top_n: string;
  readonly return_documents: boolean;
  readonly max_chunks_per_doc: string;
  readonly overlap_tokens: string;
  readonly instruction: string;
}

/** A form with nothing set. */
export const emptyForm: RerankForm = {
  query: '',
  model: '',
  top_n: '',
  return_documents: false,
  max_chunks_per_doc: '',
  overlap_tokens: '',
  instruction: '',
};

export type RerankField = 'top_n' | 'max_chunks_per_doc' | 'overlap_tokens' | 'instruction';

export interface RerankModel {
  readonly id: string;
  /** By field: the localized reason why the model does not take it; fields it takes are absent. */
  readonly notTaken: { readonly [Field in RerankField]?: string };
}

/** The documents to rank and the state of the page. All texts are localized. */
export interface RerankPage {
  /** Identifies the page to the host after a reload. */
  readonly pageId: string;
  readonly kind: RerankSourceKind;
  /** E.g. the name of the file and the lines of the selection. Empty if nothing has been chosen; `kind` is meaningless then. */
  readonly source: string;
  readonly by: SplitBy;
  /** The splits that yield at least one document from this source, with their counts. */
  readonly splits: readonly { readonly by: SplitBy; readonly name: string; readonly count: number }[];
  readonly count: number;
  /** Number of documents the user excluded. */
  readonly excluded: number;
  /** E.g. characters, estimated tokens and number of requests for everything that is sent. */
  readonly facts: string;
  /** Noteworthy conditions: text too long, cut, changed since it was read, only one document. */
  readonly notices: readonly RerankNotice[];
  readonly models: readonly RerankModel[];
  /** More may follow; the page is then notified. */
  readonly modelsAreLoading?: boolean;
  readonly modelsTrouble?: WireError;
  readonly form: RerankForm;
  /** Earlier queries, newest first. */
  readonly history: readonly string[];
  /** The last ranking of these documents with the current split, if any. */
  readonly ranking?: RankingSummary;
  readonly comparison?: RerankComparison;
  /** What is in progress, even if the page was hidden meanwhile: `rerank/follow` reports its progress. */
  readonly running?: RerankProgress & { readonly what: 'ranking' | 'comparison' };
  /** Whether the documents are parts of one writable text. */
  readonly canReorder: boolean;
}

/** Counts documents; in a comparison, once per model. */
export interface RerankProgress {
  readonly done: number;
  readonly total: number;
  /** Localized. */
  readonly text: string;
}

/** The action of a notice that the page runs itself, by `rerank/run` with `goOn`: what was ranked before the error is retained. */
export const goOnRanking = 'goOn';

export interface RerankNotice {
  readonly tone: 'info' | 'warning' | 'error';
  readonly title: string;
  readonly detail?: string;
  readonly actions?: readonly WireAction[];
}

/** A document as sent, shortened for the list. */
export interface RerankDocument {
  readonly index: number;
  readonly text: string;
  /** Localized, e.g. `notes.md:12`. */
  readonly place: string;
  readonly canOpen: boolean;
  readonly isExcluded: boolean;
  /** Localized reason why it may be rejected or cut. */
  readonly trouble?: string;
}

/** All numbers except counts are localized texts. */
export interface RankingSummary {
  readonly count: number;
  readonly query: string;
  readonly model: string;
  /** Input and output tokens, time, requests, ids. */
  readonly facts: readonly { readonly name: string; readonly value: string }[];
  readonly notices: readonly RerankNotice[];
  /** Documents, query or parameters have changed since. */
  readonly isStale: boolean;
  readonly isShownInEditor: boolean;
  readonly canShowInEditor: boolean;
}

export interface RankingRow {
  /** Index into the documents. */
  readonly index: number;
  /** From 1. */
  readonly rank: number;
  /** Localized; the service's value, shortened. */
  readonly score: string;
  /** Length of the bar, 0 to 1. */
  readonly part: number;
  readonly text: string;
  readonly place: string;
  /** Original position, from 1. */
  readonly was: number;
  readonly canOpen: boolean;
  /** The user's judgement for this query. */
  readonly judgement: 'relevant' | 'notRelevant' | 'none';
}

/** A comparison of models on the same query. Numbers are localized; absent if nothing was judged relevant. */
export interface RerankComparison {
  readonly query: string;
  readonly k: number;
  readonly judged: number;
  readonly columns: readonly {
    readonly model: string;
    readonly ndcg?: string;
    readonly mrr?: string;
    readonly facts: string;
    readonly trouble?: WireError;
  }[];
  readonly count: number;
}

export interface ComparisonRow {
  readonly index: number;
  readonly text: string;
  readonly place: string;
  readonly canOpen: boolean;
  /** By column: rank (from 1) and localized score; `null` if the model did not rank the document. */
  readonly ranks: readonly ({ readonly rank: number; readonly score: string } | null)[];
  readonly judgement: RankingRow['judgement'];
}

type Nothing = Record<never, never>;

export interface RerankScreen {
  readonly state: {
    readonly pageId: string;
    readonly form: RerankForm;
    readonly tab: RerankTab;
    /** Index, in the tab's table, of the row whose document is shown. */
    readonly selected: number | null;
  };
  readonly calls: {
    readonly 'rerank/ready': Call<Nothing, RerankPage>;
    /** Each of these returns the resulting page. */
    readonly 'rerank/chooseSource': Call<{ readonly kind: RerankSourceKind }, RerankPage>;
    readonly 'rerank/split': Call<{ readonly by: SplitBy }, RerankPage>;
    readonly 'rerank/exclude': Call<{ readonly index: number; readonly isExcluded: boolean }, RerankPage>;
    readonly 'rerank/excludeAll': Call<{ readonly isExcluded: boolean }, RerankPage>;
    /** Saves what is typed; `issues` says why a field's value is not sent. */
    readonly 'rerank/form': Call<
      { readonly form: RerankForm },
      { readonly issues: { readonly [Field in RerankField | 'query' | 'model']?: string } }
    >;
    readonly 'rerank/documents': Call<
      { readonly from: number; readonly count: number },
      { readonly rows: readonly RerankDocument[] }
    >;
    /** If the page cancels the call, ranking ends and what was ranked so far is shown; if the page is only hidden, it continues. */
    readonly 'rerank/run': Call<
      { readonly form: RerankForm; readonly goOn?: boolean | undefined },
      RerankPage,
      RerankProgress
    >;
    /** Follows the operation in progress; resolves at once if there is none. Cancelling ends that operation. */
    readonly 'rerank/follow': Call<Nothing, RerankPage, RerankProgress>;
    readonly 'rerank/rows': Call<
      { readonly from: number; readonly count: number },
      { readonly rows: readonly RankingRow[] }
    >;
    readonly 'rerank/compare': Call<
      { readonly form: RerankForm; readonly models: readonly string[]; readonly k: number },
      RerankPage,
      RerankProgress
    >;
    readonly 'rerank/comparisonRows': Call<
      { readonly from: number; readonly count: number },
      { readonly rows: readonly ComparisonRow[] }
    >;
    /** `of`: whose query the judgement applies to; unset for the ranking's. */
    readonly 'rerank/judge': Call<
      {
        readonly index: number;
        readonly judgement: RankingRow['judgement'];
        readonly of?: 'ranking' | 'comparison' | undefined;
      },
      RerankPage
    >;
    readonly 'rerank/whole': Call<{ readonly index: number }, { readonly text: string; readonly isCut: boolean }>;
    readonly 'rerank/goTo': Call<{ readonly index: number }, Nothing>;
    /** Shows a diff and, once the user accepts it, applies the change as one undo step. `keep`: only this many of the best remain. */
    readonly 'rerank/reorder': Call<{ readonly keep?: number | undefined }, Nothing>;
    readonly 'rerank/copy': Call<
      { readonly as: CopyForm; readonly top?: number | undefined },
      { readonly said: string }
    >;
    readonly 'rerank/showScores': Call<{ readonly isShown: boolean }, RerankPage>;
    readonly 'rerank/forgetQuery': Call<{ readonly query: string }, RerankPage>;
    readonly 'rerank/act': Call<{ readonly action: string }, Nothing>;
  };
  readonly events: {
    /** The source or the models changed, or the text was reordered. */
    readonly 'rerank/changed': RerankPage;
  };
}
