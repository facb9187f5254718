import type { Call } from './call';
import type { BatchPreviewStrings } from './batchPreviewStrings';

export type PreviewSort = 'line' | 'customId' | 'model' | 'size' | 'problems';

/** Which lines of the file are shown, and in which order. */
export interface PreviewView {
  readonly sort: PreviewSort;
  readonly descending: boolean;
  readonly onlyProblems: boolean;
  /** Empty: all. */
  readonly query: string;
}

/** What is known of the file once it was read. */
export interface PreviewSummary {
  readonly lines: number;
  /** Worded: how many requests, which model, how large. */
  readonly facts: string;
  readonly holds: 'requests' | 'answers';
  /** Worded; set where nothing can be shown. */
  readonly nothing?: string;
  /** Worded; set where the reading was stopped. */
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
  /** Of messages, or of tokens where the file holds answers; worded. */
  readonly count: string;
  readonly text: string;
  /** `muted`: words in place of the line's text. */
  readonly tone: 'plain' | 'muted' | 'failed';
  readonly size: string;
  readonly problems: PreviewProblemCounts;
}

/** A line in whole, as far as it is shown. All of it is text of the file but what is said to be worded. */
export interface PreviewDetails {
  readonly line: number;
  readonly customId: string;
  readonly model: string;
  readonly problems: readonly { readonly severity: keyof PreviewProblemCounts; readonly message: string }[];
  readonly messages: readonly {
    readonly role: string;
    readonly text: string;
    /** Worded; set where the text is cut. */
    readonly cut?: string;
  }[];
  /** Worded; set where messages are left out, after the first `shownFirst`. */
  readonly omitted?: string;
  readonly shownFirst: number;
  readonly parameters: readonly { readonly name: string; readonly value: string }[];
  /** Worded; set where there is something to say of the line as a whole. */
  readonly note?: string;
  /** What failed, of an answer. */
  readonly failure?: string;
}

/** What the person should know of the file while it is shown. */
export interface PreviewNotices {
  /** It is another one on disk by now. */
  readonly changed: boolean;
  /** It is not there any more. */
  readonly gone: boolean;
  /** It is open with changes that are not saved, and so not shown. */
  readonly unsaved: boolean;
}

export interface BatchPreviewScreen {
  readonly state: PreviewView & {
    /** By which the host knows the file again. */
    readonly previewId: string;
    readonly selected: number | null;
  };
  readonly strings: BatchPreviewStrings;
  readonly calls: {
    readonly 'preview/ready': Call<
      Record<never, never>,
      { readonly previewId: string; readonly name: string; readonly notices: PreviewNotices }
    >;
    /** Reads the file unless it was read; `again`: in any case. It is read on when the page goes. */
    readonly 'preview/load': Call<
      { readonly again: boolean },
      PreviewSummary,
      { readonly part: number; readonly text: string }
    >;
    /** Ends the reading: what was read until then is shown. */
    readonly 'preview/stop': Call<Record<never, never>, Record<never, never>>;
    /** Resolves with how many lines are shown. While it searches it tells how many were found; worded. */
    readonly 'preview/arrange': Call<
      PreviewView,
      { readonly count: number; readonly text: string },
      { readonly part: number; readonly count: number; readonly text: string }
    >;
    /** Of the lines that are shown, from the `from`-th on. */
    readonly 'preview/rows': Call<
      { readonly from: number; readonly count: number },
      { readonly rows: readonly PreviewTableRow[] }
    >;
    /** Where a line is shown; absent where it is not. */
    readonly 'preview/find': Call<{ readonly line: number }, { readonly index?: number }>;
    readonly 'preview/line': Call<{ readonly line: number }, PreviewDetails>;
    /** Opens the file in the editor, at this line. */
    readonly 'preview/goTo': Call<{ readonly line: number }, Record<never, never>>;
  };
  readonly events: {
    readonly 'preview/notices': PreviewNotices;
    /** It changed on disk, and is to be read again at once. */
    readonly 'preview/stale': Record<never, never>;
  };
}
