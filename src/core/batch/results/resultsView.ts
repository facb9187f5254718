/** What became of a request. `extra`: a result whose id no request has. */
export type ResultState = 'answered' | 'failed' | 'missing' | 'extra';

export type ResultsSortKey = 'line' | 'customId' | 'tokens' | 'state';

/** What is shown of the results, and in which order. */
export interface ResultsView {
  readonly state: ResultState | 'all';
  /** Only failures of this group. */
  readonly group?: number;
  /** Looked for in ids, requests, answers and errors, whatever its case; empty: everything. */
  readonly query: string;
  readonly sort: ResultsSortKey;
  readonly descending: boolean;
}

/** Lines of a result file that hold no result; from 1. */
export interface BadLine {
  readonly line: number;
  /** `torn`: the last line, not ended, as a broken download leaves it. `noId`: JSON, but without a `custom_id`. */
  readonly kind: 'torn' | 'notJson' | 'noId' | 'notResult' | 'tooLong';
}

/** `changed`: written to while it was read. A code of the system (`ENOENT`) where it could not be opened or read. */
export type FileProblem = 'notText' | 'changed' | (string & {});

export interface ResultsFile {
  readonly path: string;
  readonly role: 'output' | 'errors';
  /** 0: of the run itself, else of its so-manieth retry. */
  readonly attempt: number;
  readonly bytes: number;
  /** Lines that hold a result. */
  readonly results: number;
  /** How many lines hold none, and the first hundred of them. */
  readonly bad: number;
  readonly badLines: readonly BadLine[];
  /** What was read before it counts all the same. */
  readonly trouble?: FileProblem;
}

export interface ResultsInput {
  readonly path: string;
  readonly bytes: number;
  /** Requests without a `custom_id`, or on lines that are no JSON, that no result could be joined to. */
  readonly withoutId: number;
  /** Requests whose `custom_id` stands before them already: they show the same result. */
  readonly repeatedIds: number;
  /** Whether it is the file that was sent, by its length and SHA-256; `unknown` where those are not known. */
  readonly since: 'same' | 'changed' | 'unknown';
  /** Why there are no lines, or not all. The results are shown alone then. */
  readonly trouble?: FileProblem | 'array' | 'empty';
}

/** Failures of one kind: the same code, and messages that differ in numbers and ids only. */
export interface ErrorGroup {
  readonly group: number;
  /** As the service has it; empty where it tells none. */
  readonly code: string;
  /** Of its first failure. */
  readonly message: string;
  readonly count: number;
  /** The first few rows. */
  readonly rows: readonly number[];
}

/** A sentence on the files of a run. */
export interface ResultsFact {
  readonly severity: 'error' | 'warning' | 'info';
  readonly text: string;
  /** Where it is one file's: of which kind that is. */
  readonly about?: 'input' | 'results';
}

export interface ResultsSummary {
  readonly input?: ResultsInput;
  readonly files: readonly ResultsFile[];
  /** Of the input; without one, results. Each is either answered, failed or missing. */
  readonly requests: number;
  readonly answered: number;
  readonly failed: number;
  readonly missing: number;
  readonly extra: number;
  /** Of those that failed or are missing: what a retry that is under way asks already. */
  readonly retrying: number;
  /** What of the others failed, or is missing. */
  readonly open: { readonly failed: number; readonly missing: number };
  /** Results whose id has another result of the same attempt, which is shown: an answer rather than an error, else what stands later. */
  readonly duplicates: number;
  /** Answers that end because of their length. */
  readonly cutOff: number;
  /** As the service counted them, of all attempts. */
  readonly tokensIn: number;
  readonly tokensOut: number;
  /** The most frequent first. */
  readonly groups: readonly ErrorGroup[];
  /** False: the reading was stopped, and only what was read until then is known. */
  readonly isWhole: boolean;
  /** What a person should know of all this, in sentences: the gravest first. */
  readonly notices: readonly ResultsFact[];
}

/** A row of the table: texts are cut to some hundred characters. */
export interface ResultsRow {
  /** By which `details` finds it; it stays the same whatever is shown. */
  readonly row: number;
  /** Of the input, from 0; `undefined` for an extra result, or without an input. */
  readonly line?: number;
  readonly customId: string;
  readonly state: ResultState;
  /** Whether the result is an error; also of an extra one. */
  readonly isFailed: boolean;
  /** The request's last user message. */
  readonly request: string;
  /** The beginning of the answer, or of the error. */
  readonly answer: string;
  readonly model: string;
  readonly tokensIn?: number;
  readonly tokensOut?: number;
  /** In the service's word, such as `stop` or `length`. */
  readonly finish?: string;
  /** The line that was asked for is not the one that was sent, or may not be. */
  readonly isChanged?: boolean;
  /** It failed or is missing, and a retry that is under way asks it. */
  readonly isRetried?: boolean;
}

/** A line of an editor whose answer is wanted. */
export interface AskedLine {
  readonly customId: string;
  /** `lineDigest` of its text; without it nothing is told of changes. */
  readonly digest?: string;
}

/** A failure, and the line it is of. */
export interface FailedLine {
  readonly customId: string;
  /** Of what was sent, from 0. */
  readonly line: number;
  /** `lineDigest` of what was sent. */
  readonly digest: string;
  readonly failure: ResultFailure;
}

/** A text and how many characters of it are not told. */
export interface CutText {
  readonly text: string;
  readonly cut: number;
}

export interface ResultFailure {
  /** Of HTTP, where the service told it. */
  readonly status?: number;
  /** Empty where the service tells none. */
  readonly code: string;
  readonly message: string;
}

/** One of the answers to a request. */
export interface ResultChoice {
  readonly reasoning: CutText;
  readonly text: CutText;
  /** What the model says in place of an answer it will not give. */
  readonly refusal: CutText;
  readonly calls: readonly { readonly name: string; readonly arguments: CutText }[];
  readonly finish?: string;
}

/** What one of several attempts at a request came to. */
export interface ResultAttempt {
  /** 0: the run itself, else its so-manieth retry. */
  readonly attempt: number;
  /** When it was asked, in Unix milliseconds; `undefined` where that is not known. */
  readonly at?: number;
  readonly state: 'answered' | 'failed' | 'waiting';
  readonly failure?: ResultFailure;
}

/** A request and its result, as much of them as a person reads. */
export interface ResultDetails extends Pick<
  ResultsRow,
  'row' | 'line' | 'customId' | 'state' | 'isFailed' | 'isRetried' | 'model'
> {
  readonly request?: {
    readonly messages: readonly ({ readonly role: string } & CutText)[];
    /** How many messages are left out after the first ones. */
    readonly omitted: number;
    readonly parameters: readonly { readonly name: string; readonly value: string }[];
    /** The line where it is no JSON. */
    readonly raw?: CutText;
  };
  readonly failure?: ResultFailure;
  readonly choices: readonly ResultChoice[];
  /** A body that is no answer of a chat, as JSON. */
  readonly other?: CutText;
  readonly tokensIn?: number;
  readonly tokensOut?: number;
  readonly reasoningTokens?: number;
  readonly group?: number;
  /** How many results more of the same attempt have this id. */
  readonly duplicates: number;
  /** Oldest first, where there is more than one. */
  readonly attempts: readonly ResultAttempt[];
  /** Which file the result is of, and its line from 1; `undefined` where it is missing. */
  readonly place?: { readonly path: string; readonly line: number };
  /** What became of the line in the batch file since it was sent; absent where it is the same, or that is not known. */
  readonly since?: 'changed' | 'gone';
  /** The request or the result is too long to be read here. */
  readonly isTooLong: boolean;
}
