import * as z from 'zod/mini';
import { call, returns, type Accepted, type CallsOf } from './call';
import type { WireAction } from './wire';

const nothing = z.strictObject({});
const whole = z.int().check(z.nonnegative());
const ofRow = z.strictObject({ row: whole });

/** The states of requests that can be retried. */
const retriedStates = ['failed', 'expired', 'canceled', 'missing', 'empty', 'truncated', 'refused'] as const;

/** Which results are shown, and how they are sorted. */
const choice = z.strictObject({
  tab: z.enum(['all', 'answered', ...retriedStates, 'extra']),
  /** Shows only failures of this group; `null` for all. */
  group: z.nullable(whole),
  /** Empty to show all. */
  query: z.string().check(z.maxLength(1000)),
  /** The id of a column. */
  sort: z.string().check(z.maxLength(500)),
  descending: z.boolean(),
  /** Shows only answers that are not as expected. */
  isUnexpected: z.boolean(),
  /** Shows only answers that differ from those of the reference run. */
  isDifferent: z.boolean(),
  /** The id of the column whose values group the rows; `null` for none. */
  groupBy: z.nullable(z.string().check(z.maxLength(500))),
  /** The values whose groups are closed. */
  closed: z.array(z.string().check(z.maxLength(1000))).check(z.maxLength(2000)),
});
/** Ids of columns, in order. */
const columnIds = z.array(z.string().check(z.maxLength(500))).check(z.maxLength(400));
export const resultsLayout = z.strictObject({
  columns: z.nullable(columnIds),
  widths: z.record(z.string().check(z.maxLength(500)), z.number()),
});
export type ResultsChoice = Accepted<typeof choice>;
export type ResultsTab = ResultsChoice['tab'];

/** A step in the life cycle of a batch. `ahead`: not reached yet. */
export interface ResultsPhase {
  /** Localized, or the service's own term. */
  readonly label: string;
  /** Localized: when, how many. */
  readonly detail: string;
  /** Localized: full date and time. */
  readonly hint: string;
  readonly state: 'done' | 'current' | 'ahead' | 'ended';
}

/** Something the user should know about the run. Localized. */
export interface ResultsNotice {
  readonly tone: 'error' | 'warning' | 'info';
  readonly title: string;
  readonly detail: string;
  /** Ids for `results/act`. */
  readonly actions: readonly WireAction[];
}

/** Why the service rejected or ended the batch. */
export interface ResultsFault {
  /** The service's message. */
  readonly text: string;
  /** The service's code; empty if it sends none. */
  readonly code: string;
  /** Localized line reference; absent if the error concerns the whole batch. */
  readonly line?: string;
  /** The line in the batch file has changed since it was sent. */
  readonly isChanged: boolean;
}

/** Facts about the run, apart from its results. */
export interface ResultsHead {
  /** The user's name for it. */
  readonly name: string;
  /** Localized: which of the runs of its batch file it is. Missing if there is only one. */
  readonly runs?: string;
  /** Localized: batch, model, number of requests. */
  readonly facts: string;
  readonly factsHint: string;
  /** Empty if the progress of the run is unknown. */
  readonly phases: readonly ResultsPhase[];
  readonly notices: readonly ResultsNotice[];
  readonly faults: readonly ResultsFault[];
  /** Localized. Set while there are no results: why, and when to expect them. */
  readonly waiting?: string;
}

export interface ResultsGroup {
  readonly group: number;
  /** The service's code and message. */
  readonly text: string;
  /** Localized number. */
  readonly count: string;
  /** The row of the group's first failure. */
  readonly row: number;
}

export interface ResultsRetry {
  /** Localized. */
  readonly label: string;
  /** Localized: the same in one word and the number, for a narrow page. */
  readonly short: string;
  /** `unanswered`: those without any response. */
  readonly which: (typeof retriedStates)[number] | 'unanswered';
}

/** Summary of the results once they have been read. Numbers are localized texts. */
export interface ResultsSummary {
  readonly counts: readonly { readonly tab: ResultsTab; readonly count: number; readonly text: string }[];
  readonly groups: readonly ResultsGroup[];
  /** By tab, for tabs with requests to retry: label and scope of the main action. */
  readonly retry: Readonly<Partial<Record<ResultsTab, ResultsRetry>>>;
  /** Localized: tokens and similar figures. */
  readonly facts: string;
  readonly notices: readonly ResultsNotice[];
  readonly hasInput: boolean;
  readonly columns: ResultsColumns;
  /** Localized number of answers that are not as expected; absent if nothing is expected. */
  readonly unexpected?: string;
  /** The run that this one is compared with: its localized name, and the localized number of answers that differ. */
  readonly reference?: { readonly label: string; readonly different: string };
}

/** A column that the table can show. */
export interface ResultsColumn {
  readonly id: string;
  readonly group: 'run' | 'source' | 'response' | 'reference';
  /** Localized for the group `run`, else as in the table or the responses. */
  readonly label: string;
  readonly isNumber: boolean;
  /** Localized share of rows that have a value; empty if all have one. */
  readonly share: string;
}

export interface ResultsColumns {
  readonly all: readonly ResultsColumn[];
  /** The ids of those shown unless others are chosen. */
  readonly defaults: readonly string[];
  /** The name of the batch file's source table, if it is known. */
  readonly source?: string;
}

/** The columns of a table as someone arranged them. */
export interface ResultsLayout {
  /** The ids of the columns shown, in order; `null` for the defaults. */
  readonly columns: readonly string[] | null;
  /** In pixels, by column. */
  readonly widths: Readonly<Record<string, number>>;
}

/** The heading of a group of rows. Texts are localized, except for the value. */
export interface ResultsHeading {
  readonly value: string;
  /** In place of an empty value. */
  readonly label: string;
  readonly facts: string;
  readonly isClosed: boolean;
}

export interface ResultsCell {
  readonly text: string;
  /** In the column of the reference run: its answer, if that differs. */
  readonly before?: string;
  /** Whether the answer is as expected. */
  readonly isAsExpected?: boolean;
}

export interface ResultsTableRow {
  /** Identifies the row, whatever the filter and sort order. Negative for a heading. */
  readonly row: number;
  readonly heading?: ResultsHeading;
  /** The cells of further columns by their ids. */
  readonly cells: Readonly<Record<string, ResultsCell>>;
  readonly customId: string;
  readonly state: Exclude<ResultsTab, 'all'>;
  readonly request: string;
  readonly answer: string;
  /** `muted`: `answer` explains why there is no answer. */
  readonly tone: 'plain' | 'failed' | 'muted';
  readonly tokens: string;
}

/** One text of a request or an answer, with a localized note on what was cut off. */
export interface ResultsText {
  readonly label: string;
  readonly text: string;
  readonly cut?: string;
}

/** A request and its result, as far as the page shows them. Everything is text of the files unless marked as localized. */
export interface ResultsDetails {
  readonly row: number;
  /** Line of the input, from 0. */
  readonly line?: number;
  readonly customId: string;
  readonly state: Exclude<ResultsTab, 'all'>;
  readonly messages: readonly ResultsText[];
  /** Localized note, set if messages after the first `shownFirst` are omitted. */
  readonly omitted?: string;
  readonly shownFirst: number;
  /** In Markdown. */
  readonly answers: readonly ResultsText[];
  /** Output other than the answers: reasoning, refusals, tool calls. Plain text. */
  readonly beside: readonly ResultsText[];
  /** The result as JSON. */
  readonly raw: ResultsText;
  /** The line of the request as JSON; empty if it is not known. */
  readonly rawRequest: ResultsText;
  readonly failure?: string;
  /** If there were several attempts, oldest first: which one, when, and its outcome. Localized. */
  readonly attempts: readonly { readonly name: string; readonly value: string }[];
  /** The group of its failure, if it failed. */
  readonly group?: number;
  /** Names are localized. */
  readonly facts: readonly { readonly name: string; readonly value: string }[];
  /** The fields of its row in the table that the batch file was made from. */
  readonly source: readonly { readonly name: string; readonly value: string }[];
  /** Whether the answer is as expected, and the localized sentence about it. */
  readonly expected?: { readonly isMet: boolean; readonly text: string };
  /** Localized note on the result as a whole, if any. */
  readonly note?: string;
  readonly parameters: readonly { readonly name: string; readonly value: string }[];
}

export const resultsCalls = {
  'results/ready': call(
    nothing,
    returns<{ readonly resultsId: string; readonly head: ResultsHead; readonly layout: ResultsLayout }>(),
  ),
  /**
   * Reads the results, if there are any, unless they have been read already; with `again`, always. Reading continues when the page
   * closes.
   */
  'results/load': call(
    z.strictObject({ again: z.boolean() }),
    returns<{ readonly summary?: ResultsSummary }, { readonly part: number; readonly text: string }>(),
  ),
  /** Stops reading: the results read so far are shown. */
  'results/stop': call(nothing),
  /** Resolves with the number of rows and headings shown. While searching, chunks report the number of matches; texts are localized. */
  'results/arrange': call(
    choice,
    returns<
      { readonly count: number; readonly text: string },
      { readonly part: number; readonly count: number; readonly text: string }
    >(),
  ),
  /** Returns rows of the current list, starting at index `from`. */
  'results/rows': call(
    z.strictObject({ from: whole, count: z.int().check(z.nonnegative(), z.maximum(200)), columns: columnIds }),
    returns<{ readonly rows: readonly ResultsTableRow[] }>(),
  ),
  /** Resolves with the index of a row in the current list; absent if the row is not listed. */
  'results/find': call(ofRow, returns<{ readonly index?: number }>()),
  /** Resolves to the row of a custom_id, preferring `row` if it has that ID. Missing if there is none. */
  'results/rowOf': call(
    z.strictObject({ row: whole, customId: z.string().check(z.maxLength(20_000)) }),
    returns<{ readonly row?: number }>(),
  ),
  'results/details': call(ofRow, returns<ResultsDetails>()),
  /** Opens the input in the editor at the row's line. */
  'results/goTo': call(ofRow),
  /** Opens the input at the line of a fault; `fault` is its index in the list. */
  'results/goToFault': call(z.strictObject({ fault: whole })),
  /** Copies the whole answer or error. */
  'results/copy': call(ofRow),
  'results/copyText': call(z.strictObject({ text: z.string().check(z.maxLength(10_000_000)) })),
  /** Opens a web or mail address outside the editor, and no other. */
  'results/openLink': call(z.strictObject({ url: z.string().check(z.maxLength(10_000)) })),
  /** Asks for the format, the target file, and whether to export everything or only the current selection. */
  'results/export': call(z.strictObject({ choice, columns: columnIds })),
  /** Copies the rows shown as tab-separated values; resolves with a localized text about it. */
  'results/copyRows': call(z.strictObject({ columns: columnIds }), returns<{ readonly text: string }>()),
  /** Remembers the columns for the results of this batch file. */
  'results/layout': call(resultsLayout),
  /** Opens the confirmation for retrying these requests; with `group`, only those that failed for that reason. */
  'results/retry': call(
    z.strictObject({ which: z.union([z.enum([...retriedStates, 'unanswered']), z.strictObject({ group: whole })]) }),
  ),
  /** Asks for the run to compare the answers with, in a column; without `choose`, ends the comparison. The page must load again. */
  'results/reference': call(z.strictObject({ choose: z.boolean() }), returns<{ readonly isChanged: boolean }>()),
  /** Asks for another run of the batch file, and opens it. */
  'results/otherRun': call(nothing),
  /** Asks which requests to run again with which changes. */
  'results/runAgain': call(choice),
  'results/compare': call(nothing),
  /** Runs an action of a notice. */
  'results/act': call(z.strictObject({ id: z.string().check(z.maxLength(200)) })),
};

export interface BatchResultsScreen {
  readonly state: ResultsChoice & {
    /** Identifies the run to the host after a reload. */
    readonly resultsId: string;
    /** Found again by `customId`, because other results may have it in a different row. */
    readonly selected: { readonly row: number; readonly customId: string } | null;
  };
  readonly calls: CallsOf<typeof resultsCalls>;
  readonly events: {
    readonly 'results/head': ResultsHead;
    /** The files have changed; the page must read them again. */
    readonly 'results/stale': Record<never, never>;
    /** The page should show this row of the run. */
    readonly 'results/reveal': { readonly row: number };
  };
}
