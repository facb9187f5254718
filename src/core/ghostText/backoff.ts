import { errorKinds } from '../api/errorKinds';
import type { ApiErrorKind } from '../api/errorKinds';
import { isLongLimit, type LimitKind } from '../api/errors';

/** The details of a failure. `user`: a limit set by the user is reached. */
export interface Failure {
  readonly kind: ApiErrorKind | 'user' | 'unexpected';
  readonly limit?: LimitKind | undefined;
  readonly retryAfterMs?: number | undefined;
}

/** Prevents automatic requests from being repeated right after a failure. */
export interface Backoff {
  /** Unix milliseconds before which no request is sent; `Infinity` until something changes; 0 if a request may be sent. */
  readonly until: number;
  failed(failure: Failure): void;
  /** Call after a success, or after a change of something that may have been the cause. */
  reset(): void;
}

const second = 1000;
const firstPauseMs = 5 * second;
const longestPauseMs = 300 * second;
/** For a limit per minute whose end the service does not report. */
const minutePauseMs = 30 * second;
/** For a limit per hour or day: rare enough to be negligible. */
const dayPauseMs = 900 * second;
/** A budget is reset at midnight, or when it is changed. */
const budgetPauseMs = 60 * second;

/** Whether the failure passes on its own. All others last until the key, the account, the model or a setting changes. */
function isPassing(kind: Exclude<Failure['kind'], 'user'>): boolean {
  if (kind === 'unexpected') return false;
  return errorKinds[kind].retry !== undefined || kind === 'badResponse' || kind === 'tooLong';
}

export function createBackoff(now: () => number): Backoff {
  let failures = 0;
  let until = 0;
  return {
    get until() {
      return until;
    },
    failed(failure) {
      failures++;
      until = now() + pauseMs(failure, failures);
    },
    reset() {
      failures = 0;
      until = 0;
    },
  };
}

/** Each consecutive failure triples the pause. */
function pauseMs({ kind, limit, retryAfterMs = 0 }: Failure, failures: number): number {
  if (kind === 'user') return budgetPauseMs;
  if (!isPassing(kind)) return Infinity;
  const grown = Math.min(longestPauseMs, firstPauseMs * 3 ** (failures - 1));
  const least = kind !== 'rateLimit' ? 0 : isLongLimit(limit) ? dayPauseMs : minutePauseMs;
  return Math.max(retryAfterMs, retryAfterMs > 0 ? 0 : least, grown);
}
