import * as z from 'zod/mini';
import { call, returns, type Accepted, type CallsOf } from './call';
import type { CostText, WireAction, WireError } from './wire';

const text = (most: number) => z.string().check(z.maxLength(most));
const model = text(500);
const sourceKind = z.enum(['selection', 'file', 'tabs', 'files', 'search', 'problems', 'clipboard']);
const splitBy = z.enum(['whole', 'lines', 'paragraphs', 'sentences', 'listItems', 'jsonArray', 'sections', 'rows']);
const columns = z.array(text(10_000)).check(z.minLength(1), z.maxLength(1000));
const judgement = z.enum(['relevant', 'notRelevant', 'none']);
const copyForm = z.enum(['list', 'markdownTable', 'json']);

/** As typed. An empty text is an unset parameter. */
const form = z.strictObject({
  query: text(1_000_000),
  model,
  top_n: text(100),
  return_documents: z.boolean(),
  max_chunks_per_doc: text(100),
  overlap_tokens: text(100),
  instruction: text(1_000_000),
});

export type RerankSourceKind = Accepted<typeof sourceKind>;
export type SplitBy = Accepted<typeof splitBy>;
export type RerankTable = 'documents' | 'ranking' | 'comparison';
export type Judgement = Accepted<typeof judgement>;
export type CopyForm = Accepted<typeof copyForm>;
export type RerankForm = Accepted<typeof form>;
export type RerankField = 'top_n' | 'max_chunks_per_doc' | 'overlap_tokens' | 'instruction';

export interface RerankModel {
  readonly id: string;
  /** By field: the localized reason why the model doesn't support it. Supported fields are missing. */
  readonly notTaken: { readonly [Field in RerankField]?: string };
  /** The price of ranking the documents with it. */
  readonly price?: CostText;
}

/** The documents to rank and the state of the page. All texts are localized. */
export interface RerankView {
  /** Identifies the page to the host after a reload. */
  readonly pageId: string;
  readonly kind: RerankSourceKind;
  /** E.g. the name of the file and the lines of the selection. Empty if nothing has been chosen; `kind` is meaningless then. */
  readonly source: string;
  readonly by: SplitBy;
  /** The splits that yield at least one document from this source, with their counts. */
  readonly splits: readonly { readonly by: SplitBy; readonly name: string; readonly count: number }[];
  /** The columns of the table whose rows are the documents. Those that are not sent stay in the table. */
  readonly columns?: readonly { readonly name: string; readonly isSent: boolean }[];
  readonly count: number;
  /** Number of documents the user excluded. */
  readonly excluded: number;
  /** E.g. characters, estimated tokens and number of requests for everything that is sent. */
  readonly facts: string;
  /** Of everything that is sent. Missing until it is known whether there is one. */
  readonly price?: CostText;
  /** Noteworthy conditions: text too long, cut, changed since it was read, only one document. */
  readonly notices: readonly RerankNotice[];
  readonly models: readonly RerankModel[];
  /** More can follow, in which case the page is notified. */
  readonly modelsAreLoading?: boolean;
  readonly modelsError?: WireError;
  readonly form: RerankForm;
  /** Earlier queries, newest first. */
  readonly history: readonly string[];
  /** The last ranking of these documents with the current split, if any. */
  readonly ranking?: RankingSummary;
  readonly comparison?: RerankComparison;
  /** What is in progress, even if the page was hidden in the meantime. `rerank/follow` reports its progress. */
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
  readonly problem?: string;
}

/** All numbers except counts are localized texts. */
export interface RankingSummary {
  readonly count: number;
  readonly query: string;
  readonly model: string;
  /** Input and output tokens, time, requests, ids. */
  readonly facts: readonly { readonly name: string; readonly value: string }[];
  readonly notices: readonly RerankNotice[];
  /** Why the order means nothing, if the model or server did not rank. Also the title of a notice. */
  readonly unranked?: string;
  /** Documents, query or parameters have changed since. */
  readonly isStale: boolean;
  readonly isShownInEditor: boolean;
  readonly canShowInEditor: boolean;
}

/** A document's judgment. */
export interface JudgedDocument {
  /** Index into the documents. */
  readonly index: number;
  /** The user's judgment for this query. */
  readonly judgement: Judgement;
}

export interface RankingRow extends JudgedDocument {
  /** From 1. Equal scores share a rank. */
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
    readonly error?: WireError;
  }[];
  readonly count: number;
}

export interface ComparisonRow extends JudgedDocument {
  readonly text: string;
  readonly place: string;
  readonly canOpen: boolean;
  /** By column: rank (from 1) and localized score. `null` if the model did not rank the document. */
  readonly ranks: readonly ({ readonly rank: number; readonly score: string } | null)[];
}

const nothing = z.strictObject({});
const index = z.int().check(z.nonnegative());
const count = z.int().check(z.positive());
/** A part of a table. */
const range = z.strictObject({ from: index, count: z.int().check(z.nonnegative(), z.maximum(2000)) });
const page = returns<RerankView>();
const pageWithProgress = returns<RerankView, RerankProgress>();

export const rerankCalls = {
  'rerank/ready': call(nothing, page),
  /** Each of these returns the resulting page. */
  'rerank/chooseSource': call(z.strictObject({ kind: sourceKind }), page),
  /** `columns`: those of a table to send; unset for those of before. */
  'rerank/split': call(z.strictObject({ by: splitBy, columns: z.optional(columns) }), page),
  'rerank/exclude': call(z.strictObject({ index, isExcluded: z.boolean() }), page),
  'rerank/excludeAll': call(z.strictObject({ isExcluded: z.boolean() }), page),
  /** Saves typed values. `issues` explains why a field's value isn't sent. */
  'rerank/form': call(
    z.strictObject({ form }),
    returns<{ readonly issues: { readonly [Field in RerankField | 'query' | 'model']?: string } }>(),
  ),
  'rerank/documents': call(range, returns<{ readonly rows: readonly RerankDocument[] }>()),
  /** If the page cancels the call, ranking ends and what was ranked so far is shown; if the page is only hidden, it continues. */
  'rerank/run': call(z.strictObject({ form, goOn: z.optional(z.boolean()) }), pageWithProgress),
  /** Follows the operation in progress. Resolves immediately if there is none. Canceling ends that operation. */
  'rerank/follow': call(nothing, pageWithProgress),
  'rerank/rows': call(range, returns<{ readonly rows: readonly RankingRow[] }>()),
  'rerank/compare': call(
    z.strictObject({
      form,
      models: z.array(model.check(z.minLength(1))).check(z.maxLength(20)),
      k: count.check(z.maximum(100_000)),
    }),
    pageWithProgress,
  ),
  /** The price of ranking the documents with all of these models; absent as long as there is none to show. */
  'rerank/price': call(
    z.strictObject({ models: z.array(model).check(z.maxLength(20)) }),
    returns<{ readonly price?: CostText }>(),
  ),
  'rerank/comparisonRows': call(range, returns<{ readonly rows: readonly ComparisonRow[] }>()),
  /** `of`: whose query the judgment applies to; unset for the ranking's. */
  'rerank/judge': call(z.strictObject({ index, judgement, of: z.optional(z.enum(['ranking', 'comparison'])) }), page),
  'rerank/whole': call(z.strictObject({ index }), returns<{ readonly text: string; readonly isCut: boolean }>()),
  'rerank/goTo': call(z.strictObject({ index })),
  /** Shows a diff and, once the user accepts it, applies the change as one undo step. `keep`: only this many of the best remain. */
  'rerank/reorder': call(z.strictObject({ keep: z.optional(count) })),
  'rerank/copy': call(
    z.strictObject({ as: copyForm, top: z.optional(count) }),
    returns<{ readonly message: string }>(),
  ),
  'rerank/showScores': call(z.strictObject({ isShown: z.boolean() }), page),
  'rerank/forgetQuery': call(z.strictObject({ query: text(1_000_000) }), page),
  'rerank/act': call(z.strictObject({ action: text(1000) })),
};

export interface RerankScreen {
  readonly state: {
    readonly pageId: string;
    readonly form: RerankForm;
    readonly tab: RerankTable;
    /** Index, in the tab's table, of the row whose document is shown. */
    readonly selected: number | null;
  };
  readonly calls: CallsOf<typeof rerankCalls>;
  readonly events: {
    /** The source or the models changed, or the text was reordered. */
    readonly 'rerank/changed': RerankView;
  };
}
