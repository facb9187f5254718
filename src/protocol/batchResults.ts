import type { BatchResultsStrings } from './batchResultsStrings';
import type { Call } from './call';
import type { WireAction } from './wire';

export type ResultsTab = 'all' | 'answered' | 'failed' | 'missing' | 'extra';
export type ResultsSort = 'line' | 'customId' | 'tokens' | 'state';

/** Which results are shown, and in which order. */
export interface ResultsChoice {
  readonly tab: ResultsTab;
  /** Only failures of this group; `null`: all. */
  readonly group: number | null;
  /** Empty: everything. */
  readonly query: string;
  readonly sort: ResultsSort;
  readonly descending: boolean;
}

/** A step in the life of a batch. `ahead`: not reached yet. */
export interface ResultsPhase {
  /** Worded, or as the service has it. */
  readonly label: string;
  /** Worded: when, how many. */
  readonly detail: string;
  /** Worded: date and time in full. */
  readonly hint: string;
  readonly state: 'done' | 'current' | 'ahead' | 'ended';
}

/** Something a person should know of the run. Worded. */
export interface ResultsNotice {
  readonly tone: 'error' | 'warning' | 'info';
  readonly title: string;
  readonly detail: string;
  /** What `results/act` takes. */
  readonly actions: readonly WireAction[];
}

/** Why the service refused the batch, or ended it. */
export interface ResultsFault {
  /** The service's words. */
  readonly text: string;
  /** The service's code; empty where it tells none. */
  readonly code: string;
  /** Worded: which line; absent where the whole batch is meant. */
  readonly line?: string;
  /** The line in the batch file is not what was sent. */
  readonly isChanged: boolean;
}

/** What is known of the run beside its results. */
export interface ResultsHead {
  /** What a person calls it. */
  readonly name: string;
  /** Worded: which batch, model, how many requests. */
  readonly facts: string;
  readonly factsHint: string;
  /** Empty where nothing is known of how the run went. */
  readonly phases: readonly ResultsPhase[];
  readonly notices: readonly ResultsNotice[];
  readonly faults: readonly ResultsFault[];
  /** Worded; set where there are no results yet: why, and when there will be. */
  readonly waiting?: string;
}

export interface ResultsGroup {
  readonly group: number;
  /** The service's code and words. */
  readonly text: string;
  /** Worded number. */
  readonly count: string;
  /** The row of its first failure. */
  readonly row: number;
}

export interface ResultsRetry {
  /** Worded. */
  readonly label: string;
  readonly which: 'failed' | 'missing' | 'both';
}

/** What the results are once they were read. Numbers are worded. */
export interface ResultsSummary {
  readonly counts: readonly { readonly tab: ResultsTab; readonly count: number; readonly text: string }[];
  readonly groups: readonly ResultsGroup[];
  /** What the one main action is called, and asks, on each tab that has something to be asked again. */
  readonly retry: Readonly<Partial<Record<ResultsTab, ResultsRetry>>>;
  /** Worded: tokens and the like. */
  readonly facts: string;
  readonly notices: readonly ResultsNotice[];
  readonly hasInput: boolean;
}

export interface ResultsTableRow {
  /** By which it is known, whatever is shown. */
  readonly row: number;
  readonly customId: string;
  readonly state: Exclude<ResultsTab, 'all'>;
  readonly request: string;
  readonly answer: string;
  /** `muted`: words in place of an answer. */
  readonly tone: 'plain' | 'failed' | 'muted';
  readonly tokens: string;
}

/** One text of a request or an answer, and what is left out of it; worded. */
export interface ResultsText {
  readonly label: string;
  readonly text: string;
  readonly cut?: string;
}

/** A request and its result, as much of them as is shown. All of it is text of the files but what is said to be worded. */
export interface ResultsDetails {
  readonly row: number;
  /** Of the input, from 0. */
  readonly line?: number;
  readonly customId: string;
  readonly state: Exclude<ResultsTab, 'all'>;
  readonly messages: readonly ResultsText[];
  /** Worded; set where messages are left out, after the first `shownFirst`. */
  readonly omitted?: string;
  readonly shownFirst: number;
  /** Each is Markdown. */
  readonly answers: readonly ResultsText[];
  /** What comes beside the answers: reasoning, refusals, calls of tools. Plain. */
  readonly beside: readonly ResultsText[];
  /** The result as JSON. */
  readonly raw: ResultsText;
  readonly failure?: string;
  /** Of several attempts, oldest first: which one and when, and what it came to. Worded. */
  readonly attempts: readonly { readonly name: string; readonly value: string }[];
  /** The group of its failure. */
  readonly group?: number;
  /** Worded names. */
  readonly facts: readonly { readonly name: string; readonly value: string }[];
  /** Worded; set where there is something to say of the whole. */
  readonly note?: string;
  readonly parameters: readonly { readonly name: string; readonly value: string }[];
}

export interface BatchResultsScreen {
  readonly state: ResultsChoice & {
    /** By which the host knows the run again. */
    readonly resultsId: string;
    /** By its id: other results may have it at another place. */
    readonly selected: { readonly row: number; readonly customId: string } | null;
  };
  readonly strings: BatchResultsStrings;
  readonly calls: {
    readonly 'results/ready': Call<Record<never, never>, { readonly resultsId: string; readonly head: ResultsHead }>;
    /** Reads the results, where there are some, unless they were read; `again`: in any case. They are read on when the page goes. */
    readonly 'results/load': Call<
      { readonly again: boolean },
      { readonly summary?: ResultsSummary },
      { readonly part: number; readonly text: string }
    >;
    /** Ends the reading: what was read until then is shown. */
    readonly 'results/stop': Call<Record<never, never>, Record<never, never>>;
    /** Resolves with how many rows are shown. While it searches it tells how many were found; worded. */
    readonly 'results/arrange': Call<
      ResultsChoice,
      { readonly count: number; readonly text: string },
      { readonly part: number; readonly count: number; readonly text: string }
    >;
    /** Of those that are shown, from the `from`-th on. */
    readonly 'results/rows': Call<
      { readonly from: number; readonly count: number },
      { readonly rows: readonly ResultsTableRow[] }
    >;
    /** Where a row is shown; absent where it is not. */
    readonly 'results/find': Call<{ readonly row: number }, { readonly index?: number }>;
    /** The row of an id, `row` where that has it; absent where there is none. */
    readonly 'results/rowOf': Call<{ readonly row: number; readonly customId: string }, { readonly row?: number }>;
    readonly 'results/details': Call<{ readonly row: number }, ResultsDetails>;
    /** Opens the input in the editor, at the row's line. */
    readonly 'results/goTo': Call<{ readonly row: number }, Record<never, never>>;
    /** The same for the line of a fault, by its place in the list. */
    readonly 'results/goToFault': Call<{ readonly fault: number }, Record<never, never>>;
    /** Copies the whole answer, or the error. */
    readonly 'results/copy': Call<{ readonly row: number }, Record<never, never>>;
    readonly 'results/copyText': Call<{ readonly text: string }, Record<never, never>>;
    readonly 'results/openLink': Call<{ readonly url: string }, Record<never, never>>;
    /** Asks for the format, the place and whether all or only those of the choice are written. */
    readonly 'results/export': Call<ResultsChoice, Record<never, never>>;
    /** Leads to where it is confirmed that these are asked again; `group`: only what failed so. */
    readonly 'results/retry': Call<
      { readonly which: 'failed' | 'missing' | 'both' | { readonly group: number } },
      Record<never, never>
    >;
    readonly 'results/compare': Call<Record<never, never>, Record<never, never>>;
    /** Takes the step of a notice. */
    readonly 'results/act': Call<{ readonly id: string }, Record<never, never>>;
  };
  readonly events: {
    readonly 'results/head': ResultsHead;
    /** The files are others now, and are to be read again. */
    readonly 'results/stale': Record<never, never>;
    /** A row of the run is to be shown. */
    readonly 'results/reveal': { readonly row: number };
  };
}
