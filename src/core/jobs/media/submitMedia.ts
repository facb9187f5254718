import { setTimeout as wait } from 'node:timers/promises';
import { isApiError } from '../../api/errors';
import type { GeneratedImage } from '../../api/images/images.schema';
import { mayHaveBegun, StepFailure, toJobError } from '../job';
import type { JobPatch, JobError } from '../job';
import type { JobEngine } from '../jobEngine';
import { RequestProblem } from '../requestProblem';
import type { MediaJob, MediaJobRequest } from './mediaJob';
import type { MediaEngineOptions, MediaService, RequestObserver } from './mediaService';
import { placeResult } from './saveResult';

export interface SubmitProgress {
  readonly signal?: AbortSignal | undefined;
  /** Called when the request waits at a rate limit until then (Unix milliseconds). */
  readonly onWait?: ((until: number) => void) | undefined;
  /** A request in flight ignores the signal: it is paid for, and its result could not be found later. */
  readonly goesOnOnceSent?: boolean;
}

const firstRestMs = 100;
const longestRestMs = 5000;

/** Sends the media jobs of an engine to their service. */
export class MediaSubmitter {
  constructor(
    private readonly engine: JobEngine<MediaJob>,
    private readonly options: MediaEngineOptions,
  ) {}

  /**
   * Sends a job that is on record. Resolves with the resulting job: `fetching` or `running`, `refused` if it was certainly not
   * started, `unknown` if the response was lost, `ended` if the response is empty or an error after which it may have been charged. Rejects if the signal aborted before anything was
   * sent, or a record could not be written; once sent, retries to write the outcome until it is written, or the window closes. The
   * caller must hold the job.
   */
  async submit(job: MediaJob, progress: SubmitProgress): Promise<MediaJob> {
    const { signal } = progress;
    const { board, now } = this.engine;
    let service: MediaService;
    let task: MediaJobRequest;
    try {
      service = await this.options.connect(job);
      task = await this.options.expand(job.task);
    } catch (error) {
      signal?.throwIfAborted();
      const jobError = submitErrorOf(error);
      return this.keep(job, { stage: 'refused', lastError: { ...jobError, at: now() }, triedAt: now() });
    }
    signal?.throwIfAborted();
    let isOurs = false;
    const submitting = await board.update(job.id, (current) => {
      // Another window considered the job abandoned while this one slept: its outcome is kept.
      isOurs = current.stage === job.stage && current.triedAt === job.triedAt;
      return isOurs ? { stage: 'submitting', lastError: undefined, triedAt: now() } : undefined;
    });
    if (!submitting || !isOurs) throw new RequestProblem('takenOver');
    return this.send(submitting, { service, task }, progress.goesOnOnceSent ? whileWaiting(progress, now) : progress);
  }

  private async send(
    job: MediaJob,
    sent: { readonly service: MediaService; readonly task: MediaJobRequest },
    { signal, onWait }: SubmitProgress,
  ): Promise<MediaJob> {
    let answer: { readonly traceId: string | undefined } | undefined;
    const watch: RequestObserver = {
      onWait: ({ until }) => onWait?.(until),
      onAnswer: (head) => (answer = head),
    };
    const tracePatch = () => (answer?.traceId === undefined ? {} : { traceId: answer.traceId });
    let patch: JobPatch<MediaJob>;
    let images: readonly GeneratedImage[] = [];
    try {
      ({ images = [], ...patch } = await this.ask(job, { ...sent, watch }, signal));
    } catch (error) {
      const isOpen = mayHaveBegun(error);
      if (!isOpen && signal?.aborted) {
        await this.engine.board.remove(job.id);
        throw error;
      }
      patch = afterFailure(error, { isOpen, isAnswered: answer !== undefined }, this.engine.now());
    }
    return this.keepSurely(job, { ...patch, ...tracePatch() }, images);
  }

  private async ask(
    { task: { request } }: MediaJob,
    call: { readonly service: MediaService; readonly task: MediaJobRequest; readonly watch: RequestObserver },
    signal: AbortSignal | undefined,
  ): Promise<JobPatch<MediaJob> & { readonly images?: readonly GeneratedImage[] }> {
    const { now } = this.engine;
    const { service, task, watch } = call;
    if (task.kind === 'video') {
      const { requestId } = await service.videos.submit({ ...task.request, watch }, signal);
      return { requestId, stage: 'running', changedAt: now() };
    }
    const { images, hasMore, seed, inferenceSeconds } = await service.images.generate(
      { ...task.request, watch },
      signal,
    );
    if (images.length === 0) return nothing('The list of images is empty.', now());
    const used = seed ?? request.seed ?? undefined;
    return {
      stage: 'fetching',
      images,
      results: images.map((image) => ({ url: 'url' in image ? image.url : '' })),
      answeredAt: now(),
      changedAt: now(),
      ...(hasMore && { hasMore }),
      ...(used !== undefined && { seed: used }),
      ...(inferenceSeconds !== undefined && { inferenceSeconds }),
    };
  }

  /** Retries until the images and the record are written, because they may be the only trace of something paid for. */
  private async keepSurely(
    job: MediaJob,
    patch: JobPatch<MediaJob>,
    images: readonly GeneratedImage[],
  ): Promise<MediaJob> {
    const { closing, options } = this.engine;
    const { fallback } = this.options;
    for (let restMs = firstRestMs; ; restMs = Math.min(longestRestMs, restMs * 2)) {
      try {
        for (const [index, image] of images.entries()) {
          if ('bytes' in image) await placeResult(image.bytes, { job, index, fallback });
        }
        return await this.keep(job, patch);
      } catch (error) {
        if (restMs === firstRestMs) options.onError(error);
        if (closing.aborted) throw error;
        await wait(restMs, undefined, { signal: closing });
      }
    }
  }

  private async keep(job: MediaJob, patch: JobPatch<MediaJob>): Promise<MediaJob> {
    return (await this.engine.board.update(job.id, () => patch)) ?? job;
  }
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

function submitErrorOf(error: unknown): Omit<JobError, 'at'> {
  if (error instanceof StepFailure) return error.jobError;
  return toJobError(error, isApiError(error) ? 'refused' : 'input');
}

function afterFailure(
  error: unknown,
  { isOpen, isAnswered }: { readonly isOpen: boolean; readonly isAnswered: boolean },
  now: number,
): JobPatch<MediaJob> {
  if (!isOpen) return { stage: 'refused', lastError: { ...toJobError(error, 'refused'), at: now }, triedAt: now };
  if (isApiError(error) && (error.details.status ?? 0) >= 400) {
    return { stage: 'ended', lastError: { ...toJobError(error, 'failed'), at: now, isFinal: true }, triedAt: now };
  }
  const isCut = isApiError(error) && ['network', 'timeout', 'truncated', 'aborted'].includes(error.kind);
  if (isAnswered && isApiError(error) && !isCut) {
    return { ...nothing('', now), lastError: { ...toJobError(error, 'noResults'), at: now, isFinal: true } };
  }
  return lost(toJobError(error, 'answerLost'), now);
}

/** Returns the change for a job that cannot be found at the service: the user has to decide. */
export function lost(jobError: Omit<JobError, 'at'>, now: number): JobPatch<MediaJob> {
  return { stage: 'unknown', lastError: { ...jobError, kind: 'answerLost', at: now, isFinal: true }, triedAt: now };
}

function nothing(message: string, now: number): JobPatch<MediaJob> {
  return { stage: 'ended', lastError: { kind: 'noResults', message, at: now, isFinal: true }, triedAt: now };
}
