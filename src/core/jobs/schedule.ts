import type { ScheduledJob } from './job';

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** How often a running job is checked. */
export interface Pace {
  readonly firstMs: number;
  readonly longestMs: number;
  /** Each check waits longer than the previous one by this factor. */
  readonly growth: number;
  /** Fraction of the time since the last progress to wait. */
  readonly ofAge: number;
  /** The longest delay before a failed step is retried, unless the service asks for more. */
  readonly longestFailureMs: number;
}

/** Hours and days: after its first hours, a batch is still checked at least every ten minutes. */
export const batchPace: Pace = {
  firstMs: 2 * secondMs,
  longestMs: 10 * minuteMs,
  growth: 1.12,
  ofAge: 1 / 10,
  longestFailureMs: 5 * minuteMs,
};
/** Minutes: other clients check every five seconds, and results may be available for ten minutes only. */
export const videoPace: Pace = {
  firstMs: 5 * secondMs,
  longestMs: 2 * minuteMs,
  growth: 1.01,
  ofAge: 1 / 60,
  longestFailureMs: minuteMs,
};

/** The service abandons unfinished requests at its deadline, and its partial results should be downloaded soon after. */
const nearExpiryMs = 10 * minuteMs;
const expiringMs = minuteMs;
/** A job the service forgot, or has not ended a day after its deadline, is checked once an hour. */
const overdueMs = 24 * hourMs;
const overdueDelayMs = hourMs;
/** The service stores files for 30 days; a job that has not ended by then will not. */
const hopelessMs = 30 * 24 * hourMs;

const firstFailureMs = 5 * secondMs;

/**
 * Returns when a job is due next, in Unix milliseconds: `now` or earlier means immediately, `undefined` that only the user can resume
 * it. Depends only on the wall clock, so that overdue jobs are found at the first check after sleep or restart. If the clock was set
 * back, a job last tried "in the future" is due immediately.
 */
export function dueAt(job: ScheduledJob, now: number, pace: Pace = batchPace): number | undefined {
  const delay = delayOf(job, now, pace);
  if (delay === undefined) return undefined;
  const { triedAt } = job;
  return triedAt === undefined || triedAt > now ? now : triedAt + delay;
}

function delayOf(job: ScheduledJob, now: number, pace: Pace): number | undefined {
  const { stage, lastError, failures = 0 } = job;
  if (stage === 'ended' || stage === 'refused' || lastError?.isFinal) return undefined;
  // Whichever window began it still holds it, or has closed.
  if (stage === 'preparing' || stage === 'submitting') return 0;
  if (isHopeless(job, now)) return undefined;
  if (failures > 0) return Math.max(restOf(job), Math.min(pace.longestFailureMs, firstFailureMs * 2 ** (failures - 1)));
  return stage === 'fetching' || stage === 'queued' ? 0 : lookDelay(job, now, pace);
}

/** Waits a fraction of the job's age, and longer after every check that found no progress, a count that no clock change can undo. */
function lookDelay(job: ScheduledJob, now: number, { firstMs, longestMs, growth, ofAge }: Pace): number {
  const { createdAt, changedAt = createdAt, looks = 0, expiresAt } = job;
  if (expiresAt !== undefined && now - expiresAt > overdueMs) return overdueDelayMs;
  const byAge = Math.max(0, now - changedAt) * ofAge;
  const byLooks = firstMs * growth ** Math.min(looks, 200);
  const delay = Math.min(longestMs, Math.max(firstMs, byAge, byLooks));
  const isExpiring = expiresAt !== undefined && Math.abs(now - expiresAt) < nearExpiryMs;
  return isExpiring ? Math.min(delay, expiringMs) : delay;
}

/** A service that asks for a day is asked again within the hour, because it may not store the results for longer. */
function restOf({ restMs = 0 }: ScheduledJob): number {
  return Math.min(restMs, hourMs);
}

function isHopeless({ createdAt, expiresAt = createdAt }: ScheduledJob, now: number): boolean {
  return now - Math.max(createdAt, expiresAt) > hopelessMs;
}
