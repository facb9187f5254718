import * as z from 'zod/mini';
import type { ResultsNotice, ResultsText } from './batchResults';
import { call, returns, type Accepted, type CallsOf } from './call';

const nothing = z.strictObject({});
const whole = z.int().check(z.nonnegative());
const ofRow = z.strictObject({ row: whole });

/** Which pairs of answers are shown, and how they are sorted. */
const choice = z.strictObject({
  tab: z.enum(['all', 'same', 'different', 'onlyA', 'onlyB', 'neither']),
  /** Empty to show all. */
  query: z.string().check(z.maxLength(1000)),
  sort: z.enum(['line', 'customId', 'state']),
  descending: z.boolean(),
  /** Whether answers that differ only in white space and case count as the same. */
  isLoose: z.boolean(),
});
export type CompareChoice = Accepted<typeof choice>;
export type PairTab = CompareChoice['tab'];
export type CompareSort = CompareChoice['sort'];

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

export const compareCalls = {
  'compare/ready': call(
    nothing,
    returns<{ readonly compareId: string; readonly a: ComparedRun; readonly b: ComparedRun }>(),
  ),
  /** Reads both runs unless they have been read already; with `again`, always. The facts are then complete. */
  'compare/load': call(
    z.strictObject({ again: z.boolean() }),
    returns<{ readonly a: ComparedRun; readonly b: ComparedRun }, { readonly part: number; readonly text: string }>(),
  ),
  /** Stops reading; nothing is compared then. */
  'compare/stop': call(nothing),
  /** Resolves with the number of pairs shown and with all counts, because these depend on what counts as the same. */
  'compare/arrange': call(
    choice,
    returns<
      { readonly count: number; readonly text: string; readonly summary: CompareSummary },
      { readonly part: number; readonly count: number; readonly text: string }
    >(),
  ),
  'compare/rows': call(
    z.strictObject({ from: whole, count: z.int().check(z.nonnegative(), z.maximum(200)) }),
    returns<{ readonly rows: readonly CompareRow[] }>(),
  ),
  /** Resolves with the index of a row in the current list; absent if the row is not listed. */
  'compare/find': call(ofRow, returns<{ readonly index?: number }>()),
  'compare/details': call(ofRow, returns<CompareDetails>()),
  /** Opens the input in the editor at the pair's line. */
  'compare/goTo': call(ofRow),
  'compare/export': call(choice),
};

export interface BatchCompareScreen {
  readonly state: CompareChoice & {
    /** Identifies the two runs to the host after a reload. */
    readonly compareId: string;
    readonly selected: number | null;
  };
  readonly calls: CallsOf<typeof compareCalls>;
  readonly events: Record<never, never>;
}
