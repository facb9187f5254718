import { errorKinds } from '../errorKinds';
import { isLongLimit, type ApiError } from '../errors';
import type { Work } from './transport';

export interface RetryFacts {
  readonly work: Work;
  /** Number of attempts so far, from 1. */
  readonly attempt: number;
  readonly error: ApiError;
  /** From 0 up to, but not including, 1. */
  readonly random: number;
}

export type RetryDecision =
  | { readonly retry: false }
  | {
      readonly retry: true;
      readonly delayMs: number;
      readonly reason: 'rateLimit' | 'overloaded' | 'network' | 'server';
    };

type RetryReason = Extract<RetryDecision, { retry: true }>['reason'];

/** A limit per minute takes longer to pass than a transient error. */
const maxAttempts: Readonly<Record<RetryReason, number>> = { rateLimit: 5, overloaded: 3, network: 3, server: 3 };
const firstDelayMs: Readonly<Record<RetryReason, number>> = {
  rateLimit: 2000,
  overloaded: 1000,
  network: 500,
  server: 500,
};
const maxDelayMs = 20_000;
/** The minimum wait before the second attempt, doubled before each further one, for a service that requests a shorter wait or none. */
const minDelayMs = 250;
/** A longer Retry-After is not waited for; the call fails instead. */
export const maxRetryAfterMs = 60_000;

/**
 * Decides whether and when a failed call is retried. Calls that only read can be retried after any transient failure. Calls that start work
 * are retried only if the service certainly did not begin: nothing was sent, or it said so (429 of a per-minute limit, 503).
 */
export function decideRetry({ work, attempt, error, random }: RetryFacts): RetryDecision {
  const reason = work === 'read' || work === 'poll' ? reasonToReadAgain(error) : reasonToStartAgain(error);
  if (!reason || attempt >= maxAttempts[reason]) return { retry: false };
  const { retryAfterMs } = error.details;
  if (retryAfterMs !== undefined) {
    if (retryAfterMs > maxRetryAfterMs) return { retry: false };
    return { retry: true, delayMs: Math.max(retryAfterMs, minDelayMs * 2 ** (attempt - 1)), reason };
  }
  // Full jitter: callers that failed together must not retry together.
  const ceiling = Math.min(maxDelayMs, firstDelayMs[reason] * 2 ** (attempt - 1));
  return { retry: true, delayMs: Math.round(random * ceiling), reason };
}

function reasonToStartAgain(error: ApiError): RetryReason | undefined {
  const { status, sent } = error.details;
  if (status === 429) return reasonOfLimit(error);
  if (status === 503 || status === 529) {
    return errorKinds[error.kind].retry === 'overloaded' ? 'overloaded' : undefined;
  }
  return sent === false && isPassing(error) ? 'network' : undefined;
}

function reasonToReadAgain(error: ApiError): RetryReason | undefined {
  const { retry } = errorKinds[error.kind];
  if (retry === 'rateLimit') return reasonOfLimit(error);
  return error.details.phase === 'total' ? undefined : retry;
}

function reasonOfLimit(error: ApiError): RetryReason | undefined {
  return errorKinds[error.kind].retry === 'rateLimit' && !isLongLimit(error.details.limit) ? 'rateLimit' : undefined;
}

function isPassing({ kind, details }: ApiError): boolean {
  const { connection, retry } = errorKinds[kind];
  return connection === true && retry !== undefined && details.phase !== 'total';
}
