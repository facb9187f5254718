import * as z from 'zod/mini';
import { call, returns, type Accepted, type CallsOf } from './call';

const nothing = z.strictObject({});
const whole = z.int().check(z.nonnegative());
const ofLine = z.strictObject({ line: whole });

/** Which lines of the file are shown, and how they are sorted. */
const view = z.strictObject({
  sort: z.enum(['line', 'customId', 'model', 'size', 'problems']),
  descending: z.boolean(),
  onlyProblems: z.boolean(),
  /** Empty to show all. */
  query: z.string().check(z.maxLength(1000)),
});
export type PreviewView = Accepted<typeof view>;
export type PreviewSort = PreviewView['sort'];

/** Facts about the file once it has been read. */
export interface PreviewSummary {
  readonly lines: number;
  /** Localized: number of requests, model, size. */
  readonly facts: string;
  readonly holds: 'requests' | 'answers';
  /** Localized reason, set if nothing can be shown. */
  readonly nothing?: string;
  /** Localized note, set if reading was stopped. */
  readonly partial?: string;
}

export interface PreviewProblemCounts {
  readonly error: number;
  readonly warning: number;
  readonly hint: number;
}

export interface PreviewTableRow {
  /** From 0. */
  readonly line: number;
  readonly customId: string;
  readonly model: string;
  /** Number of messages, or of tokens if the file contains answers; localized. */
  readonly count: string;
  readonly text: string;
  /** `muted`: `text` explains why the line's text is not shown. */
  readonly tone: 'plain' | 'muted' | 'failed';
  readonly size: string;
  readonly problems: PreviewProblemCounts;
}

/** A whole line, as far as the page shows it. Everything is text of the file unless marked as localized. */
export interface PreviewDetails {
  readonly line: number;
  readonly customId: string;
  readonly model: string;
  readonly problems: readonly { readonly severity: keyof PreviewProblemCounts; readonly message: string }[];
  readonly messages: readonly {
    readonly role: string;
    readonly text: string;
    /** Localized note, set if the text is cut. */
    readonly cut?: string;
  }[];
  /** Localized note, set if messages after the first `shownFirst` are omitted. */
  readonly omitted?: string;
  readonly shownFirst: number;
  readonly parameters: readonly { readonly name: string; readonly value: string }[];
  /** Localized note on the line as a whole, if any. */
  readonly note?: string;
  /** The error of a failed answer. */
  readonly failure?: string;
}

/** What the user should know about the file while it is shown. */
export interface PreviewNotices {
  /** The file has changed on disk. */
  readonly changed: boolean;
  /** The file no longer exists. */
  readonly missing: boolean;
  /** The file is open with unsaved changes, which are not shown. */
  readonly unsaved: boolean;
}

export const previewCalls = {
  'preview/ready': call(
    nothing,
    returns<{ readonly previewId: string; readonly name: string; readonly notices: PreviewNotices }>(),
  ),
  /** Reads the file unless it has been read already; with `again`, always. Reading continues when the page closes. */
  'preview/load': call(
    z.strictObject({ again: z.boolean() }),
    returns<PreviewSummary, { readonly part: number; readonly text: string }>(),
  ),
  /** Stops reading: the lines read so far are shown. */
  'preview/stop': call(nothing),
  /** Resolves with the number of lines shown. While searching, chunks report the number of matches; texts are localized. */
  'preview/arrange': call(
    view,
    returns<
      { readonly count: number; readonly text: string },
      { readonly part: number; readonly count: number; readonly text: string }
    >(),
  ),
  /** Returns rows of the current list, starting at index `from`. */
  'preview/rows': call(
    z.strictObject({ from: whole, count: z.int().check(z.nonnegative(), z.maximum(200)) }),
    returns<{ readonly rows: readonly PreviewTableRow[] }>(),
  ),
  /** Resolves with the index of a line in the current list; absent if the line is not listed. */
  'preview/find': call(ofLine, returns<{ readonly index?: number }>()),
  'preview/line': call(ofLine, returns<PreviewDetails>()),
  /** Opens the file in the editor at this line. */
  'preview/goTo': call(ofLine),
};

export interface BatchPreviewScreen {
  readonly state: PreviewView & {
    /** Identifies the file to the host after a reload. */
    readonly previewId: string;
    readonly selected: number | null;
  };
  readonly calls: CallsOf<typeof previewCalls>;
  readonly events: {
    readonly 'preview/notices': PreviewNotices;
    /** The file changed on disk; the page must read it again at once. */
    readonly 'preview/stale': Record<never, never>;
  };
}
