import { ApiError } from '../errors';
import type { TimeoutPhase } from '../errors';
import type { StreamedBody, Timers } from './transport';

/** The timers of one request. Must be notified of each step; reports at most once that the request is over, and never after `stop`. */
export interface RequestClock {
  connected(): void;
  /** A piece of the request body was accepted. */
  bodyAccepted(): void;
  /** The whole request was sent. */
  requestSent(): void;
  /** The response's headers have arrived. */
  answered(): void;
  /** A piece of the response's body has arrived. */
  bodyReceived(): void;
  /** Stops all timers and releases the signal. */
  stop(): void;
}

export interface RequestClockOptions {
  readonly timers: Timers;
  readonly signal?: AbortSignal | undefined;
  readonly onExpire: (error: ApiError) => void;
  /** Whether bytes of the request may have been sent by now. */
  readonly isSent: () => boolean;
  /** False if a connection may exist unreported: then `firstByte` starts when the connect timer runs out, instead of an error. */
  readonly isConnecting?: (() => boolean) | undefined;
  /** Whether the reader is waiting for a chunk: a slow reader is not a stalled service. */
  readonly isReaderWaiting: () => boolean;
}

/** The longest delay Node's timers support; longer (or infinite) ones have no timer. */
const longestTimerMs = 2 ** 31 - 1;

/** Starts the `connect` and `total` timers immediately. The signal must not be aborted yet. */
export function createRequestClock(options: RequestClockOptions): RequestClock {
  const { timers, signal, onExpire, isSent, isReaderWaiting, isConnecting = () => true } = options;
  let phaseTimer: NodeJS.Timeout | undefined;
  let isAnswered = false;
  let isStopped = false;

  const stop = () => {
    isStopped = true;
    clearTimeout(phaseTimer);
    clearTimeout(totalTimer);
    phaseTimer = undefined;
    signal?.removeEventListener('abort', onAbort);
  };
  const onAbort = () => {
    stop();
    onExpire(abortedError(isSent(), signal?.reason));
  };
  const expire = (phase: TimeoutPhase, ms: number) => {
    stop();
    onExpire(new ApiError({ kind: 'timeout', message: timeoutFacts[phase](ms), phase, sent: isSent() }));
  };
  const start = (ms: number, onFire: () => void) => (ms <= longestTimerMs ? setTimeout(onFire, ms) : undefined);
  const startPhase = (phase: TimeoutPhase, ms: number) => {
    // A service may respond before it has read the whole request; then the response's own timer runs.
    if (isStopped || isAnswered) return;
    clearTimeout(phaseTimer);
    phaseTimer = start(ms, () => expire(phase, ms));
  };
  const watchReading = () => {
    if (isStopped) return;
    isAnswered = true;
    clearTimeout(phaseTimer);
    phaseTimer = start(timers.idleMs, () =>
      isReaderWaiting() ? expire('idle', timers.idleMs) : phaseTimer?.refresh(),
    );
  };

  const totalTimer = start(timers.totalMs, () => expire('total', timers.totalMs));
  const onConnectOverdue = () =>
    isConnecting() ? expire('connect', timers.connectMs) : startPhase('firstByte', timers.firstByteMs);
  phaseTimer = start(timers.connectMs, onConnectOverdue);
  signal?.addEventListener('abort', onAbort, { once: true });
  return {
    connected: () => startPhase('idle', timers.idleMs),
    bodyAccepted: () => void phaseTimer?.refresh(),
    requestSent: () => startPhase('firstByte', timers.firstByteMs),
    answered: watchReading,
    bodyReceived: () => void phaseTimer?.refresh(),
    stop,
  };
}

/** Notifies the clock of each piece the stack accepted (by requesting the next one) and of the end. */
export async function* timedBody(body: StreamedBody, clock: RequestClock): AsyncGenerator<Uint8Array> {
  for await (const chunk of body.open()) {
    yield chunk;
    clock.bodyAccepted();
  }
  clock.requestSent();
}

/** `reason` is the signal's reason. */
export function abortedError(sent: boolean, reason: unknown): ApiError {
  return new ApiError({ kind: 'aborted', message: 'The request was canceled.', sent, cause: reason });
}

const timeoutFacts: Readonly<Record<TimeoutPhase, (ms: number) => string>> = {
  connect: (ms) => `No connection within ${seconds(ms)} s.`,
  firstByte: (ms) => `No response within ${seconds(ms)} s.`,
  idle: (ms) => `No data received for ${seconds(ms)} s.`,
  total: (ms) => `Not finished within ${seconds(ms)} s.`,
};

function seconds(ms: number): string {
  return String(Math.round(ms / 100) / 10);
}
