import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInputs } from '../../src/core/assets/inputs';
import type { Inputs } from '../../src/core/assets/inputs';
import { MediaEngine } from '../../src/core/jobs/media/mediaEngine';
import type { NewMedia } from '../../src/core/jobs/media/mediaEngine';
import type { MediaEngineOptions } from '../../src/core/jobs/media/mediaService';
import type { MediaJob, MediaJobRequest } from '../../src/core/jobs/media/mediaJob';
import { noteCosts, paidMedia } from '../../src/core/prices/paidWork';
import { DaySpending } from '../../src/core/usage/daySpending';
import { createUsageLedger } from '../../src/core/usage/usageLedger';
import { fastTime, openClient } from './batchEngines';
import type { Service } from './batchEngines';
import { until } from './until';

export interface OpenMedia extends MediaEngine {
  /** What the person was told, as `<notice> <job id>`. */
  readonly notices: readonly string[];
  readonly errors: readonly unknown[];
  readonly inputs: Inputs;
  /** Resolves with the job as soon as it is so. */
  until(id: string, is: (job: MediaJob) => boolean, what: string): Promise<MediaJob>;
}

/** An engine as one window has it, over real HTTP, with a clock that goes faster unless told otherwise. */
export function openMediaEngine(
  folder: string,
  service: Service,
  options: Partial<MediaEngineOptions> = {},
): OpenMedia {
  const client = openClient(service);
  const inputs = createInputs(join(folder, 'inputs'));
  const notices: string[] = [];
  const errors: unknown[] = [];
  const engine = new MediaEngine({
    folder: join(folder, 'jobs'),
    fallback: join(folder, 'own'),
    connect: () => Promise.resolve(client),
    expand: (task) => inputs.expandImages(task),
    where: () => 'a window',
    checkPaid: () => Promise.resolve(),
    newId: randomUUID,
    ...fastTime(20),
    onChange: () => undefined,
    onNotice: (job, notice) => notices.push(`${notice} ${job.id}`),
    onError: (error) => errors.push(error),
    ...options,
  });
  return Object.assign(Object.create(engine) as MediaEngine, {
    notices,
    errors,
    inputs,
    until: (id: string, is: (job: MediaJob) => boolean, what: string) => {
      const look = () => engine.jobs.find((job) => job.id === id);
      return until(() => [look()].find((job) => job && is(job)), what).catch((error: unknown) => {
        throw new Error(`${what}: ${JSON.stringify(look())} ${errors.join(' ')}`, { cause: error });
      });
    },
    dispose: async () => {
      await engine.dispose();
      await client.close();
    },
  });
}

export const imageTask = (prompt: string, more: object = {}): MediaJobRequest => ({
  kind: 'image',
  request: { model: 'black-forest-labs/FLUX.2-pro', prompt, image_size: '512x512', seed: 9_999_999_999, ...more },
});

export const videoTask = (prompt: string, more: object = {}): MediaJobRequest => ({
  kind: 'video',
  request: { model: 'Wan-AI/Wan2.2-T2V-A14B', prompt, image_size: '960x960', seed: 7, ...more },
});

export const newMedia = (folder: string, { baseUrl }: Pick<Service, 'baseUrl'>, task: MediaJobRequest): NewMedia => ({
  profileId: 'mine',
  baseUrl,
  folder: join(folder, 'made'),
  task,
});

/** What is in a folder but recipes, by name; empty where there is none. */
export async function filesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => !name.endsWith('.recipe.json')).toSorted();
}

/** What an account spends by the price of a piece, in a ledger that engines of all processes share. */
export function openSpending(folder: string, onError: (error: unknown) => void = () => undefined) {
  const ledger = createUsageLedger(join(folder, 'usage'), onError);
  const today = new DaySpending({ path: join(folder, 'spending', 'mine.json'), ledger, account: 'mine', onError });
  const prices = { ofTokens: () => undefined, ofPiece: () => piecePrice, batchDiscount: 1 };
  return { today, note: (job: MediaJob) => noteCosts(paidMedia(job), prices, today) };
}

export const piecePrice = 0.25;

/** The paths of a job's files, and their bytes. */
export function filesOf({ results = [] }: MediaJob): Promise<readonly Buffer[]> {
  return Promise.all(results.flatMap(({ path }) => (path === undefined ? [] : [readFile(path)])));
}
