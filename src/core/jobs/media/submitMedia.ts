import { setTimeout as wait } from 'node:timers/promises';
import { isApiError } from '../../api/errors';
import { StepFailure } from '../job';
import type { JobPatch, JobError } from '../job';
import type { JobBoard } from '../jobBoard';
import { RequestProblem } from '../requestProblem';
import { toJobError } from '../jobError';
import type { MediaJob, MediaJobRequest } from './mediaJob';
import type { ConnectMedia, MediaService, RequestObserver } from './mediaService';

export interface SubmitParts {
  readonly board: JobBoard<MediaJob>;
  readonly connect: ConnectMedia;
  /** Returns the request as it is sent: with its input images instead of their names. */
  readonly expand: (order: MediaJobRequest) => Promise<MediaJobRequest>;
  readonly now: () => number;
  /** Aborted when this window shuts down. */
  readonly closing: AbortSignal;
  readonly onTrouble: (error: unknown) => void;
}

export interface SubmitProgress {
  readonly signal?: AbortSignal | undefined;
  /** Called when the request waits at a rate limit until then (Unix milliseconds). */
  readonly onWait?: ((until: number) => void) | undefined;
  /** A request in flight ignores the signal: it is paid for, and its result could not be found later. */
  readonly goesOnOnceSent?: boolean;
}

/**
 * Sends a job that is on record. Resolves with the resulting job: `fetching` or `running`, `refused` if it was certainly not started,
 * `unknown` if the response was lost, `ended` if the response is empty. Rejects if the signal aborted before anything was sent, or a
 * record could not be written; once sent, retries to write the outcome until it is written, or the window closes. The caller must
 * hold the job.
 */
export async function submitMedia(job: MediaJob, parts: SubmitParts, progress: SubmitProgress): Promise<MediaJob> {
  const { signal } = progress;
  const { board, now } = parts;
  let service: MediaService;
  let order: MediaJobRequest;
  try {
    service = await parts.connect(job);
    order = await parts.expand(job.order);
  } catch (error) {
    signal?.throwIfAborted();
    const trouble = troubleOf(error);
    return keep(job, parts, { stage: 'refused', trouble: { ...trouble, at: now() }, triedAt: now() });
  }
  signal?.throwIfAborted();
  let isOurs = false;
  const submitting = await board.update(job.id, (current) => {
    // Another window considered the job abandoned while this one slept: its outcome is kept.
    isOurs = current.stage === job.stage && current.triedAt === job.triedAt;
    return isOurs ? { stage: 'submitting', trouble: undefined, triedAt: now() } : undefined;
  });
  if (!submitting || !isOurs) throw new RequestProblem('takenOver');
  return send(submitting, { service, order }, parts, progress.goesOnOnceSent ? whileWaiting(progress, now) : progress);
}

/** Obeys the signal only while the request waits at a rate limit, because it is not in flight then. */
function whileWaiting({ signal, onWait }: SubmitProgress, now: () => number): SubmitProgress {
  const stop = new AbortController();
  let waitsUntil = 0;
  const look = () => {
    if (signal?.aborted && now() < waitsUntil) stop.abort(signal.reason);
  };
  if (signal?.aborted) stop.abort(signal.reason);
  signal?.addEventListener('abort', look, { once: true });
  return {
    signal: stop.signal,
    onWait: (until) => {
      waitsUntil = until;
      look();
      onWait?.(until);
    },
  };
}

function troubleOf(error: unknown): Omit<JobError, 'at'> {
  if (error instanceof StepFailure) return error.trouble;
  return toJobError(error, isApiError(error) ? 'refused' : 'input');
}

async function send(
  job: MediaJob,
  sent: { readonly service: MediaService; readonly order: MediaJobRequest },
  parts: SubmitParts,
  { signal, onWait }: SubmitProgress,
): Promise<MediaJob> {
  let answer: { readonly traceId: string | undefined } | undefined;
  const watch: RequestObserver = {
    onWait: ({ until }) => onWait?.(until),
    onAnswer: (head) => (answer = head),
  };
  const told = () => (answer?.traceId === undefined ? {} : { traceId: answer.traceId });
  let patch: JobPatch<MediaJob>;
  try {
    patch = await ask(job, { ...sent, watch, signal }, parts);
  } catch (error) {
    const isOpen = !isApiError(error) || error.details.maybeBilled === true;
    if (!isOpen && signal?.aborted) {
      await parts.board.remove(job.id);
      throw error;
    }
    patch = afterFailure(error, { isOpen, isAnswered: answer !== undefined }, parts);
  }
  return keepSurely(job, parts, { ...patch, ...told() });
}

async function ask(
  { order: { request } }: MediaJob,
  call: {
    readonly service: MediaService;
    readonly order: MediaJobRequest;
    readonly watch: RequestObserver;
    readonly signal: AbortSignal | undefined;
  },
  { now }: SubmitParts,
): Promise<JobPatch<MediaJob>> {
  const { service, order, watch, signal } = call;
  if (order.kind === 'video') {
    const { requestId } = await service.videos.submit({ ...order.request, watch }, signal);
    return { requestId, stage: 'running', changedAt: now() };
  }
  const { images, seed, inferenceSeconds } = await service.images.generate({ ...order.request, watch }, signal);
  if (images.length === 0) return nothing('The list of pictures is empty.', now());
  const used = seed ?? request.seed ?? undefined;
  return {
    stage: 'fetching',
    results: images,
    answeredAt: now(),
    changedAt: now(),
    ...(used !== undefined && { seed: used }),
    ...(inferenceSeconds !== undefined && { inferenceSeconds }),
  };
}

function afterFailure(
  error: unknown,
  { isOpen, isAnswered }: { readonly isOpen: boolean; readonly isAnswered: boolean },
  { now }: SubmitParts,
): JobPatch<MediaJob> {
  if (!isOpen) return { stage: 'refused', trouble: { ...toJobError(error, 'refused'), at: now() }, triedAt: now() };
  const isCut = isApiError(error) && ['network', 'timeout', 'truncated', 'aborted'].includes(error.kind);
  if (isAnswered && isApiError(error) && !isCut) {
    return { ...nothing('', now()), trouble: { ...toJobError(error, 'noResults'), at: now(), isFinal: true } };
  }
  return lost(toJobError(error, 'answerLost'), now());
}

/** Returns the change for a job that cannot be found at the service: the user has to decide. */
export function lost(trouble: Omit<JobError, 'at'>, now: number): JobPatch<MediaJob> {
  return { stage: 'unknown', trouble: { ...trouble, kind: 'answerLost', at: now, isFinal: true }, triedAt: now };
}

function nothing(message: string, now: number): JobPatch<MediaJob> {
  return { stage: 'ended', trouble: { kind: 'noResults', message, at: now, isFinal: true }, triedAt: now };
}

const firstRestMs = 100;
const longestRestMs = 5000;

/** Retries until the record is written, because it may be the only trace of something paid for. */
async function keepSurely(job: MediaJob, parts: SubmitParts, patch: JobPatch<MediaJob>): Promise<MediaJob> {
  for (let restMs = firstRestMs; ; restMs = Math.min(longestRestMs, restMs * 2)) {
    try {
      return await keep(job, parts, patch);
    } catch (error) {
      if (restMs === firstRestMs) parts.onTrouble(error);
      if (parts.closing.aborted) throw error;
      await wait(restMs, undefined, { signal: parts.closing });
    }
  }
}

async function keep(job: MediaJob, { board }: SubmitParts, patch: JobPatch<MediaJob>): Promise<MediaJob> {
  return (await board.update(job.id, () => patch)) ?? job;
}
