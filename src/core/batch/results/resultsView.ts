import type { ResultsColumn } from './columns';
import type { ResultOutcome } from './resultLine';

/** The outcome of a request. `missing`: it has no result. `extra`: a result whose ID is missing or unknown. */
export type ResultState = ResultOutcome | 'missing' | 'extra';

/** The states whose requests can be sent again, the most urgent first. */
export const retriedStates = [
  'failed',
  'expired',
  'canceled',
  'missing',
  'empty',
  'truncated',
  'refused',
] as const satisfies readonly ResultState[];
export type RetriedState = (typeof retriedStates)[number];

export const resultStates = ['answered', ...retriedStates, 'extra'] as const satisfies readonly ResultState[];

/** The states without any response. */
export const unansweredStates: readonly ResultState[] = ['failed', 'expired', 'canceled', 'missing'];

/** Which results are shown, and in which order. */
export interface ResultsView {
  readonly state: ResultState | 'all';
  /** Only failures of this group. */
  readonly group?: number;
  /** Only answers that are not as expected. */
  readonly isUnexpected?: boolean;
  /** Only rows whose answer differs from that of the reference run. */
  readonly isDifferent?: boolean;
  /**
   * Searched for in ids, requests, answers and errors, ignoring case; empty matches everything. `name:text` or `name:"a text"` with the
   * name of a column searches only in that column.
   */
  readonly query: string;
  /** The id of a column; that of a column of the run without its group. */
  readonly sort: string;
  readonly descending: boolean;
  /** The column whose values group the rows. */
  readonly groupBy?: string;
  /** The values whose groups are closed. */
  readonly closed?: readonly string[];
}

/** The heading of a group of rows that have the same value. */
export interface RowsHeading {
  /** Empty for the rows without a value. */
  readonly value: string;
  readonly count: number;
  readonly isClosed: boolean;
  /** The share of its answers that are as expected; `undefined` if none could be compared. */
  readonly asExpected?: number;
}

/** The text of a cell. */
export interface ResultsCell {
  readonly text: string;
  /** Set in the column of the reference run, if its answer differs. */
  readonly before?: string;
  /** Set in the column that is compared: whether the answer is as expected. */
  readonly isAsExpected?: boolean;
}

/** A line of a result file that holds no result; from 1. */
export interface BadLine {
  readonly line: number;
  /** `torn`: the last line without its line break, as an interrupted download leaves it. */
  readonly kind: 'torn' | 'request' | 'other' | 'tooLong';
}

/** `changed`: written to while it was read. A system error code (`ENOENT`), or a problem's, if it could not be opened or read. */
export type FileProblem = 'notText' | 'changed' | (string & {});

export interface ResultsFile {
  readonly path: string;
  readonly role: 'output' | 'errors';
  /** 0 for the run itself, else the number of its retry. */
  readonly attempt: number;
  readonly bytes: number;
  /** The number of lines that hold a result. */
  readonly results: number;
  /** The number of lines without a result, and the first hundred of them. */
  readonly bad: number;
  readonly badLines: readonly BadLine[];
  /** The results read before the error still count. */
  readonly problem?: FileProblem;
  /** The service's first error instead of a result. */
  readonly said?: string | undefined;
}

export interface ResultsInput {
  readonly path: string;
  readonly bytes: number;
  /** Requests that no result could be joined to: without a `custom_id`, or on lines that are not JSON. */
  readonly withoutId: number;
  /** Requests whose `custom_id` an earlier one has already: they show the same result. */
  readonly repeatedIds: number;
  /** Whether it is the file that was sent, by its size and SHA-256. `unknown` if those are unknown. */
  readonly since: 'same' | 'changed' | 'unknown';
  /** Why there are no lines, or not all. Without lines, only the results are shown. */
  readonly problem?: FileProblem | 'array' | 'empty';
}

/** Failures of one kind: the same code, and messages that differ only in numbers and ids. */
export interface ErrorGroup {
  readonly group: number;
  /** As the service reports it, or empty. */
  readonly code: string;
  /** The message of its first failure. */
  readonly message: string;
  readonly count: number;
  /** The first few rows. */
  readonly rows: readonly number[];
}

/** A sentence about the files of a run. */
export interface ResultsFact {
  readonly severity: 'error' | 'warning' | 'info';
  readonly text: string;
  /** The kind of file, if it is about one file. */
  readonly about?: 'input' | 'results';
}

/** The columns that a table of results can show. */
export interface ResultsSummaryColumns {
  readonly all: readonly ResultsColumn[];
  /** The ids of those that are shown unless others are chosen. */
  readonly defaults: readonly string[];
  /** The name of the table that the batch file was made from. */
  readonly source?: string;
  /** The number of answers that are not as expected; `undefined` if none could be compared. */
  readonly unexpected?: number;
}

/** With the number of requests in each state. */
export interface ResultsSummary extends Readonly<Record<ResultState, number>> {
  readonly input?: ResultsInput;
  readonly files: readonly ResultsFile[];
  /** Requests of the input; without one, results. */
  readonly requests: number;
  /** How many of the empty ones a content filter withheld. */
  readonly filtered: number;
  /** How many of the requests without an answer a retry in progress includes. */
  readonly retrying: number;
  /** How many of the others can be sent again, by state. Excludes those that a run in progress might still answer. */
  readonly open: Readonly<Record<RetriedState, number>>;
  /** Results without an id, which can be joined to no request. */
  readonly nameless: number;
  /** Whether the ids of all results are unknown to the input. */
  readonly isOtherInput: boolean;
  /** Results whose id has another result of the same attempt, which is shown: the better one, such as an answer before an error, else the later one. */
  readonly duplicates: number;
  /** As counted by the service, over all attempts. */
  readonly tokensIn: number;
  readonly tokensOut: number;
  /** Most frequent first. */
  readonly groups: readonly ErrorGroup[];
  readonly columns: ResultsSummaryColumns;
  /** `false` if reading was stopped: only what was read until then is known. */
  readonly isWhole: boolean;
  /** What the user should know about all this, as sentences, the most severe first. */
  readonly notices: readonly ResultsFact[];
}

/** The facts about a row before its texts are read. */
export interface RowPart {
  /** Identifies the row for `details`; it stays the same whatever is shown. Negative for a heading. */
  readonly row: number;
  /** The zero-based line of the input; `undefined` for an extra result, or without an input. */
  readonly line?: number;
  readonly state: ResultState;
  /** Whether the result is an error; also set for an extra one. */
  readonly isFailed: boolean;
  /** A content filter withheld the answer. */
  readonly isFiltered?: boolean;
  readonly tokensIn?: number;
  readonly tokensOut?: number;
  /** It failed or is missing, and a retry in progress includes it. */
  readonly isRetried?: boolean;
}

/** A row of the table, with texts cut to a few hundred characters. */
export interface ResultsRow extends RowPart {
  /** Set if this is the heading of a group in place of a row. */
  readonly heading?: RowsHeading;
  /** The cells of the requested columns that aren't properties of the row, by column ID. */
  readonly cells?: Readonly<Record<string, ResultsCell>>;
  readonly customId: string;
  /** The request's last user message, or what else it asks for. */
  readonly request: string;
  /** The beginning of the answer or of the error. */
  readonly answer: string;
  readonly model: string;
  /** The service's own word, such as `stop` or `length`. */
  readonly finish?: string;
  /** The line requested is not the one that was sent, or may not be. */
  readonly isChanged?: boolean;
}

/** A line of an editor whose answer is requested. */
export interface RequestLine {
  readonly customId: string;
  /** The `lineDigest` of its text; without it, changes are not reported. */
  readonly digest?: string;
}

/** A failure with the line it belongs to. */
export interface FailedLine {
  readonly customId: string;
  /** The zero-based line number in what was sent. */
  readonly line: number;
  /** The `lineDigest` of the line that was sent. */
  readonly digest: string;
  readonly failure: ResultFailure;
}

/** A text, with the number of characters that were cut off. */
export interface CutText {
  readonly text: string;
  readonly cut: number;
}

export interface ResultFailure {
  /** The HTTP status, if the service reports it. */
  readonly status?: number;
  /** Empty if the service reports none. */
  readonly code: string;
  readonly message: string;
}

/** One of the answers to a request. */
export interface ResultChoice {
  readonly reasoning: CutText;
  readonly text: CutText;
  /** The model's refusal instead of an answer. */
  readonly refusal: CutText;
  readonly calls: readonly { readonly name: string; readonly arguments: CutText }[];
  readonly finish?: string;
}

/** The outcome of one of several attempts at a request. */
export interface ResultAttempt {
  /** 0 for the run itself, else the number of its retry. */
  readonly attempt: number;
  /** When it was sent, in Unix milliseconds; `undefined` if that is not known. */
  readonly at?: number;
  readonly state: ResultOutcome | 'waiting';
  readonly failure?: ResultFailure;
}

/** The facts about a request before its texts are read. */
export interface DetailsPart extends RowPart {
  readonly group?: number;
  /** The row's fields in the table that the batch file was made from. */
  readonly source?: readonly { readonly name: string; readonly value: string }[];
  /** Whether the answer is as expected. `undefined` if nothing is expected, or if it can't be checked. */
  readonly isAsExpected?: boolean;
  /** The number of further results of the same attempt with this id. */
  readonly duplicates: number;
  /** Oldest first; empty if there is only one. */
  readonly attempts: readonly ResultAttempt[];
  /** The file and the line, from 1, of the result; `undefined` if it is missing. */
  readonly place?: { readonly path: string; readonly line: number };
  /** The request or the result is too long to be read. */
  readonly isTooLong: boolean;
}

/** A request and its result, as far as a user reads them. */
export interface ResultDetails extends DetailsPart {
  readonly customId: string;
  readonly model: string;
  readonly request?: {
    readonly messages: readonly ({ readonly role: string } & CutText)[];
    /** The number of omitted messages after the first ones. */
    readonly omitted: number;
    readonly parameters: readonly { readonly name: string; readonly value: string }[];
    /** The line, if it is not JSON. */
    readonly raw?: CutText;
  };
  readonly failure?: ResultFailure;
  /** The model in the request, if another answered: a batch may replace it. */
  readonly requestedModel?: string;
  /** The service's ids of the response and of the request. */
  readonly completionId?: string;
  readonly requestId?: string;
  readonly choices: readonly ResultChoice[];
  /** A body that is not a chat response: vectors in a few words, anything else as JSON. */
  readonly other?: CutText;
  readonly reasoningTokens?: number;
  /** What happened to the line in the batch file since it was sent. Missing if it is the same or unknown. */
  readonly since?: 'changed' | 'gone';
}
