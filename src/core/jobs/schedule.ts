import type { Job } from './job';

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** How often a job that runs is looked at. */
export interface Pace {
  readonly firstMs: number;
  readonly longestMs: number;
  /** Each look waits for so much more than the last one. */
  readonly growth: number;
  /** Of the time since it was last seen to get on, this part is waited for. */
  readonly ofAge: number;
  /** What failed is tried again that late at the latest, unless the service asks for more. */
  readonly longestFailureMs: number;
}

/** Hours and days: beyond its first hours a batch is looked at every ten minutes at least. */
export const batchPace: Pace = {
  firstMs: 2 * secondMs,
  longestMs: 10 * minuteMs,
  growth: 1.12,
  ofAge: 1 / 10,
  longestFailureMs: 5 * minuteMs,
};
/** Minutes: other clients ask every five seconds, and what came may be had for ten minutes only. */
export const videoPace: Pace = {
  firstMs: 5 * secondMs,
  longestMs: 2 * minuteMs,
  growth: 1.01,
  ofAge: 1 / 60,
  longestFailureMs: minuteMs,
};

/** The service gives up what it could not do in time: its partial results are wanted soon after. */
const nearExpiryMs = 10 * minuteMs;
const expiringMs = minuteMs;
/** What the service forgot, or has not ended a day after its time, is asked for once an hour. */
const overdueMs = 24 * hourMs;
const overdueDelayMs = hourMs;
/** The service keeps files for 30 days; what has not ended by then will not. */
const hopelessMs = 30 * 24 * hourMs;

const firstFailureMs = 5 * secondMs;

export type ScheduledJob = Pick<
  Job,
  'stage' | 'createdAt' | 'triedAt' | 'changedAt' | 'looks' | 'failures' | 'restMs' | 'expiresAt' | 'trouble'
>;

/**
 * When a job is to be gone on with next, in Unix milliseconds; not later than `now` means at once, `undefined` that only a
 * person can. All of it follows from the wall clock: whoever slept or was closed finds what is overdue at the first look. A
 * clock that was set back makes what was last tried "in the future" due at once.
 */
export function dueAt(job: ScheduledJob, now: number, pace: Pace = batchPace): number | undefined {
  const delay = delayOf(job, now, pace);
  if (delay === undefined) return undefined;
  const { triedAt } = job;
  return triedAt === undefined || triedAt > now ? now : triedAt + delay;
}

function delayOf(job: ScheduledJob, now: number, pace: Pace): number | undefined {
  const { stage, trouble, failures = 0 } = job;
  if (stage === 'ended' || stage === 'refused' || trouble?.isFinal) return undefined;
  // Whoever began it holds it, or is gone.
  if (stage === 'preparing' || stage === 'submitting') return 0;
  if (isHopeless(job, now)) return undefined;
  if (failures > 0) return Math.max(restOf(job), Math.min(pace.longestFailureMs, firstFailureMs * 2 ** (failures - 1)));
  return stage === 'fetching' ? 0 : lookDelay(job, now, pace);
}

/** A part of what it lasted already, and slower with every look that saw nothing new, which no clock can undo. */
function lookDelay(job: ScheduledJob, now: number, { firstMs, longestMs, growth, ofAge }: Pace): number {
  const { createdAt, changedAt = createdAt, looks = 0, expiresAt } = job;
  if (expiresAt !== undefined && now - expiresAt > overdueMs) return overdueDelayMs;
  const byAge = Math.max(0, now - changedAt) * ofAge;
  const byLooks = firstMs * growth ** Math.min(looks, 200);
  const delay = Math.min(longestMs, Math.max(firstMs, byAge, byLooks));
  const isExpiring = expiresAt !== undefined && Math.abs(now - expiresAt) < nearExpiryMs;
  return isExpiring ? Math.min(delay, expiringMs) : delay;
}

/** A service that asks for a day is asked again within the hour: its results may not be kept for longer. */
function restOf({ restMs = 0 }: ScheduledJob): number {
  return Math.min(restMs, hourMs);
}

function isHopeless({ createdAt, expiresAt = createdAt }: ScheduledJob, now: number): boolean {
  return now - Math.max(createdAt, expiresAt) > hopelessMs;
}
