import type { BatchCompareStrings } from './batchCompareStrings';
import type { ResultsNotice, ResultsText } from './batchResults';
import type { Call } from './call';

export type PairTab = 'all' | 'same' | 'different' | 'onlyA' | 'onlyB' | 'neither';
export type CompareSort = 'line' | 'customId' | 'state';

/** Which pairs of answers are shown, and in which order. */
export interface CompareChoice {
  readonly tab: PairTab;
  /** Empty: everything. */
  readonly query: string;
  readonly sort: CompareSort;
  readonly descending: boolean;
  /** Answers that differ in white space and case only are the same. */
  readonly isLoose: boolean;
}

/** One of the two runs. Worded. */
export interface ComparedRun {
  readonly name: string;
  readonly facts: string;
}

/** Numbers are worded. */
export interface CompareSummary {
  readonly counts: readonly { readonly tab: PairTab; readonly count: number; readonly text: string }[];
  /** How often both say the same. */
  readonly agreement: string;
  readonly notices: readonly ResultsNotice[];
}

export interface CompareRow {
  readonly row: number;
  readonly customId: string;
  readonly state: Exclude<PairTab, 'all'>;
  readonly request: string;
  readonly a: CompareCell;
  readonly b: CompareCell;
}

/** `muted`: words in place of an answer. */
export interface CompareCell {
  readonly text: string;
  readonly tone: 'plain' | 'failed' | 'muted';
}

/** One answer of a pair. */
export interface CompareSide {
  /** `differs`: not in the other answer. */
  readonly pieces: readonly { readonly text: string; readonly differs: boolean }[];
  /** Worded; set where there is more than is compared word by word. */
  readonly cut?: string;
  readonly tone: CompareCell['tone'];
  readonly facts: readonly { readonly name: string; readonly value: string }[];
}

/** A pair of answers, as much of them as is shown. */
export interface CompareDetails {
  readonly row: number;
  /** Of the input, from 0. */
  readonly line?: number;
  readonly customId: string;
  readonly state: Exclude<PairTab, 'all'>;
  readonly messages: readonly ResultsText[];
  readonly a: CompareSide;
  readonly b: CompareSide;
}

export interface BatchCompareScreen {
  readonly state: CompareChoice & {
    /** By which the host knows the two runs again. */
    readonly compareId: string;
    readonly selected: number | null;
  };
  readonly strings: BatchCompareStrings;
  readonly calls: {
    readonly 'compare/ready': Call<
      Record<never, never>,
      { readonly compareId: string; readonly a: ComparedRun; readonly b: ComparedRun }
    >;
    /** Reads both runs unless they were read; `again`: in any case. */
    readonly 'compare/load': Call<
      { readonly again: boolean },
      Record<never, never>,
      { readonly part: number; readonly text: string }
    >;
    /** Ends the reading; nothing is compared then. */
    readonly 'compare/stop': Call<Record<never, never>, Record<never, never>>;
    /** Resolves with how many pairs are shown, and with all counts: they change with what counts as the same. */
    readonly 'compare/arrange': Call<
      CompareChoice,
      { readonly count: number; readonly text: string; readonly summary: CompareSummary },
      { readonly part: number; readonly count: number; readonly text: string }
    >;
    readonly 'compare/rows': Call<
      { readonly from: number; readonly count: number },
      { readonly rows: readonly CompareRow[] }
    >;
    /** Where a row is shown; absent where it is not. */
    readonly 'compare/find': Call<{ readonly row: number }, { readonly index?: number }>;
    readonly 'compare/details': Call<{ readonly row: number }, CompareDetails>;
    /** Opens the input in the editor, at the pair's line. */
    readonly 'compare/goTo': Call<{ readonly row: number }, Record<never, never>>;
    readonly 'compare/export': Call<CompareChoice, Record<never, never>>;
  };
  readonly events: Record<never, never>;
}
