import type { ApiErrorKind, LimitKind } from '../api/errors';

/** What is known of a failure; `user`: the person set a limit that is reached. */
export interface Failure {
  readonly kind: ApiErrorKind | 'user' | 'unexpected';
  readonly limit?: LimitKind | undefined;
  readonly retryAfterMs?: number | undefined;
}

/** Keeps what asks by itself from asking again and again where it just failed. */
export interface Backoff {
  /** Unix milliseconds before which nothing is asked; `Infinity` until something changes. 0: it may be asked. */
  readonly until: number;
  failed(failure: Failure): void;
  /** It went well, or something changed that may have been the reason. */
  reset(): void;
}

const second = 1000;
const firstPauseMs = 5 * second;
const longestPauseMs = 300 * second;
/** Of a limit per minute whose end the service does not tell. */
const minutePauseMs = 30 * second;
/** Of a limit per hour or day: rarely enough not to count. */
const dayPauseMs = 900 * second;
/** A budget starts anew at midnight, or when it is changed. */
const budgetPauseMs = 60 * second;

/** What passes by itself. Everything else lasts until the key, the account, the model or a setting is another one. */
const passing: ReadonlySet<Failure['kind']> = new Set<Failure['kind']>([
  'rateLimit',
  'overloaded',
  'server',
  'network',
  'timeout',
  'truncated',
  'badResponse',
  'tooLong',
]);

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

/** Each failure in a row triples the pause. */
function pauseMs({ kind, limit, retryAfterMs = 0 }: Failure, failures: number): number {
  if (kind === 'user') return budgetPauseMs;
  if (!passing.has(kind)) return Infinity;
  const grown = Math.min(longestPauseMs, firstPauseMs * 3 ** (failures - 1));
  const least = kind !== 'rateLimit' ? 0 : limit !== undefined && /[HD]$/.test(limit) ? dayPauseMs : minutePauseMs;
  return Math.max(retryAfterMs, retryAfterMs > 0 ? 0 : least, grown);
}
