import type { ResultDetails, ResultState } from '../resultsView';

/**
 * How the results of one request in two runs compare. `onlyA`: the other run has no answer because it failed or is missing.
 * `neither`: in each run, it failed or is missing.
 */
export type PairState = 'same' | 'different' | 'onlyA' | 'onlyB' | 'neither';

export interface ComparisonView {
  /** Answers that differ only in white space and case count as the same. */
  readonly isLoose: boolean;
  readonly state: PairState | 'all';
  /** Searched for in ids, requests and both answers, ignoring case; empty matches everything. */
  readonly query: string;
  readonly sort: 'line' | 'customId' | 'state';
  readonly descending: boolean;
}

export interface ComparisonSummary {
  /** The number of ids in either run. */
  readonly pairs: number;
  readonly same: number;
  readonly different: number;
  readonly onlyA: number;
  readonly onlyB: number;
  readonly neither: number;
  /** Of the pairs that both runs answered: the share that is the same, 0 to 1; `undefined` if there are none. */
  readonly agreement?: number;
}

export interface ComparisonRow {
  /** Identifies the row for `details`. */
  readonly row: number;
  /** The zero-based line in the input of run A. */
  readonly line?: number;
  readonly customId: string;
  readonly state: PairState;
  readonly request: string;
  /** The beginnings of both answers, or of their errors; empty if one is missing. */
  readonly a: string;
  readonly b: string;
  /** `none`: the run does not have this id. */
  readonly stateA: ResultState | 'none';
  readonly stateB: ResultState | 'none';
}

/** A piece of the answers. `same` is in both, `a` and `b` are in only one of them. */
export interface DiffPiece {
  readonly kind: 'same' | 'a' | 'b';
  readonly text: string;
}

export interface ComparisonDetails {
  readonly row: number;
  readonly customId: string;
  readonly state: PairState;
  readonly a?: ResultDetails;
  readonly b?: ResultDetails;
  /** Word by word, of the answers as they are compared (JSON indented with sorted members); empty if one is missing. */
  readonly diff: readonly DiffPiece[];
  /** The number of characters of longer answers that are not in `diff`. */
  readonly uncompared: { readonly a: number; readonly b: number };
}
