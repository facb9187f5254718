import * as l10n from '@vscode/l10n';
import { env } from 'vscode';
import { isSameService } from '../../../core/jobs/sameService';
import type { Profile } from '../../../services/account/account';
import { foreign } from '../../../core/text/foreignText';
import type { ApiErrorKind } from '../../../core/api/errorKinds';
import { isApiError, isLongLimit } from '../../../core/api/errors';
import type { GateWait } from '../../../core/api/transport/gate';
import type { ImageRun, RunProblem } from '../../../core/imageRuns/imageRun';
import type { QueueWait, Sent } from '../../../core/imageRuns/imageQueue';
import type { MediaJob } from '../../../services/media/media';
import { waitTitle } from '../../../platform/errors/rateLimitMessages';
import { describe } from '../../../platform/errors/reportError';
import { dateFormat } from '../../../protocol/formats';
import { jobErrorOnWire } from '../../../services/jobs/jobs';
import { mediaErrorText } from '../../../services/media/mediaMessages';
import { isUserError, UserError } from '../../../platform/errors/userError';

/** Wait if the service names no time: a per-minute limit has passed by then. */
const usualLimitMs = 60_000;
/** A service that has just refused and asks for a shorter wait would only refuse again. */
const leastLimitMs = 1000;
/** Errors of the request itself: the next one may succeed. */
const ofRequest: readonly ApiErrorKind[] = [
  'badRequest',
  'invalidParameter',
  'moderation',
  'tooLong',
  'requestTooLarge',
  'file',
];

/** Returns what the outcome of a submitted request means for those after it. */
export function outcomeOf(job: MediaJob): Sent {
  const { id: jobId, stage, lastError } = job;
  if (stage === 'unknown') return { kind: 'unknown', jobId, problem: jobProblem(job) };
  if (stage === 'ended' && lastError?.kind === 'failed') return { kind: 'failed', jobId, problem: jobProblem(job) };
  if (stage !== 'refused') return { kind: 'answered', jobId };
  const { error } = lastError ?? {};
  if (error?.kind === 'rateLimit') return limited(job, error.limit, error.retryAfterMs);
  const isOfRequest = lastError?.kind === 'input' || (error !== undefined && ofRequest.includes(error.kind));
  return isOfRequest
    ? { kind: 'refused', jobId, problem: jobProblem(job) }
    : { kind: 'held', problem: jobProblem(job) };
}

/** Returns the outcome of a request for which no job was stored. */
export function outcomeOfError(error: unknown): Sent {
  const isOfRequest = isUserError(error) || (isApiError(error) && ofRequest.includes(error.kind));
  return { kind: isOfRequest ? 'rejected' : 'held', problem: errorProblem(error) };
}

/** Does not wait out limits per hour or day: the user continues later. */
function limited(job: MediaJob, limit: string | undefined, retryAfterMs: number | undefined): Sent {
  const problem = jobProblem(job);
  return {
    kind: 'limited',
    problem,
    ...(limit !== undefined && { limit }),
    ...(!isLongLimit(limit) && { waitMs: retryAfterMs ? Math.max(retryAfterMs, leastLimitMs) : usualLimitMs }),
  };
}

export function jobProblem(job: MediaJob): RunProblem {
  const { lastError } = job;
  if (!lastError) return { kind: 'unknown', title: '', detail: '' };
  const error = jobErrorOnWire(lastError);
  return {
    kind: error?.kind ?? lastError.kind,
    title: error?.title ?? '',
    detail: error?.detail ?? mediaErrorText(lastError, job),
  };
}

export function errorProblem(error: unknown): RunProblem {
  const { kind, title, detail } = describe(error);
  return { kind, title, detail };
}

/** Describes why a request in flight is delayed, and until when; empty if it is not. */
export function sendingNote(wait: GateWait | undefined): string {
  return wait && wait.until > Date.now() ? continuesAt(waitTitle(wait), wait.until) : '';
}

/** Describes why the next request of a run is not sent yet, and until when. */
export function queueNote({ reason, until, limit }: QueueWait): string {
  if (reason === 'pace') return l10n.t('The next request will be sent at {0}.', clockTime(until));
  return continuesAt(waitTitle({ reason: 'rateLimit', limit }), until);
}

function continuesAt(title: string, until: number): string {
  return l10n.t('{0}. Resuming at {1}.', title, clockTime(until));
}

function clockTime(at: number): string {
  return dateFormat(env.language, { timeStyle: 'medium' }).format(at);
}

/** Returns why a run cannot continue: its profile is missing, or points to another service than when the run was started. */
export function serviceProblem({ baseUrl }: ImageRun, profile: Profile | undefined): UserError | undefined {
  if (!profile) {
    return new UserError(
      l10n.t('The account used for these images has been removed'),
      l10n.t('Generate the remaining images with another account.'),
    );
  }
  if (baseUrl === undefined || isSameService(baseUrl, profile.baseUrl)) return undefined;
  return new UserError(
    l10n.t('The base URL of {0} has changed', foreign(profile.name)),
    l10n.t(
      'These images come from {0}, not {1}. Restore the base URL, or regenerate the other images.',
      baseUrl,
      profile.baseUrl,
    ),
  );
}

export function sentElsewhere(): UserError {
  return new UserError(
    l10n.t('Another window is generating these images'),
    l10n.t('Continue in that window, or close it and try again.'),
  );
}

export function takenOff(): UserError {
  return new UserError(
    l10n.t('Another window removed these images from the page'),
    l10n.t('See the gallery. No request was sent.'),
  );
}
