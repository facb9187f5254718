import type { ApiError } from '../../api/errors';
import type { Usage } from '../../usage/usage';
import type { ProblemCode } from '../problem';

/** A request as it is handed to whoever sends it. */
export interface SentRequest {
  readonly model: string;
  /** The body with its model. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** What a call tells of itself while it goes on. */
export interface CallEvents {
  readonly signal: AbortSignal;
  /** It waits until then, in Unix milliseconds: at a limit, or before it is sent again. */
  readonly onWait: (wait: RunWait) => void;
  /** A good answer begins. */
  readonly onAnswer: (requestId: string) => void;
}

export interface RunWait {
  readonly reason: 'rateLimit' | 'overloaded' | 'network' | 'server';
  /** Unix milliseconds. */
  readonly until: number;
  readonly limit?: string | undefined;
}

/** Sends a request and gives the chunks of its answer as they come. Throws `ApiError`. */
export type LocalCall = (request: SentRequest, events: CallEvents) => AsyncIterable<unknown>;

/** Why a run came to its end. What has no result by then is sent when it is started again. */
export type RunEnd =
  /** Every line has its result. */
  | { readonly kind: 'finished' }
  /** The person stopped it. */
  | { readonly kind: 'stopped' }
  /** A limit that does not pass for hours. */
  | { readonly kind: 'dailyLimit'; readonly error: ApiError }
  /** Nothing can be sent until the person did something: the key, the balance, the network's settings. */
  | { readonly kind: 'refused'; readonly error: ApiError }
  /** The service let nothing in, again and again. */
  | { readonly kind: 'unreachable'; readonly error: ApiError }
  /** One request after the other failed in the same way, not by what it asked. */
  | { readonly kind: 'failing'; readonly error: ApiError }
  /** `mayGoOn` threw: a budget is used up, or another window has the run. */
  | { readonly kind: 'held'; readonly error: unknown }
  /** The batch file could not be read, or a result not be written. */
  | { readonly kind: 'broken'; readonly error: unknown };

export interface RunState {
  readonly phase: 'running' | 'paused' | 'stopping' | 'ended';
  readonly answered: number;
  readonly failed: number;
  readonly underWay: number;
  /** Of this start. */
  readonly usage: Usage;
  readonly tokensPerMinute: number;
  /** Requests that may be under way at once now. */
  readonly concurrency: number;
  /** Nothing is sent until then. */
  readonly wait?: RunWait | undefined;
  /** Results could not be written, and are held until they can: the disk is full, or not to be written to. */
  readonly diskTrouble?: unknown;
  readonly end?: RunEnd | undefined;
}

export interface LocalRunOptions {
  /** Has `output.jsonl` and `errors.jsonl`, which are gone on with. One run of a folder at a time. */
  readonly folder: string;
  /** Tells runs apart: digits and small letters. */
  readonly run: string;
  /** The batch file; it must be as it was when the run began. */
  readonly input: string;
  /** Takes the place of the model of every line. */
  readonly model?: string | undefined;
  readonly isError: (code: ProblemCode) => boolean;
  /** The most requests at once; asked each time. */
  readonly concurrency: () => number;
  readonly call: LocalCall;
  /** Asked before every request; what it throws ends the run. */
  readonly mayGoOn?: (() => Promise<void>) | undefined;
  /** What one request took; awaited before its line counts as done. */
  readonly onUsage?: ((usage: Usage, model: string) => void) | undefined;
  readonly onChange?: (() => void) | undefined;
  /** Unix milliseconds. */
  readonly clock?: (() => number) | undefined;
  /** 0 up to 1. */
  readonly random?: (() => number) | undefined;
  /** Rejects when the signal aborts. */
  readonly sleep?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
}

/** A batch file that is run on this machine. */
export interface LocalRun {
  readonly state: RunState;
  /** Never rejects. By then all that came is on the disk, and nothing of the run goes on. */
  readonly ended: Promise<RunEnd>;
  /** Sends no more; what is under way goes on. */
  pause(): void;
  resume(): void;
  /** Sends no more and ends when what is under way was answered; a second time breaks that off, to be sent again. */
  stop(): void;
}
