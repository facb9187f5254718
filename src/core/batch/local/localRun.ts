import * as l10n from '@vscode/l10n';
import type { ApiError } from '../../api/errors';
import type { Usage } from '../../usage/usage';
import type { CallUsage } from '../../usage/usageOf';
import type { ProblemCode } from '../problem';
import type { BatchRules } from '../services/batchRules';

/** A request as it is passed to `LocalCall`. */
export interface SentRequest {
  readonly model: string;
  /** The body, including the model. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** The events of a call while it runs. */
export interface CallEvents {
  readonly signal: AbortSignal;
  /** The call waits: at a limit, or before the request is sent again. */
  readonly onWait: (wait: RunWait) => void;
  /** A successful response begins. */
  readonly onAnswer: (requestId: string) => void;
  /** Receives what the call used once it is over, if it used anything. */
  readonly onUsage: (usage: CallUsage) => void;
}

export interface RunWait {
  readonly reason: 'rateLimit' | 'overloaded' | 'network' | 'server';
  /** Unix milliseconds. */
  readonly until: number;
  readonly limit?: string | undefined;
}

/**
 * Sends a request and yields the chunks of its answer as they arrive. Throws `ApiError`, or the error of a budget that is used up, before
 * anything is sent.
 */
export type LocalCall = (
  request: SentRequest,
  events: CallEvents,
) => AsyncIterable<unknown> | Promise<AsyncIterable<unknown>>;

/** Why a run ended. Lines without a result are sent when it is started again. */
export type RunEnd =
  /** Every line has a result. */
  | { readonly kind: 'finished' }
  /** The user stopped it. */
  | { readonly kind: 'stopped' }
  /** A limit that lasts for hours. */
  | { readonly kind: 'dailyLimit'; readonly error: ApiError }
  /** No request can be sent until the user fixes something: the key, the balance, the network settings. */
  | { readonly kind: 'refused'; readonly error: ApiError }
  /** The service accepted nothing, again and again. */
  | { readonly kind: 'unreachable'; readonly error: ApiError }
  /** One request after another failed in the same way, for a reason other than its content. */
  | { readonly kind: 'failing'; readonly error: ApiError }
  /** A budget is used up, or `mayGoOn` threw: another window has the run. */
  | { readonly kind: 'held'; readonly error: unknown }
  /** The batch file could not be read, or a result could not be written. */
  | { readonly kind: 'broken'; readonly error: unknown };

export interface RunState {
  readonly phase: 'running' | 'paused' | 'stopping' | 'ended';
  /** The number of responses, complete or not. */
  readonly answered: number;
  /** How many of them are truncated, empty or refused. */
  readonly incomplete: number;
  readonly failed: number;
  readonly underWay: number;
  /** Since this start. */
  readonly usage: Usage;
  readonly tokensPerMinute: number;
  /** The current limit of concurrent requests. */
  readonly concurrency: number;
  /** Nothing is sent before it ends. */
  readonly wait?: RunWait | undefined;
  /** Results could not be written, and are retained until they can be: the disk is full or not writable. */
  readonly diskError?: unknown;
  readonly end?: RunEnd | undefined;
}

export interface LocalRunOptions {
  /** Contains `output.jsonl` and `errors.jsonl`, which are appended to. Only one run per folder at a time. */
  readonly folder: string;
  /** Distinguishes runs: digits and lowercase letters. */
  readonly run: string;
  /** The batch file; it must not have changed since the run began. */
  readonly input: string;
  /** Replaces the model of every line. */
  readonly model?: string | undefined;
  /** Those of the service that the lines are sent to; SiliconFlow's if absent. */
  readonly rules?: BatchRules | undefined;
  /** Also sends requests that aren't chats, because `call` knows them. */
  readonly sendsAny?: boolean;
  /** Whether a problem of this kind prevents a line from being sent. */
  readonly isError: (code: ProblemCode) => boolean;
  /** Returns the most requests at once; called each time. */
  readonly concurrency: () => number;
  readonly call: LocalCall;
  /** Called before every request; if it throws, the run ends. */
  readonly mayGoOn?: (() => Promise<void>) | undefined;
  readonly onChange?: (() => void) | undefined;
  /** Unix milliseconds. */
  readonly clock?: (() => number) | undefined;
  /** From 0 up to, not including, 1. */
  readonly random?: (() => number) | undefined;
  /** Rejects when the signal aborts. */
  readonly sleep?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
}

/** A run of a batch file on this machine. */
export interface LocalRun {
  readonly state: RunState;
  /** Never rejects. Once it resolves, all results are on the disk, and no part of the run is active. */
  readonly ended: Promise<RunEnd>;
  /** Sends no more requests. Those in progress continue. */
  pause(): void;
  resume(): void;
  /** Sends no more requests and ends once those in progress are answered. A second call aborts those, to be sent again. */
  stop(): void;
}

/** Describes in one line why a run waits; `undefined` if it doesn't. `now` in Unix milliseconds. `titleOf`: words of a disk error. */
export function delayText(
  { wait, diskError }: RunState,
  now: number,
  titleOf: (error: unknown) => string,
): string | undefined {
  if (diskError !== undefined)
    return (diskError as NodeJS.ErrnoException).code === 'ENOSPC'
      ? l10n.t('Disk full. Responses will be saved when space is available.')
      : l10n.t("Responses can't be saved yet ({0})", titleOf(diskError));
  if (!wait) return undefined;
  const { reason, limit, until } = wait;
  const left = clockText(until - now);
  if (reason === 'rateLimit')
    return limit === undefined
      ? l10n.t('Rate limit reached. Resuming in {0}', left)
      : l10n.t('Rate limit reached ({0}). Resuming in {1}', limit, left);
  return reason === 'network'
    ? l10n.t('No connection. Retrying in {0}', left)
    : l10n.t('Service overloaded. Resuming in {0}', left);
}

/** Minutes and seconds. */
function clockText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
