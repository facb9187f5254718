import type { Call } from './call';
import type { RerankStrings } from './rerankStrings';
import type { WireAction, WireError } from './wire';

export type RerankSourceKind = 'selection' | 'file' | 'tabs' | 'files' | 'search' | 'problems' | 'clipboard';
export type SplitBy = 'whole' | 'lines' | 'paragraphs' | 'listItems' | 'jsonArray' | 'sections';
export type RerankTab = 'documents' | 'ranking' | 'comparison';
export type CopyForm = 'list' | 'markdownTable' | 'json';
/** The service's bound. */
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

/** Nothing is set. */
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
  /** Why the model takes a parameter not: worded, by field; a field that is taken is absent. */
  readonly notTaken: { readonly [Field in RerankField]?: string };
}

/** What is to be ranked. All texts are worded. */
export interface RerankPage {
  /** By which the host knows the page again after a reload. */
  readonly pageId: string;
  readonly kind: RerankSourceKind;
  /** E.g. the name of the file and the lines of the selection. Empty: nothing was chosen yet, and `kind` says nothing. */
  readonly source: string;
  readonly by: SplitBy;
  /** The splits that make at least one document of this source, with how many. */
  readonly splits: readonly { readonly by: SplitBy; readonly name: string; readonly count: number }[];
  readonly count: number;
  /** Left out by the person. */
  readonly excluded: number;
  /** E.g. characters and the estimate of tokens of all that is sent, and in how many requests. */
  readonly facts: string;
  /** What is remarkable: text too long, cut, changed since it was read, only one document. */
  readonly notices: readonly RerankNotice[];
  readonly models: readonly RerankModel[];
  /** More may come; then the page is told. */
  readonly modelsAreLoading?: boolean;
  readonly modelsTrouble?: WireError;
  readonly form: RerankForm;
  /** Newest first. */
  readonly history: readonly string[];
  /** The last ranking of these documents, split as they are, where there is one. */
  readonly ranking?: RankingSummary;
  readonly comparison?: RerankComparison;
  /** What goes on although the page was hidden meanwhile: `rerank/follow` follows it. */
  readonly running?: RerankProgress & { readonly what: 'ranking' | 'comparison' };
  /** Whether the documents are one piece of one text that can be written to. */
  readonly canReorder: boolean;
}

/** Counts documents; of a comparison, once for each model. */
export interface RerankProgress {
  readonly done: number;
  readonly total: number;
  /** Worded. */
  readonly text: string;
}

/** The step of a notice that the page takes itself, by `rerank/run` with `goOn`: what was ranked until the fault is kept. */
export const goOnRanking = 'goOn';

export interface RerankNotice {
  readonly tone: 'info' | 'warning' | 'error';
  readonly title: string;
  readonly detail?: string;
  readonly actions?: readonly WireAction[];
}

/** A document as it is sent, shortened for the list. */
export interface RerankDocument {
  readonly index: number;
  readonly text: string;
  /** Worded: e.g. `notes.md:12`. */
  readonly place: string;
  readonly canOpen: boolean;
  readonly isExcluded: boolean;
  /** Worded: why it may be refused or cut. */
  readonly trouble?: string;
}

/** All numbers but counts are worded. */
export interface RankingSummary {
  readonly count: number;
  readonly query: string;
  readonly model: string;
  /** Tokens in and out, time, requests, ids. */
  readonly facts: readonly { readonly name: string; readonly value: string }[];
  readonly notices: readonly RerankNotice[];
  /** Documents, query or parameters were changed since. */
  readonly isStale: boolean;
  readonly isShownInEditor: boolean;
  readonly canShowInEditor: boolean;
}

export interface RankingRow {
  /** Into the documents. */
  readonly index: number;
  /** From 1. */
  readonly rank: number;
  /** Worded, as the service gave it but for length. */
  readonly score: string;
  /** 0 to 1: of the bar. */
  readonly part: number;
  readonly text: string;
  readonly place: string;
  /** Where it stood, from 1. */
  readonly was: number;
  readonly canOpen: boolean;
  /** What the person judged for this query. */
  readonly judgement: 'relevant' | 'notRelevant' | 'none';
}

/** Models by the same query. Numbers are worded; absent where nothing relevant was judged. */
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
  /** By column: rank (from 1) and score, worded; `undefined` where the model did not rank it. */
  readonly ranks: readonly ({ readonly rank: number; readonly score: string } | null)[];
  readonly judgement: RankingRow['judgement'];
}

type Nothing = Record<never, never>;

export interface RerankScreen {
  readonly state: {
    readonly pageId: string;
    readonly form: RerankForm;
    readonly tab: RerankTab;
    /** The place of the row in the table of the tab whose document is shown. */
    readonly selected: number | null;
  };
  readonly strings: RerankStrings;
  readonly calls: {
    readonly 'rerank/ready': Call<Nothing, RerankPage>;
    /** Each of these answers what holds after it. */
    readonly 'rerank/chooseSource': Call<{ readonly kind: RerankSourceKind }, RerankPage>;
    readonly 'rerank/split': Call<{ readonly by: SplitBy }, RerankPage>;
    readonly 'rerank/exclude': Call<{ readonly index: number; readonly isExcluded: boolean }, RerankPage>;
    readonly 'rerank/excludeAll': Call<{ readonly isExcluded: boolean }, RerankPage>;
    /** Keeps what is typed; `issues` says why a field's value is not sent. */
    readonly 'rerank/form': Call<
      { readonly form: RerankForm },
      { readonly issues: { readonly [Field in RerankField | 'query' | 'model']?: string } }
    >;
    readonly 'rerank/documents': Call<
      { readonly from: number; readonly count: number },
      { readonly rows: readonly RerankDocument[] }
    >;
    /** Cancelled by the page it ends, and what was ranked until then is shown; it goes on where the page is only hidden. */
    readonly 'rerank/run': Call<
      { readonly form: RerankForm; readonly goOn?: boolean | undefined },
      RerankPage,
      RerankProgress
    >;
    /** Follows what goes on; resolves at once where nothing does. Cancelled by the page it ends what it follows. */
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
    /** `of`: whose query it is judged for; unset: the ranking's. */
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
    /** Shows a diff and, once the person takes it, writes one undo step. `keep`: only so many of the best stay. */
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
