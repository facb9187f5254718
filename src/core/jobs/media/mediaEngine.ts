import '../../../schema/jitless';
import { realLocation } from '../../workspace/realLocation';
import { JobEngine } from '../jobEngine';
import { RequestProblem } from '../requestProblem';
import { videoPace } from '../schedule';
import type { UnreadableJob } from '../jobStore';
import type { MediaJob, MediaJobRequest } from './mediaJob';
import type { ConnectMedia, MediaEngineOptions, MediaService } from './mediaService';
import { placedResults, removeParts } from './resultParts';
import { MediaSubmitter, type SubmitProgress, lost } from './submitMedia';
import * as z from 'zod/mini';
import { imageRequest } from '../../api/images/images.schema';
import { videoRequest, type VideoStatus } from '../../api/videos/videos.schema';
import { renamed } from '../../storage/storedFile';
import { jobMembers } from '../jobMembers';
import { type JobPatch, StepFailure, type JobError, toJobError } from '../job';
import type { JobDriver, StepTools } from '../jobDriver';
import { dirname } from 'node:path';
import { saveResult, type SaveTarget } from './saveResult';
import { isApiError } from '../../api/errors';

export interface NewMedia extends Pick<MediaJob, 'profileId' | 'baseUrl' | 'client' | 'folder' | 'group' | 'replaces'> {
  readonly task: MediaJobRequest;
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
  readonly lock: MediaTarget['lock'] = (name, work) => this.engine.leases.hold(name, work);

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
function createMediaDriver(connect: ConnectMedia, place: MediaTarget): JobDriver<MediaJob> {
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

/** Where to save files if the user's folder is not writable, and the lock that keeps windows apart there. */
interface MediaTarget extends SaveTarget {
  /** Absolute. */
  readonly fallback: string;
}

interface Fetching {
  readonly job: MediaJob;
  readonly tools: StepTools<MediaJob>;
  readonly connect: ConnectMedia;
  readonly place: MediaTarget;
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
