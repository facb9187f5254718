import { isApiError } from '../../../core/api/errors';
import type { ApiErrorKind } from '../../../core/api/errorKinds';
import type { RunProblem } from '../../../core/imageRuns/imageRun';
import type { Sent } from '../../../core/imageRuns/imageQueue';
import type { MediaJob } from '../../../services/media/media';
import { describe } from '../../../platform/errors/reportError';
import { jobErrorOnWire } from '../../../services/jobs/jobs';
import { isUserError } from '../../../platform/errors/userError';

/** Wait if the service names no time: a per-minute limit has passed by then. */
const usualLimitMs = 60_000;
/** Errors of the request itself: the next one may succeed. */
const ofOrder: readonly ApiErrorKind[] = ['badRequest', 'invalidParameter', 'tooLong', 'file'];

/** Returns what the outcome of a submitted request means for those after it. */
export function outcomeOf(job: MediaJob): Sent {
  const { id: jobId, stage, trouble } = job;
  if (stage === 'unknown') return { kind: 'unknown', jobId, trouble: jobProblem(job) };
  if (stage !== 'refused') return { kind: 'answered', jobId };
  const { error } = trouble ?? {};
  if (error?.kind === 'rateLimit') return limited(job, error.limit, error.retryAfterMs);
  const isOfOrder = trouble?.kind === 'input' || (error !== undefined && ofOrder.includes(error.kind));
  return isOfOrder ? { kind: 'refused', jobId, trouble: jobProblem(job) } : { kind: 'held', trouble: jobProblem(job) };
}

/** Returns the outcome of a request for which no job was stored. */
export function outcomeOfError(error: unknown): Sent {
  const isOfOrder = isUserError(error) || (isApiError(error) && ofOrder.includes(error.kind));
  return { kind: isOfOrder ? 'rejected' : 'held', trouble: errorProblem(error) };
}

/** Does not wait out limits per hour or day: the user continues later. */
function limited(job: MediaJob, limit: string | undefined, retryAfterMs: number | undefined): Sent {
  const trouble = jobProblem(job);
  const isLong = limit !== undefined && /[HD]$/.test(limit);
  return {
    kind: 'limited',
    trouble,
    ...(limit !== undefined && { limit }),
    ...(!isLong && { waitMs: retryAfterMs ?? usualLimitMs }),
  };
}

export function jobProblem({ trouble }: MediaJob): RunProblem {
  if (!trouble) return { kind: 'unknown', title: '', detail: '' };
  const error = jobErrorOnWire(trouble);
  return {
    kind: error?.kind ?? trouble.kind,
    title: error?.title ?? '',
    detail: error?.detail ?? trouble.message,
  };
}

export function errorProblem(error: unknown): RunProblem {
  const { kind, title, detail } = describe(error);
  return { kind, title, detail };
}
