import '../../../schema/jitless';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod/mini';
import { realLocation } from '../../workspace/realLocation';
import { JobEngine } from '../jobEngine';
import { RequestProblem } from '../requestProblem';
import { videoPace } from '../schedule';
import type { UnreadableJob } from '../jobStore';
import type { MediaJob, MediaJobRequest } from './mediaJob';
import type { ConnectMedia, MediaEngineOptions, MediaService, RequestObserver } from './mediaService';
import { placedResults, removeParts } from './resultParts';
import { imageRequest, type GeneratedImage } from '../../api/images/images.schema';
import { videoRequest, type VideoStatus } from '../../api/videos/videos.schema';
import { renamed } from '../../storage/storedFile';
import { jobMembers } from '../jobMembers';
import { type JobPatch, StepFailure, type JobError, toJobError, mayHaveBegun, type JobOwner } from '../job';
import type { JobDriver, StepTools } from '../jobDriver';
import { saveResult, type SaveTarget, placeResult } from './saveResult';
import { isApiError } from '../../api/errors';

export interface NewMedia extends JobOwner {
  readonly task: MediaJobRequest;
  /** These are as in `MediaJob`. */
  readonly folder: string;
  readonly group?: string;
  readonly replaces?: string;
}

/** The media jobs of all windows of this machine. Methods on a job reject with `RequestProblem` if they do not apply to it. */
export class MediaEngine {
  private readonly engine: JobEngine<MediaJob>;
  private readonly submitter: MediaSubmitter;

  constructor(readonly options: MediaEngineOptions) {
    const { connect, fallback } = options;
    this.engine = new JobEngine(createMediaDriver(connect, { fallback, lock: this.lock }), options);
    this.submitter = new MediaSubmitter(this.engine, options);
  }

  /** Newest first. */
  get jobs(): readonly MediaJob[] {
    return this.engine.board.jobs;
  }

  get unreadable(): readonly UnreadableJob[] {
    return this.engine.board.unreadable;
  }

  get isPolling(): boolean {
    return this.engine.isPolling;
  }

  /** Runs `work` while no other window runs any under the same name. */
  readonly lock: SaveTarget['lock'] = (name, work) => this.engine.leases.hold(name, work);

  refresh(): Promise<void> {
    return this.engine.refresh();
  }

  wake(): Promise<void> {
    return this.engine.wake();
  }

  /** Resolves like `MediaSubmitter.submit`. */
  async submit(submission: NewMedia, progress: SubmitProgress = {}): Promise<MediaJob> {
    const { engine, options } = this;
    const { board } = engine;
    const realFolder = realLocation(submission.folder);
    const job: MediaJob = {
      ...submission,
      realFolder,
      id: options.newId(),
      createdAt: engine.now(),
      stage: 'preparing',
    };
    const sent = await engine.hold(job.id, async () => {
      await engine.addPaid(job, options.checkPaid);
      try {
        return await this.submitter.submit(job, progress);
      } catch (error) {
        // Nothing that costs money was sent: the user canceled, or the record could not be written.
        if (board.get(job.id)?.stage === 'preparing') await board.remove(job.id);
        throw error;
      }
    });
    // The addresses are known now and expire soon, so this is not left to a window that may be busy.
    if (sent.stage === 'fetching') void engine.begin(job.id).catch(options.onError);
    return sent;
  }

  /** If another window has the job, waits for at most `heldMs`. */
  checkNow(id: string, heldMs?: number): Promise<MediaJob> {
    return this.engine.checkNow(id, heldMs);
  }

  async fetchAgain(id: string, { evenIfLarge }: { readonly evenIfLarge?: boolean } = {}): Promise<MediaJob> {
    const { engine } = this;
    await engine.hold(id, async () => {
      await engine.board.update(id, () => undefined);
      const { results, requestId, stage } = engine.get(id);
      if (stage !== 'fetching' && stage !== 'ended' && stage !== 'running') throw new RequestProblem('notRunning');
      const again = { failures: undefined, lastError: undefined, triedAt: undefined, toldEndAt: undefined } as const;
      const next = results ? 'fetching' : requestId === undefined ? undefined : 'running';
      if (!next) throw new RequestProblem('notRunning');
      await engine.board.update(id, () => ({ ...again, stage: next, ...(evenIfLarge && { evenIfLarge }) }));
    });
    return engine.step(id);
  }

  async forget(id: string): Promise<void> {
    const job = this.engine.board.get(id);
    await this.engine.board.remove(id);
    if (job) await removeParts(job, this.options.fallback);
  }

  /** Resolves once nothing is being written any more. */
  dispose(): Promise<void> {
    return this.engine.dispose();
  }
}

const optionalNumber = z.optional(z.number());
const optionalText = z.optional(z.string());

/** Retains members of later versions. */
const schema = z.looseObject({
  ...jobMembers,
  task: z.discriminatedUnion('kind', [
    z.looseObject({ kind: z.literal('image'), request: z.looseObject(imageRequest.shape) }),
    z.looseObject({ kind: z.literal('video'), request: z.looseObject(videoRequest.shape) }),
  ]),
  group: optionalText,
  replaces: optionalText,
  requestId: optionalText,
  status: optionalText,
  position: optionalNumber,
  answeredAt: optionalNumber,
  results: z.optional(z.array(z.looseObject({ url: z.string(), path: optionalText }))),
  counted: optionalNumber,
  hasMore: z.optional(z.boolean()),
  seed: optionalNumber,
  inferenceSeconds: optionalNumber,
  traceId: optionalText,
  folder: z.string(),
  realFolder: optionalText,
  evenIfLarge: z.optional(z.boolean()),
});

/** Returns `undefined` for an incomplete record. Also reads the names of version 0.1.0, `trouble` and `order`. */
export function readMediaJob(raw: unknown): MediaJob | undefined {
  const read = schema.safeParse(renamed(renamed(raw, 'trouble', 'lastError'), 'order', 'task'));
  return read.success ? (read.data as unknown as MediaJob) : undefined;
}

/** Creates the driver that follows a job until its files are saved. */
function createMediaDriver(connect: ConnectMedia, place: SaveTarget): JobDriver<MediaJob> {
  return {
    pace: videoPace,
    readJob: readMediaJob,
    countedPatch: ({ results = [], counted = 0 }) =>
      results.length > counted ? { counted: results.length } : undefined,
    async find(job, tools) {
      const placed = await placedResults(job, place.fallback);
      if (placed.length > 0)
        return { stage: 'fetching', results: placed, answeredAt: tools.now(), lastError: undefined };
      const message = job.lastError?.message ?? '';
      return lost({ message, ...job.lastError, kind: 'answerLost' }, tools.now());
    },
    async look(job, tools) {
      return afterLook(job, await askStatus(await connect(job), job, tools.signal), tools);
    },
    fetch: (job, tools) => fetchMedia({ job, tools, connect, place }),
  };
}

/** How often to check for the address, which may appear a little after the end. */
const looksForResults = 24;
const underWay = ['inqueue', 'inprogress'];

function afterLook(job: MediaJob, status: VideoStatus, tools: StepTools<MediaJob>): JobPatch<MediaJob> {
  const now = tools.now();
  const patch = seen(job, status, now);
  const word = status.status.toLowerCase();
  if (word === 'failed') {
    const lastError = { kind: 'failed', message: status.reason ?? '', at: now, isFinal: true } as const;
    return { ...patch, stage: 'ended', lastError };
  }
  if (status.videos.length > 0 && !underWay.includes(word)) return { ...patch, ...answered(job, status, now) };
  if (word !== 'succeed') return patch;
  const lastError = { kind: 'noResults', message: '', at: job.lastError?.at ?? now } as const;
  if ((patch.looks ?? 0) < looksForResults) return { ...patch, lastError };
  return { ...patch, lastError: { ...lastError, isFinal: true }, stage: 'ended' };
}

function seen(job: MediaJob, { status, position }: VideoStatus, now: number): JobPatch<MediaJob> {
  const isNews = job.status !== status;
  return {
    status,
    position,
    checkedAt: now,
    ...(isNews ? { changedAt: now, looks: 0 } : { looks: (job.looks ?? 0) + 1 }),
  };
}

interface Fetching {
  readonly job: MediaJob;
  readonly tools: StepTools<MediaJob>;
  readonly connect: ConnectMedia;
  readonly place: SaveTarget;
}

/** How long after it was first seen an address is certain to be valid. */
const freshMs = 10 * 60_000;

/**
 * Saves every result not saved yet, each once. Saves what is available, whatever happens to the rest; then throws why the others are
 * not available yet. If none ever will be, the job has ended.
 */
async function fetchMedia(fetching: Fetching): Promise<JobPatch<MediaJob>> {
  const service = await fetching.connect(fetching.job);
  const { tools, place } = fetching;
  const fresh = await withFreshAddresses(service, fetching);
  let { job } = fresh;
  let elsewhere: JobError | undefined;
  const failures: StepFailure[] = [];
  for (const index of (job.results ?? []).keys()) {
    if (job.results?.[index]?.path !== undefined) continue;
    try {
      const saved = await saveResult(service, { job, index, place, signal: tools.signal });
      if (saved.elsewhere) elsewhere = { ...saved.elsewhere, at: tools.now() };
      job = await tools.save({ results: withPath(job, index, saved.path) });
    } catch (error) {
      if (tools.signal.aborted || !(error instanceof StepFailure)) throw error;
      failures.push(error);
    }
  }
  if (failures.length === 0) {
    const omitted = job.hasMore ? { kind: 'omitted' as const, message: '', at: tools.now() } : undefined;
    const lastError = elsewhere ?? savedElsewhere(job, tools.now()) ?? omitted;
    return { stage: 'ended', ...(lastError && { lastError }) };
  }
  if (fresh.failure !== undefined) throw fresh.failure;
  const hopes = failures.filter(({ jobError }) => jobError.kind !== 'expired' || !jobError.isFinal);
  const failure = hopes.find(({ jobError }) => !jobError.isFinal) ?? hopes[0];
  if (failure) throw failure;
  return { stage: 'ended', lastError: { ...failures[0]!.jobError, at: tools.now() } };
}

/** Returns the error for results that an earlier attempt saved elsewhere. */
function savedElsewhere({ results = [], folder }: MediaJob, now: number): JobError | undefined {
  const isElsewhere = results.some(({ path }) => path !== undefined && dirname(path) !== folder);
  return isElsewhere ? { kind: 'savedElsewhere', message: '', at: now } : undefined;
}

function withPath({ results = [] }: MediaJob, at: number, path: string): MediaJob['results'] {
  return results.map((result, index) => (index === at ? { ...result, path } : result));
}

/** A video's addresses can be renewed; if that fails for now, the known ones may still be valid. */
async function withFreshAddresses(
  service: MediaService,
  { job, tools }: Fetching,
): Promise<{ readonly job: MediaJob; readonly failure?: unknown }> {
  const { requestId, answeredAt = 0, failures = 0 } = job;
  const isFresh = failures === 0 && Math.abs(tools.now() - answeredAt) < freshMs;
  if (requestId === undefined || isFresh) return { job };
  try {
    const status = await askStatus(service, job, tools.signal);
    return { job: status.videos.length === 0 ? job : await tools.save(answered(job, status, tools.now())) };
  } catch (failure) {
    tools.signal.throwIfAborted();
    return { job, failure };
  }
}

/** After this many attempts, a job the service does not know is given up. */
const triesForGone = 5;

export async function askStatus(service: MediaService, job: MediaJob, signal: AbortSignal): Promise<VideoStatus> {
  try {
    return await service.videos.status({ requestId: job.requestId ?? '' }, signal);
  } catch (error) {
    if (!isApiError(error) || (error.kind !== 'notFound' && error.kind !== 'badRequest')) throw error;
    const isFinal = (job.failures ?? 0) + 1 >= triesForGone;
    throw new StepFailure({ ...toJobError(error, 'gone'), ...(isFinal && { isFinal }) }, { cause: error });
  }
}

/** Returns the changes of a finished video. Saved results stay saved, whatever their new address. */
function answered(
  { results, answeredAt, task }: MediaJob,
  { videos, seed, inferenceSeconds }: VideoStatus,
  now: number,
): JobPatch<MediaJob> {
  const used = seed ?? task.request.seed ?? undefined;
  return {
    stage: 'fetching',
    results: videos.map(({ url }, index) => ({ ...results?.[index], url })),
    answeredAt: answeredAt ?? now,
    checkedAt: now,
    ...(used !== undefined && { seed: used }),
    ...(inferenceSeconds !== undefined && { inferenceSeconds }),
  };
}

interface SubmitProgress {
  readonly signal?: AbortSignal | undefined;
  /** Called when the request waits at a rate limit until then (Unix milliseconds). */
  readonly onWait?: ((until: number) => void) | undefined;
  /** A request in flight ignores the signal: it is paid for, and its result could not be found later. */
  readonly goesOnOnceSent?: boolean;
}

const firstRestMs = 100;
const longestRestMs = 5000;

/** Sends the media jobs of an engine to their service. */
class MediaSubmitter {
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
function lost(jobError: Omit<JobError, 'at'>, now: number): JobPatch<MediaJob> {
  return { stage: 'unknown', lastError: { ...jobError, kind: 'answerLost', at: now, isFinal: true }, triedAt: now };
}

function nothing(message: string, now: number): JobPatch<MediaJob> {
  return { stage: 'ended', lastError: { kind: 'noResults', message, at: now, isFinal: true }, triedAt: now };
}
