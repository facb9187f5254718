import type { Estimate } from '../../../evals/statistics/passFail';
import type { ColumnGroup } from '../columns';
import type { ResultDetails, ResultState, RowsHeading } from '../resultsView';

/** More runs than this are not compared. */
export const mostComparedRuns = 9;

/**
 * How the results of one request compare. `changed`: a run answered differently than the reference run. `unanswered`: none did, and not all
 * runs answered.
 */
export type ComparedState = 'changed' | 'unanswered' | 'same';

export interface ComparisonView {
  /** The number of the run that the others are compared with. */
  readonly reference: number;
  /** The column that is compared: `run:answer` for entire answers, or a property of answers that are JSON objects. */
  readonly by: string;
  /** Answers that differ only in white space and case count as the same. */
  readonly isLoose: boolean;
  /** `worse`: the answer of the reference run is as expected and that of another run is not. `better`: the opposite. */
  readonly state: ComparedState | 'worse' | 'better' | 'all';
  /** Searched for in ids, requests and all answers, ignoring case, or as `name:text` in one column; empty matches everything. */
  readonly query: string;
  /** The id of a column, or one from `runColumn`. */
  readonly sort: string;
  readonly descending: boolean;
  /** The column whose values group the rows. */
  readonly groupBy?: string;
  /** The values whose groups are closed. */
  readonly closed?: readonly string[];
}

/** Returns the letter by which a run is called. */
export function runLetter(run: number): string {
  return String.fromCodePoint(65 + run);
}

/** Returns the id of the column that shows a column of one of the runs. */
export function runColumn(id: string, run: number): string {
  return `${id}@${run}`;
}

/** A run, compared with the reference run. */
export interface ComparedCounts {
  readonly answered: number;
  /** Answers that differ from those of the reference run, and those that do not. */
  readonly changed: number;
  readonly same: number;
  /** The share of its answers that are as expected, with its 95 % interval; `undefined` if none could be checked. */
  readonly expected?: Estimate;
  /** On the rows that both runs answered: how many more are as expected than in the reference run. */
  readonly difference?: Estimate & { readonly better: number; readonly worse: number };
}

export interface ComparisonSummary extends Readonly<Record<ComparedState, number>> {
  /** The number of ids in any run. */
  readonly rows: number;
  readonly answeredByAll: number;
  /** `undefined` if the answers of the reference run could not be checked. */
  readonly better?: number;
  readonly worse?: number;
  readonly runs: readonly ComparedCounts[];
}

/** A column that the comparison can show. Those of the groups `run` and `response` have a value in each run. */
export interface ComparisonColumns {
  readonly all: readonly {
    readonly id: string;
    readonly group: ColumnGroup;
    readonly label: string;
    readonly isNumber: boolean;
    readonly share: number;
  }[];
  readonly defaults: readonly string[];
  /** The name of the table that the batch file was made from. */
  readonly source?: string;
  /** The column to compare unless another one is chosen. */
  readonly by: string;
}

export interface ComparedCell {
  readonly text: string;
  /** Set for the value of a run. `none`: the run does not have this id. */
  readonly state?: ResultState | 'none';
  /** Whether the value differs from that of the reference run. */
  readonly isChanged?: boolean;
  readonly isAsExpected?: boolean;
}

export interface ComparisonRow {
  /** Identifies the row for `details`. Negative for a heading. */
  readonly row: number;
  /** Set if this is the heading of a group in place of a row. */
  readonly heading?: RowsHeading;
  readonly customId: string;
  readonly state: ComparedState;
  readonly request: string;
  /** By the id of the column; those of runs by `runColumn`. */
  readonly cells: Readonly<Record<string, ComparedCell>>;
}

/** A piece of two answers. `same` is in both, `a` and `b` are in only one of them. */
export interface DiffPiece {
  readonly kind: 'same' | 'a' | 'b';
  readonly text: string;
}

/** The answer of one run. */
export interface ComparedAnswer {
  /** `undefined` if the run does not have this id. */
  readonly details?: ResultDetails;
  /**
   * The answer in the form for comparison (JSON indented with sorted properties), word by word. Empty if it is missing. `differs`: the
   * piece isn't in the answer of the reference run, or, in that run, not in the answer of the only other one.
   */
  readonly pieces: readonly { readonly text: string; readonly differs: boolean }[];
  /** The number of characters of a longer answer that are not in `pieces`. */
  readonly uncompared: number;
  readonly isAsExpected?: boolean;
}

export interface ComparisonDetails {
  readonly row: number;
  readonly customId: string;
  readonly state: ComparedState;
  readonly answers: readonly ComparedAnswer[];
}
