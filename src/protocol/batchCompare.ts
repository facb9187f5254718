import * as z from 'zod/mini';
import { resultsLayout, type ResultsColumns, type ResultsHeading, type ResultsLayout } from './batchResults';
import type { ResultsNotice, ResultsText } from './batchResults';
import { call, returns, type Accepted, type CallsOf } from './call';

const nothing = z.strictObject({});
const whole = z.int().check(z.nonnegative());
const ofRow = z.strictObject({ row: whole });
const ofRun = z.strictObject({ run: whole });
const columnId = z.string().check(z.maxLength(500));
const columnIds = z.array(columnId).check(z.maxLength(400));

/** Which rows are shown, and how they are sorted. */
const choice = z.strictObject({
  /** The number of the run that the others are compared with. */
  reference: whole,
  /** The id of the column that is compared; `null` for the usual one. */
  by: z.nullable(columnId),
  tab: z.enum(['all', 'changed', 'worse', 'better', 'unanswered', 'same']),
  /** Empty to show all. */
  query: z.string().check(z.maxLength(1000)),
  sort: columnId,
  descending: z.boolean(),
  /** Whether answers that differ only in white space and case count as the same. */
  isLoose: z.boolean(),
  /** The id of the column whose values group the rows; `null` for none. */
  groupBy: z.nullable(columnId),
  /** The values whose groups are closed. */
  closed: z.array(z.string().check(z.maxLength(1000))).check(z.maxLength(2000)),
});
export type CompareChoice = Accepted<typeof choice>;
export type CompareTab = CompareChoice['tab'];

/** One of the runs. Texts are localized. */
export interface ComparedRun {
  readonly letter: string;
  /** The model, or else the name of the run. */
  readonly name: string;
  /** Its batch file, how it ran, and when. */
  readonly facts: string;
  readonly hint: string;
  readonly cost: string;
  readonly costHint: string;
  /** Empty until the results have been read. */
  readonly tokens: string;
}

/** A share with its interval. `text` is localized, the others are from 0 to 1. */
export interface ComparedRate {
  readonly text: string;
  readonly hint: string;
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
}

/** Counts of the comparison. Texts are localized. */
export interface CompareSummary {
  readonly counts: readonly { readonly tab: CompareTab; readonly count: number; readonly text: string }[];
  readonly facts: string;
  /** By run. `difference` is empty for the reference run. */
  readonly runs: readonly {
    readonly answered: string;
    readonly rate?: ComparedRate;
    readonly difference: string;
  }[];
  readonly notices: readonly ResultsNotice[];
}

export interface CompareRow {
  /** Negative for a heading. */
  readonly row: number;
  readonly heading?: ResultsHeading;
  readonly customId: string;
  readonly state: Exclude<CompareTab, 'all' | 'better' | 'worse'>;
  readonly request: string;
  /** By the id of the column, followed by `@` and the number of the run if it has a value in each. */
  readonly cells: Readonly<Record<string, CompareCell>>;
}

/** With the tone `muted`, `text` explains why there is no answer. */
export interface CompareCell {
  readonly text: string;
  readonly tone: 'plain' | 'failed' | 'muted';
  /** Whether it differs from that of the reference run. */
  readonly isChanged: boolean;
  readonly isAsExpected?: boolean;
}

/** The answer of one run. */
export interface CompareSide {
  /** `differs`: the piece is not in the answer it is compared with. */
  readonly pieces: readonly { readonly text: string; readonly differs: boolean }[];
  /** Localized note, set if the answer is too long to be compared word by word to its end. */
  readonly cut?: string;
  readonly tone: CompareCell['tone'];
  readonly isAsExpected?: boolean;
  readonly facts: readonly { readonly name: string; readonly value: string }[];
}

/** The answers of all runs to a request, as far as the page shows them. */
export interface CompareDetails {
  readonly row: number;
  /** Line of the input, from 0. */
  readonly line?: number;
  readonly customId: string;
  readonly state: CompareRow['state'];
  readonly messages: readonly ResultsText[];
  /** The fields of its row in the table that the batch file was made from. */
  readonly source: readonly { readonly name: string; readonly value: string }[];
  readonly sides: readonly CompareSide[];
}

export const compareCalls = {
  'compare/ready': call(
    nothing,
    returns<{
      readonly compareId: string;
      readonly runs: readonly ComparedRun[];
      readonly layout: ResultsLayout;
      /** Whether fewer runs are compared than can be. */
      readonly canAddRuns: boolean;
    }>(),
  ),
  /** Reads all runs unless they have been read already; with `again`, always. What is known of the runs is then complete. */
  'compare/load': call(
    z.strictObject({ again: z.boolean() }),
    returns<
      {
        readonly runs: readonly ComparedRun[];
        readonly columns: ResultsColumns;
        /** The id of the column that is compared unless another one is chosen. */
        readonly by: string;
      },
      { readonly part: number; readonly text: string }
    >(),
  ),
  /** Stops reading; nothing is compared then. */
  'compare/stop': call(nothing),
  /** Resolves with the number of rows and headings shown and with all counts, because these depend on what counts as the same. */
  'compare/arrange': call(
    choice,
    returns<
      { readonly count: number; readonly text: string; readonly summary: CompareSummary },
      { readonly part: number; readonly count: number; readonly text: string }
    >(),
  ),
  'compare/rows': call(
    z.strictObject({ from: whole, count: z.int().check(z.nonnegative(), z.maximum(200)), columns: columnIds }),
    returns<{ readonly rows: readonly CompareRow[] }>(),
  ),
  /** Resolves with the index of a row in the current list; absent if the row is not listed. */
  'compare/find': call(ofRow, returns<{ readonly index?: number }>()),
  'compare/details': call(ofRow, returns<CompareDetails>()),
  /** Opens the input in the editor at the row's line. */
  'compare/goTo': call(ofRow),
  'compare/export': call(z.strictObject({ choice, columns: columnIds })),
  /** Remembers the columns of comparisons of this batch file. */
  'compare/layout': call(resultsLayout),
  /** Asks for further runs; the page must start again if there are others now. */
  'compare/addRuns': call(nothing, returns<{ readonly isChanged: boolean }>()),
  /** Opens the results of a run. */
  'compare/openRun': call(ofRun),
  /** Asks which requests of a run to run again with which changes. */
  'compare/runAgain': call(ofRun),
};

export interface BatchCompareScreen {
  readonly state: CompareChoice & {
    /** Identifies the runs to the host after a reload. */
    readonly compareId: string;
    readonly selected: number | null;
  };
  readonly calls: CallsOf<typeof compareCalls>;
  readonly events: Record<never, never>;
}
