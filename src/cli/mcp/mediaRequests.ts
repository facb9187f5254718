import { join } from 'node:path';
import { abortable } from '../../core/async/abortable';
import type { AgentImageRequest, AgentMedia, AgentVideoRequest } from '../../core/agentTools/toolHost';
import { isMediaOver, isWorthAsking, toAgentMedia, savingMs } from '../../core/agentTools/agentMedia';
import { AgentProblem } from '../../core/agentTools/agentTool';
import { generatedFolder } from '../../core/assets/assetName';
import { createInputs, type InputFault, type Inputs } from '../../core/assets/inputs';
import { forgetOld } from '../../core/jobs/forgetOld';
import { MediaEngine, type NewMedia } from '../../core/jobs/media/mediaEngine';
import type { MediaJob, MediaJobRequest } from '../../core/jobs/media/mediaJob';
import { expectedMedia, paidMedia } from '../../core/prices/paidWork';
import type { Connection } from './connection';
import type { Folders } from './folders';
import { countDown, createWatch, keepFresh, surroundings, type Watch } from './requests';
import { openFolder } from './openFolder';

export interface MediaCall {
  readonly folders: Folders;
  readonly signal: AbortSignal;
}

/** Images and videos: submits jobs, tracks them until their files are downloaded, and saves the files with their recipes. */
export interface MediaRequests {
  generate(request: AgentImageRequest, call: MediaCall): Promise<AgentMedia>;
  submitVideo(request: AgentVideoRequest, call: MediaCall): Promise<AgentMedia>;
  video(id: string, waitMs: number, signal: AbortSignal): Promise<AgentMedia>;
  /** Resolves once no paid request or download is pending, or the signal aborts. Download links expire soon. */
  saved(signal: AbortSignal): Promise<void>;
  /** Resolves once all writes have finished. */
  dispose(): Promise<void>;
}

/**
 * Resolves once the jobs on disk are loaded, and resumes those that are due. `state` is the absolute path of the job records, the inputs,
 * and files that have no other folder. A call waits up to `longestSavingMs` for the files of a finished job.
 */
export async function openMediaRequests(
  state: string,
  connection: Connection,
  longestSavingMs = savingMs,
): Promise<MediaRequests> {
  const { jobs, spending, onError } = connection;
  const { own, ownOf, storage } = jobs;
  const root = storage === undefined ? state : join(storage, 'media');
  const inputs = createInputs(join(root, 'inputs'));
  const fallback = join(root, 'files');
  const watch = createWatch<MediaJob>(() => engine.jobs);
  const engine: MediaEngine = new MediaEngine({
    ...surroundings,
    folder: storage === undefined ? join(root, 'media') : join(root, 'jobs'),
    own,
    fallback,
    connect: connection.connect,
    expand: (task) => inputs.expandImages(task),
    onChange: watch.changed,
    onNotice: () => undefined,
    onPaid: spending.isCountedHere ? (job) => spending.note(paidMedia(job)) : undefined,
    checkPaid: (job) => spending.check(job),
    onError,
  });
  spending.consider(engine);
  const stop = keepFresh(engine, onError);
  await engine.refresh();
  const forget = (id: string) => engine.forget(id);
  void forgetOld({ jobs: ownOf(engine.jobs), forget }, Date.now()).catch(onError);
  const sending = createSending(engine, watch, connection);
  const submit = async (task: MediaJobRequest, { folders, signal }: MediaCall) => {
    const { folder, problem } = await openFolder(folders, { names: [generatedFolder], fallback });
    const job = await sending.send({ ...jobs.from, task, folder }, signal);
    const report = async (now: MediaJob): Promise<AgentMedia> => ({
      ...(problem && { problem }),
      ...(await toAgentMedia(now)),
    });
    return { job, report };
  };
  const storedImage = (path: string, { folders }: MediaCall) => keepPicture(path, { inputs, folders });

  return {
    async generate({ request, picture }, call) {
      const withImage = picture && { [picture.parameter]: await storedImage(picture.path, call) };
      const { job, report } = await submit({ kind: 'image', request: { ...request, ...withImage } }, call);
      return report(await watch.until(job.id, isMediaOver, { ms: longestSavingMs, signal: call.signal }));
    },
    async submitVideo({ request, picture }, call) {
      const withImage = picture === undefined ? {} : { image: await storedImage(picture, call) };
      const { job, report } = await submit({ kind: 'video', request: { ...request, ...withImage } }, call);
      return report(job);
    },
    video: (id, waitMs, signal) => askVideo({ id, waitMs, signal, profileId: jobs.from.profileId }, engine, watch),
    saved: (signal) => sending.settled(signal),
    async dispose() {
      stop();
      await engine.dispose();
    },
  };
}

interface VideoAsk {
  readonly id: string;
  readonly waitMs: number;
  readonly signal: AbortSignal;
  readonly profileId: string;
}

async function askVideo(
  { id, waitMs, signal, profileId }: VideoAsk,
  engine: MediaEngine,
  watch: Watch<MediaJob>,
): Promise<AgentMedia> {
  await engine.refresh();
  const job = engine.jobs.find((one) => one.profileId === profileId && (one.id === id || one.requestId === id));
  if (!job) throw new AgentProblem(`This server has not submitted a video with the ID ${id}.`);
  const left = countDown(waitMs);
  const now = isWorthAsking(job) ? await abortable(engine.checkNow(job.id, waitMs), signal) : job;
  return toAgentMedia(isMediaOver(now) ? now : await watch.until(job.id, isMediaOver, { ms: left(), signal }));
}

/** Stores an input image and resolves to the reference that stands for it in a request. */
async function keepPicture(
  path: string,
  { inputs, folders }: { readonly inputs: Inputs; readonly folders: Folders },
): Promise<string> {
  const input = await inputs.keep({ path: await folders.file(path) });
  if (typeof input === 'string') throw new AgentProblem(`${path} cannot be used as input because ${faultWords[input]}`);
  return input.ref;
}

const faultWords: Readonly<Record<InputFault, string>> = {
  empty: 'it is empty.',
  markup: 'it contains markup, such as SVG. Use a PNG, JPEG, or WebP image.',
  tooLarge: 'it is larger than 20 MB.',
  notPicture: 'it is not a PNG, JPEG, or WebP image.',
};

/** Runs jobs to their end, even if the call that started them is no longer awaited. */
interface Sending {
  /** Rejects with the signal's reason as soon as it aborts; the job continues. */
  send(submission: NewMedia, signal: AbortSignal): Promise<MediaJob>;
  /** Resolves once no paid request or download is pending, or the signal aborts. */
  settled(signal: AbortSignal): Promise<void>;
}

function createSending(engine: MediaEngine, watch: Watch<MediaJob>, { daily, jobs }: Connection): Sending {
  const underWay = new Set<Promise<unknown>>();
  return {
    send(submission, signal) {
      const sent = daily.within(
        () => engine.submit(submission, { signal, goesOnOnceSent: true }),
        expectedMedia(submission.task),
      );
      underWay.add(sent);
      const done = () => void underWay.delete(sent);
      sent.then(done, done);
      return abortable(sent, signal);
    },
    async settled(signal) {
      await abortable(Promise.allSettled(underWay), signal).catch(() => undefined);
      const fetched = jobs.ownOf(engine.jobs).filter((job) => job.stage === 'fetching' && !isMediaOver(job));
      const isSaved = (job: MediaJob) => job.stage !== 'fetching' || isMediaOver(job);
      await Promise.allSettled(fetched.map(({ id }) => watch.until(id, isSaved, { signal })));
    },
  };
}
