import type { Call } from './call';

export type PreviewSort = 'line' | 'customId' | 'model' | 'size' | 'problems';

/** Which lines of the file are shown, and how they are sorted. */
export interface PreviewView {
  readonly sort: PreviewSort;
  readonly descending: boolean;
  readonly onlyProblems: boolean;
  /** Empty to show all. */
  readonly query: string;
}

/** What is known about the file once it has been read. */
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
  readonly gone: boolean;
  /** The file is open with unsaved changes, which are not shown. */
  readonly unsaved: boolean;
}

export interface BatchPreviewScreen {
  readonly state: PreviewView & {
    /** Identifies the file to the host after a reload. */
    readonly previewId: string;
    readonly selected: number | null;
  };
  readonly calls: {
    readonly 'preview/ready': Call<
      Record<never, never>,
      { readonly previewId: string; readonly name: string; readonly notices: PreviewNotices }
    >;
    /** Reads the file unless it has been read already; with `again`, always. Reading continues when the page closes. */
    readonly 'preview/load': Call<
      { readonly again: boolean },
      PreviewSummary,
      { readonly part: number; readonly text: string }
    >;
    /** Stops reading: the lines read so far are shown. */
    readonly 'preview/stop': Call<Record<never, never>, Record<never, never>>;
    /** Resolves with the number of lines shown. While searching, chunks report the number of matches; texts are localized. */
    readonly 'preview/arrange': Call<
      PreviewView,
      { readonly count: number; readonly text: string },
      { readonly part: number; readonly count: number; readonly text: string }
    >;
    /** Returns rows of the current list, starting at index `from`. */
    readonly 'preview/rows': Call<
      { readonly from: number; readonly count: number },
      { readonly rows: readonly PreviewTableRow[] }
    >;
    /** Resolves with the index of a line in the current list; absent if the line is not listed. */
    readonly 'preview/find': Call<{ readonly line: number }, { readonly index?: number }>;
    readonly 'preview/line': Call<{ readonly line: number }, PreviewDetails>;
    /** Opens the file in the editor at this line. */
    readonly 'preview/goTo': Call<{ readonly line: number }, Record<never, never>>;
  };
  readonly events: {
    readonly 'preview/notices': PreviewNotices;
    /** The file changed on disk; the page must read it again at once. */
    readonly 'preview/stale': Record<never, never>;
  };
}
