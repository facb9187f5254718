import { createMediaDriver } from './mediaDriver';
import type { MediaTarget } from './fetchMedia';
import { realLocation } from '../../workspace/realLocation';
import { createJobEngine } from '../jobEngine';
import type { JobEngine, JobEngineOptions } from '../jobEngine';
import { RequestProblem } from '../requestProblem';
import { videoPace } from '../schedule';
import type { UnreadableJob } from '../jobStore';
import type { MediaJob, MediaJobRequest } from './mediaJob';
import { readMediaJob } from './mediaJobFile';
import type { ConnectMedia } from './mediaService';
import { removeParts } from './resultParts';
import { submitMedia } from './submitMedia';
import type { SubmitParts, SubmitProgress } from './submitMedia';

export interface NewMedia extends Pick<MediaJob, 'profileId' | 'baseUrl' | 'folder' | 'group' | 'replaces'> {
  readonly order: MediaJobRequest;
}

/** The media jobs of all windows of this machine. Methods on a job reject with `RequestProblem` if they do not apply to it. */
export interface MediaEngine {
  /** Newest first. */
  readonly jobs: readonly MediaJob[];
  readonly unreadable: readonly UnreadableJob[];
  readonly isPolling: boolean;
  refresh(): Promise<void>;
  wake(): Promise<void>;
  /** Resolves like `submitMedia`. */
  submit(order: NewMedia, progress?: SubmitProgress): Promise<MediaJob>;
  /** If another window has the job, waits for at most `heldMs`. */
  checkNow(id: string, heldMs?: number): Promise<MediaJob>;
  fetchAgain(id: string, options?: { readonly evenIfLarge?: boolean }): Promise<MediaJob>;
  forget(id: string): Promise<void>;
  /** Runs `work` while no other window runs any under the same name. */
  readonly lock: MediaTarget['lock'];
  /** Resolves once nothing is being written any more. */
  dispose(): Promise<void>;
}

export interface MediaEngineOptions extends Omit<JobEngineOptions<MediaJob>, 'readJob' | 'driver' | 'pace'> {
  readonly connect: ConnectMedia;
  readonly expand: SubmitParts['expand'];
  /** Absolute: used if a job's folder is not writable. */
  readonly fallback: string;
}

export function createMediaEngine(options: MediaEngineOptions): MediaEngine {
  const { connect, expand, fallback, now, newId, onTrouble } = options;
  const lock: MediaTarget['lock'] = (name, work) => engine.leases.hold(name, work);
  const driver = createMediaDriver(connect, { fallback, lock });
  const engine: JobEngine<MediaJob> = createJobEngine({ ...options, readJob: readMediaJob, driver, pace: videoPace });
  const { board } = engine;
  return {
    get jobs() {
      return board.jobs;
    },
    get unreadable() {
      return board.unreadable;
    },
    get isPolling() {
      return engine.isPolling;
    },
    refresh: () => engine.refresh(),
    wake: () => engine.wake(),
    async submit(order, progress = {}) {
      const realFolder = realLocation(order.folder);
      const job: MediaJob = { ...order, realFolder, id: newId(), createdAt: now(), stage: 'preparing' };
      const sent = await engine.hold(job.id, async () => {
        await board.add(job);
        try {
          const { closing } = engine;
          return await submitMedia(job, { board, connect, expand, now, closing, onTrouble }, progress);
        } catch (error) {
          // Nothing that costs money was sent: the user cancelled, or the record could not be written.
          if (board.get(job.id)?.stage === 'preparing') await board.remove(job.id);
          throw error;
        }
      });
      // The addresses are known now and expire soon, so this is not left to a window that may be busy.
      if (sent.stage === 'fetching') void engine.begin(job.id).catch(onTrouble);
      return sent;
    },
    checkNow: (id, heldMs) => engine.checkNow(id, heldMs),
    async fetchAgain(id, { evenIfLarge } = {}) {
      await engine.hold(id, async () => {
        await board.update(id, () => undefined);
        const { results, requestId, stage } = engine.get(id);
        if (stage !== 'fetching' && stage !== 'ended' && stage !== 'running') throw new RequestProblem('notRunning');
        const again = { failures: undefined, trouble: undefined, triedAt: undefined, toldEndAt: undefined } as const;
        const next = results ? 'fetching' : requestId === undefined ? undefined : 'running';
        if (!next) throw new RequestProblem('notRunning');
        await board.update(id, () => ({ ...again, stage: next, ...(evenIfLarge && { evenIfLarge }) }));
      });
      return engine.step(id);
    },
    async forget(id) {
      const job = board.get(id);
      await board.remove(id);
      if (job) await removeParts(job, fallback);
    },
    lock,
    dispose: () => engine.dispose(),
  };
}
