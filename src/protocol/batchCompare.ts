import type { ResultsNotice, ResultsText } from './batchResults';
import type { Call } from './call';

export type PairTab = 'all' | 'same' | 'different' | 'onlyA' | 'onlyB' | 'neither';
export type CompareSort = 'line' | 'customId' | 'state';

/** Which pairs of answers are shown, and how they are sorted. */
export interface CompareChoice {
  readonly tab: PairTab;
  /** Empty to show all. */
  readonly query: string;
  readonly sort: CompareSort;
  readonly descending: boolean;
  /** Whether answers that differ only in white space and case count as the same. */
  readonly isLoose: boolean;
}

/** One of the two runs. Texts are localized. */
export interface ComparedRun {
  readonly name: string;
  readonly facts: string;
}

/** Counts of the comparison. Texts are localized. */
export interface CompareSummary {
  readonly counts: readonly { readonly tab: PairTab; readonly count: number; readonly text: string }[];
  /** How often both answers are the same. */
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

/** With the tone `muted`, `text` explains why there is no answer. */
export interface CompareCell {
  readonly text: string;
  readonly tone: 'plain' | 'failed' | 'muted';
}

/** One answer of a pair. */
export interface CompareSide {
  /** `differs`: the piece is not in the other answer. */
  readonly pieces: readonly { readonly text: string; readonly differs: boolean }[];
  /** Localized note, set if the answer is too long to be compared word by word to its end. */
  readonly cut?: string;
  readonly tone: CompareCell['tone'];
  readonly facts: readonly { readonly name: string; readonly value: string }[];
}

/** A pair of answers, as far as the page shows them. */
export interface CompareDetails {
  readonly row: number;
  /** Line of the input, from 0. */
  readonly line?: number;
  readonly customId: string;
  readonly state: Exclude<PairTab, 'all'>;
  readonly messages: readonly ResultsText[];
  readonly a: CompareSide;
  readonly b: CompareSide;
}

export interface BatchCompareScreen {
  readonly state: CompareChoice & {
    /** Identifies the two runs to the host after a reload. */
    readonly compareId: string;
    readonly selected: number | null;
  };
  readonly calls: {
    readonly 'compare/ready': Call<
      Record<never, never>,
      { readonly compareId: string; readonly a: ComparedRun; readonly b: ComparedRun }
    >;
    /** Reads both runs unless they have been read already; with `again`, always. */
    readonly 'compare/load': Call<
      { readonly again: boolean },
      Record<never, never>,
      { readonly part: number; readonly text: string }
    >;
    /** Stops reading; nothing is compared then. */
    readonly 'compare/stop': Call<Record<never, never>, Record<never, never>>;
    /** Resolves with the number of pairs shown and with all counts, because these depend on what counts as the same. */
    readonly 'compare/arrange': Call<
      CompareChoice,
      { readonly count: number; readonly text: string; readonly summary: CompareSummary },
      { readonly part: number; readonly count: number; readonly text: string }
    >;
    readonly 'compare/rows': Call<
      { readonly from: number; readonly count: number },
      { readonly rows: readonly CompareRow[] }
    >;
    /** Resolves with the index of a row in the current list; absent if the row is not listed. */
    readonly 'compare/find': Call<{ readonly row: number }, { readonly index?: number }>;
    readonly 'compare/details': Call<{ readonly row: number }, CompareDetails>;
    /** Opens the input in the editor at the pair's line. */
    readonly 'compare/goTo': Call<{ readonly row: number }, Record<never, never>>;
    readonly 'compare/export': Call<CompareChoice, Record<never, never>>;
  };
  readonly events: Record<never, never>;
}
