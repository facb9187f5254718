import * as z from 'zod/mini';
import { call, returns, type Accepted, type CallsOf } from './call';
import type { WireAction, WireError } from './wire';

const id = z.string().check(z.maxLength(64));

/** How two variants compare. `rate`: there is nothing to compare with. `none`: nothing is graded yet. */
export type EvalVerdict = 'better' | 'worse' | 'notWorse' | 'cantTell' | 'rate' | 'none';

/** A note above the verdict: what is incomplete or damaged, and what to do. Texts are localized. */
export interface EvalNotice {
  readonly tone: 'error' | 'warning' | 'info';
  readonly title: string;
  readonly detail: string;
  readonly actions: readonly WireAction[];
}

/** A rate with its interval. Localized; `rate` is empty without a result. */
export interface EvalRate {
  readonly rate: string;
  readonly interval: string;
  /** Exact counts. */
  readonly hint: string;
}

export interface EvalVariantRow {
  readonly id: string;
  /** "A", "B", …; empty for the accepted baseline. */
  readonly letter: string;
  readonly label: string;
  /** "reference" or "baseline", if it is one. */
  readonly role: string;
  readonly pass: EvalRate;
  /** In the order of `graders`. */
  readonly graders: readonly EvalRate[];
  /** Charged per 1,000 rows; empty if unknown. */
  readonly price: string;
  /** Whether it can become the baseline. */
  readonly canAccept: boolean;
}

/** The difference of the candidate to the reference. Shares, as the plot draws them. */
export interface EvalPlot {
  readonly difference: number;
  readonly low: number;
  readonly high: number;
  /** A difference that doesn't matter, drawn as a second mark. */
  readonly margin?: number;
  readonly caption: string;
}

/** A row of the table, as it is listed next to the verdict. */
export interface EvalRegression {
  /** Index of the row in the eval. */
  readonly row: number;
  readonly name: string;
  readonly input: string;
  /** The responses of reference and candidate; the first is empty for a baseline, which has only scores. */
  readonly before: string;
  readonly after: string;
  /** Names of the graders that fail the candidate. */
  readonly failed: string;
}

/** Everything that the verdict shows. Texts are localized. */
export interface EvalView {
  /** Identifies the page to the host after a reload. */
  readonly pageId: string;
  readonly title: string;
  readonly facts: readonly string[];
  readonly stage: 'none' | 'running' | 'waiting' | 'interrupted' | 'done';
  /** Set until all responses are here. */
  readonly progress?: string;
  readonly notices: readonly EvalNotice[];
  /** What can be compared with what, if there is a choice. */
  readonly references: readonly { readonly id: string; readonly label: string }[];
  readonly candidates: readonly { readonly id: string; readonly label: string }[];
  readonly reference: string;
  readonly candidate: string;
  readonly verdict: EvalVerdict;
  readonly sentence: string;
  readonly line: string;
  readonly plot?: EvalPlot;
  /** What it takes to tell: the difference, more rows, and their price. */
  readonly needs: readonly { readonly goal: string; readonly rows: string; readonly price: string }[];
  readonly primary?: WireAction;
  readonly secondary: readonly WireAction[];
  readonly graders: readonly { readonly name: string; readonly isJudged: boolean }[];
  readonly variants: readonly EvalVariantRow[];
  /** The differences of the candidate to the reference, in the order of `graders`. */
  readonly differences?: { readonly label: string; readonly graders: readonly EvalRate[] };
  readonly regressions: {
    readonly title: string;
    readonly detail: string;
    readonly rows: readonly EvalRegression[];
    /** How many more there are; empty if none. */
    readonly more: string;
  };
  /** What a judge says of pairs of responses, with the signs of its biases; empty if it compared none. */
  readonly preferences: readonly string[];
  /** How far results can be trusted, such as rows that differ between repeats. */
  readonly checks: readonly { readonly name: string; readonly value: string }[];
  /** Results that are missing or not graded, by variant and reason. */
  readonly missing: readonly { readonly name: string; readonly value: string }[];
  readonly judge?: { readonly text: string; readonly action: string };
  readonly foot: string;
}

const group = z.enum(['regressions', 'improvements', 'bothFailed', 'missing', 'bothPassed']);
/** What became of a row with the two variants. With one variant: failed, passed, or missing. */
export type EvalGroup = z.infer<typeof group>;

/** `none`: the row doesn't have the grader. */
export type EvalMark = 'pass' | 'fail' | 'missing' | 'none';

const whole = z.int().check(z.nonnegative());
const ofRow = z.strictObject({ row: whole });

/** Which rows the table shows. */
const choice = z.strictObject({
  group: z.enum([...group.options, 'all']),
  /** Name of a grader: only rows that it fails. */
  failedBy: z.nullable(z.string().check(z.maxLength(1000))),
  query: z.string().check(z.maxLength(1000)),
  isGrouped: z.boolean(),
  closed: z.array(group),
});
export type EvalChoice = Accepted<typeof choice>;

export interface EvalTableSummary {
  readonly counts: readonly {
    readonly group: EvalChoice['group'];
    readonly label: string;
    readonly count: string;
  }[];
  readonly graders: readonly string[];
  /** The baseline has no responses, only results. */
  readonly blocks: readonly { readonly letter: string; readonly label: string; readonly hasResponses: boolean }[];
  readonly hasExpected: boolean;
}

/** A row of the table, or the heading of a group, whose `row` is negative. */
export interface EvalTableRow {
  readonly row: number;
  readonly heading?: {
    readonly group: EvalGroup;
    readonly label: string;
    readonly facts: string;
    readonly isClosed: boolean;
  };
  readonly name: string;
  readonly input: string;
  readonly expected: string;
  /** In the order of the blocks. */
  readonly cells: readonly {
    readonly text: string;
    /** `muted`: a reason why there is no response. */
    readonly tone: 'plain' | 'muted';
    readonly isChanged: boolean;
    readonly result: EvalMark;
    /** In the order of the graders. */
    readonly grades: readonly EvalMark[];
  }[];
}

export interface EvalScore {
  readonly name: string;
  readonly mark: EvalMark;
  readonly evidence: string;
}

export interface EvalSide {
  readonly letter: string;
  readonly label: string;
  /** `differs`: the piece is not in the other response. */
  readonly pieces: readonly { readonly text: string; readonly differs: boolean }[];
  /** Why there is no response, or what it lacks. */
  readonly note: string;
  readonly result: EvalMark;
  readonly scores: readonly EvalScore[];
}

export interface EvalDetails {
  readonly row: number;
  readonly name: string;
  readonly input: readonly { readonly name: string; readonly value: string }[];
  readonly expected: string;
  readonly sides: readonly EvalSide[];
}

const side = z.enum(['left', 'right', 'tie', 'bad']);
export type EvalChoiceOfSide = z.infer<typeof side>;
const scale = z.enum(['better', 'pass', 'points']);
/** Which answer is better; which pass, `tie` and `bad` being both and none; or points from 1 to 5 for each. */
export type EvalScale = z.infer<typeof scale>;
const points = z.int().check(z.minimum(1), z.maximum(5));
export interface EvalPoints {
  readonly left: number;
  readonly right: number;
}

/** How far a blind review is. Texts are localized. */
export interface EvalReview {
  readonly count: number;
  readonly done: number;
  /** Index of the first item without a rating; −1 if all are rated. */
  readonly next: number;
  readonly text: string;
  /** Time per row; empty before the first rating. */
  readonly pace: string;
  /** Whether there are more rows than this review has. */
  readonly hasMore: boolean;
}

/** Two answers to a row. Nothing in it tells whose they are, or what graders say. */
export interface EvalReviewItem {
  readonly index: number;
  /** Names the row and the variants, whatever is compared or listed at this index later. */
  readonly key: string;
  readonly input: readonly { readonly name: string; readonly value: string }[];
  readonly expected: string;
  /** `differs`: the piece is not in the other answer. */
  readonly left: readonly { readonly text: string; readonly differs: boolean }[];
  readonly right: readonly { readonly text: string; readonly differs: boolean }[];
  readonly choice: EvalChoiceOfSide | null;
  /** Points of the left and right answer, if they were rated by points. */
  readonly points: EvalPoints | null;
  readonly note: string;
}

export interface EvalReviewResult {
  readonly facts: readonly { readonly name: string; readonly value: string }[];
}

const ofItem = z.strictObject({ index: whole });

/** IDs of variants, or `baseline`; empty for what is usual. */
const compared = z.strictObject({ reference: id, candidate: id });

export const evalResultsCalls = {
  /** Loads the run, and compares what is chosen. */
  'eval/load': call(compared, returns<EvalView>()),
  /** Runs an action that the view offers. */
  'eval/act': call(z.strictObject({ action: z.string().check(z.maxLength(1000)) })),
  /** Writes the results of a variant as the baseline, unless the user keeps the one before. */
  'eval/accept': call(z.strictObject({ variant: id }), returns<{ readonly isAccepted: boolean }>()),
  /** Filters and groups the rows of the run that was loaded. */
  'eval/arrange': call(
    choice,
    returns<{ readonly count: number; readonly text: string; readonly summary: EvalTableSummary }>(),
  ),
  'eval/rows': call(
    z.strictObject({ from: whole, count: z.int().check(z.nonnegative(), z.maximum(200)) }),
    returns<{ readonly rows: readonly EvalTableRow[] }>(),
  ),
  /** Resolves with the index of a row in the current list; absent if the row is not listed. */
  'eval/find': call(ofRow, returns<{ readonly index?: number }>()),
  'eval/details': call(ofRow, returns<EvalDetails>()),
  /** Begins or continues a blind review of what is compared, of at least so many rows. Absent if no row can be reviewed. */
  'eval/review': call(z.strictObject({ size: whole, scale }), returns<{ readonly review?: EvalReview }>()),
  'eval/reviewItem': call(ofItem, returns<EvalReviewItem>()),
  /** Stores a rating. Resolves once it is on disk. */
  'eval/rate': call(
    z.strictObject({
      index: whole,
      choice: side,
      points: z.nullable(z.object({ left: points, right: points })),
      note: z.string().check(z.maxLength(10_000)),
      seconds: z.number().check(z.nonnegative(), z.maximum(86_400)),
    }),
    returns<EvalReview>(),
  ),
  /** Takes the rating of an item back. Resolves with the note that it had. */
  'eval/undo': call(ofItem, returns<{ readonly review: EvalReview; readonly key: string; readonly note: string }>()),
  /** What the ratings say, with names. */
  'eval/reviewResult': call(z.strictObject({}), returns<EvalReviewResult>()),
};

/** What the page shows. */
export type EvalPart = 'verdict' | 'table' | 'review';

export interface EvalResultsScreen {
  readonly state: EvalChoice & {
    readonly pageId: string;
    readonly reference: string;
    readonly candidate: string;
    readonly part: EvalPart;
    readonly selected: number | null;
    /** Rows of the blind review. */
    readonly size: number;
    readonly scale: EvalScale;
    /** Notes that are not stored yet, by the keys of their items. */
    readonly drafts: Readonly<Record<string, string>>;
  };
  readonly calls: CallsOf<typeof evalResultsCalls>;
  readonly events: {
    readonly 'eval/changed': EvalView;
    /** What has changed couldn't be loaded. The host tries again. */
    readonly 'eval/failed': WireError;
  };
}
