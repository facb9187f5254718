import type { ResultDetails, ResultState } from '../resultsView';

/**
 * How two runs of one request compare. `onlyA`: the other has no answer, be it that it failed or that it is missing.
 * `neither`: both failed, or one failed and the other is missing.
 */
export type PairState = 'same' | 'different' | 'onlyA' | 'onlyB' | 'neither';

export interface ComparisonOptions {
  /** Answers that differ in white space and case only are the same. */
  readonly isLoose: boolean;
}

export interface ComparisonView extends ComparisonOptions {
  readonly state: PairState | 'all';
  /** Looked for in ids, requests and both answers, whatever its case; empty: everything. */
  readonly query: string;
  readonly sort: 'line' | 'customId' | 'state';
  readonly descending: boolean;
}

export interface ComparisonSummary {
  /** Ids that either run knows. */
  readonly pairs: number;
  readonly same: number;
  readonly different: number;
  readonly onlyA: number;
  readonly onlyB: number;
  readonly neither: number;
  /** Of the pairs that both answered: how many are the same, 0 to 1; `undefined` where there is none. */
  readonly agreement?: number;
}

export interface ComparisonRow {
  /** By which `details` finds it. */
  readonly row: number;
  /** Of the input of run A, from 0. */
  readonly line?: number;
  readonly customId: string;
  readonly state: PairState;
  readonly request: string;
  /** The beginnings of both answers, or of their errors; empty where one is missing. */
  readonly a: string;
  readonly b: string;
  /** `none`: the run does not know this id. */
  readonly stateA: ResultState | 'none';
  readonly stateB: ResultState | 'none';
}

/** A piece of both answers. `same` is in both, `a` and `b` in one of them only. */
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
  /** Word by word, of the answers as they are compared (JSON with sorted members, indented); empty where one is missing. */
  readonly diff: readonly DiffPiece[];
  /** So many characters of longer answers are not in `diff`. */
  readonly uncompared: { readonly a: number; readonly b: number };
}
