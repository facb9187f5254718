import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '../../src/core/api/client';
import type { Client } from '../../src/core/api/client';
import { createOfferStore } from '../../src/core/api/offers';
import { createUndiciStack } from '../../src/core/api/transport/undiciTransport';
import { BatchEngine } from '../../src/core/jobs/batch/batchEngine';
import type { BatchEngineOptions } from '../../src/core/jobs/batch/batchEngine';
import type { ResultsFolder } from '../../src/core/jobs/batch/batchService';
import type { JobEngineOptions } from '../../src/core/jobs/jobEngine';
import type { NewBatch } from '../../src/core/jobs/batch/newJob';
import type { BatchJob } from '../../src/core/jobs/batch/batchJob';
import { until } from './until';

export interface Service {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The ID of the known service that it represents, if any. */
  readonly service?: string;
  /** Called before everything that may be charged. */
  readonly holdPaid?: () => Promise<void>;
}

export interface OpenEngine extends BatchEngine {
  /** The notifications shown, as `<notice> <job id>`. */
  readonly notices: readonly string[];
  readonly errors: readonly unknown[];
  /** Resolves to the job as soon as it matches. */
  until(id: string, is: (job: BatchJob) => boolean, what: string): Promise<BatchJob>;
}

export interface OpenOptions extends Partial<BatchEngineOptions> {
  readonly place?: ResultsFolder;
  /** An error that it throws keeps the engine from the service. */
  readonly beforeConnect?: () => Promise<void>;
}

/** Returns a clock that runs this much faster than the machine's, from now on. */
export function fastTime(speed: number): Pick<JobEngineOptions<BatchJob>, 'now' | 'setTimer'> {
  const began = Date.now();
  return {
    now: () => began + (Date.now() - began) * speed,
    setTimer: (ms, run) => {
      const timer = setTimeout(run, ms / speed);
      return () => clearTimeout(timer);
    },
  };
}

/** Opens a client over a real stack with simulated time: waits end immediately and advance its clock. */
export function openClient({ baseUrl, apiKey, service, holdPaid }: Service): Client {
  let waited = 0;
  return createClient({
    baseUrl,
    apiKey: () => Promise.resolve(apiKey),
    service,
    holdPaid,
    stack: createUndiciStack(),
    offers: createOfferStore(),
    clock: () => Date.now() + waited,
    sleep: async (ms, signal) => {
      waited += ms;
      signal?.throwIfAborted();
    },
  });
}

/** Opens an engine like a window's, over real HTTP, with the machine's clock and timers by default. */
export function openEngine(
  folder: string,
  service: Service,
  {
    beforeConnect = () => Promise.resolve(),
    place = { root: () => join(folder, 'results'), fallback: join(folder, 'results') },
    ...options
  }: OpenOptions = {},
): OpenEngine {
  const client = openClient(service);
  const notices: string[] = [];
  const errors: unknown[] = [];
  const connect = async () => {
    await beforeConnect();
    return client;
  };
  const whole: BatchEngineOptions = {
    folder: join(folder, 'jobs'),
    where: () => 'a window',
    newId: randomUUID,
    ...fastTime(1),
    onChange: () => undefined,
    onNotice: (job, notice) => notices.push(`${notice} ${job.id}`),
    onError: (error) => errors.push(error),
    checkPaid: async () => undefined,
    ...options,
  };
  const engine = new BatchEngine(whole, connect, place);
  const dispose = () => engine.dispose();
  const opened = Object.create(engine) as BatchEngine;
  return Object.assign(opened, {
    notices,
    errors,
    until: (id: string, is: (job: BatchJob) => boolean, what: string) => {
      const look = () => engine.jobs.find((job) => job.id === id);
      const found = () => [look()].find((job) => job && is(job));
      return until(found, what).catch((error: unknown) => {
        throw new Error(`${what}: ${JSON.stringify(look())} ${errors.join(' ')}`, { cause: error });
      });
    },
    dispose: async () => {
      await dispose();
      await client.close();
    },
  });
}

/** Writes a batch file with this many requests. */
export async function writeBatchFile(folder: string, lines: number): Promise<string> {
  const path = join(folder, `batch-${lines}.jsonl`);
  const requests = Array.from({ length: lines }, (_, index) => ({
    custom_id: `line-${index + 1}`,
    method: 'POST',
    url: '/v1/chat/completions',
    body: { model: 'deepseek-ai/DeepSeek-V3', messages: [{ role: 'user', content: `Question ${index + 1}` }] },
  }));
  await mkdir(folder, { recursive: true });
  await writeFile(path, requests.map((request) => `${JSON.stringify(request)}\n`).join(''));
  return path;
}

export function submissionOf(path: string, { baseUrl }: Service, more: Partial<NewBatch> = {}): NewBatch {
  return { path, profileId: 'mine', baseUrl, completion_window: '24h', metadata: { name: 'A test' }, ...more };
}

/** Returns the `custom_id` of each line of a result file, sorted, or an empty list without the file. */
export async function idsIn(path: string): Promise<readonly string[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => (JSON.parse(line) as { readonly custom_id: string }).custom_id).toSorted();
}

/** Returns the names of the records in an engine's folder. */
export async function recordsIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(join(folder, 'jobs')).catch(() => []);
  return names.filter((name) => name.endsWith('.json')).toSorted();
}
