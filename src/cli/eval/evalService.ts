import { readFile, readdir, realpath } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import * as l10n from '@vscode/l10n';
import { isBatchOver } from '../../core/agentTools/agentBatch';
import { isObject } from '../../core/api/isObject';
import { delayText } from '../../core/batch/local/localRun';
import type { RunState } from '../../core/batch/local/localRun';
import { parseJson } from '../../core/api/parseJson';
import type { PriceBook } from '../../core/evals/evalFacts';
import { AccountEvals } from '../../core/evals/run/evalJobs';
import { readRequests } from '../../core/evals/run/runFolder';
import type { EvalRequest, SentFile } from '../../core/evals/run/runFolder';
import type { BatchJob } from '../../core/jobs/batch/batchJob';
import { BatchEngine } from '../../core/jobs/batch/batchEngine';
import { isInDoubt } from '../../core/jobs/jobNotice';
import { paidBatch } from '../../core/prices/paidWork';
import { enteredPrices } from '../../core/prices/prices';
import { isFreeUnpriced } from '../../core/profiles/knownServices';
import { batchDiscountAt, rulesOf } from '../../core/profiles/vendorRules';
import { writeAtomic } from '../../core/storage/atomicFile';
import { createLocalCall } from '../../core/usage/localCall';
import { isBelow } from '../../core/workspace/isBelow';
import { openConnection } from '../mcp/connection';
import { BadEnvironment, readEnvironment } from '../mcp/environment';
import { createWatch, surroundings } from '../mcp/requests';

/** The service of the account in the environment. */
export interface OpenedService {
  readonly evals: AccountEvals;
  /** Waits until the batch of a file has ended. Resolves to `false` once it can't continue without a user. */
  settled(sent: SentFile, signal: AbortSignal): Promise<boolean>;
  /** Submits a batch again of which the service knows nothing, after looking for it once more. */
  submitAgain(sent: SentFile, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Returns the prices in the environment, and the discount of its service. */
export function pricesFrom(variables: Readonly<Record<string, string | undefined>>): PriceBook {
  const entered = parseJson(variables['INFERENCE_DESK_PRICES'] ?? '');
  const baseUrl = variables['INFERENCE_DESK_BASE_URL'];
  return {
    pricesOf: (model) => enteredPrices(entered, model),
    batchDiscount: batchDiscountAt(baseUrl),
    isFree: baseUrl !== undefined && isFreeUnpriced(baseUrl),
  };
}

const atOnce = 8;
/** A check of a batch asks the service, which may take its time. */
const checkMs = 60_000;

/**
 * Opens the service that `variables` name. Jobs and results are below `folder`, so another process continues them. Throws `BadEnvironment`
 * without an address or key. The key goes only to that address. `onDelay` is called with the reason whenever sending has to wait.
 */
export async function openEvalService(
  variables: Readonly<Record<string, string | undefined>>,
  folder: string,
  onDelay: (text: string) => void,
): Promise<OpenedService> {
  const connection = openConnection(readEnvironment(variables), () => undefined);
  const { baseUrl, client, jobs, spending, onError } = connection;
  const results = join(folder, 'results');
  const watch = createWatch<BatchJob>(() => engine.jobs);
  const options = {
    ...surroundings,
    where: () => `eval ${process.pid}`,
    folder: join(folder, 'jobs'),
    own: undefined,
    onChange: watch.changed,
    onNotice: () => undefined,
    onError,
    onPaid: spending.isCountedHere ? (job: BatchJob) => spending.note(paidBatch(job)) : undefined,
    checkPaid: (job: BatchJob) => spending.check(job),
  };
  const engine = new BatchEngine(options, connection.connect, { root: () => results, fallback: results });
  spending.consider(engine);
  await engine.refresh();
  const evals = new AccountEvals({
    baseUrl,
    rules: rulesOf(baseUrl).batch,
    by: 'commandLine',
    results,
    jobs: () => engine.jobs,
    submit: (submission, signal) => engine.submit({ ...jobs.from, ...submission, resultsRoot: results }, { signal }),
    check: (id) => engine.checkNow(id, checkMs),
    call: createLocalCall(() => Promise.resolve(client)),
    concurrency: () => atOnce,
    onError,
    onState: delayReporter(onDelay),
  });
  return {
    evals,
    async settled(sent, signal) {
      const job = evals.jobOf(sent);
      if (!job) return true;
      const ended = await watch.until(job.id, (one) => isBatchOver(one) || isInDoubt(one), { signal });
      return isBatchOver(ended);
    },
    async submitAgain(sent, signal) {
      const job = evals.jobOf(sent);
      if (job) await engine.createAgain(job.id, { signal });
    },
    async close() {
      await engine.dispose();
      await connection.tokens.settled();
      await connection.progress.dispose();
      await client.close();
    },
  };
}

/** Reports each reason once, until there is another or none. */
function delayReporter(report: (text: string) => void): (state: RunState) => void {
  let known: string | undefined;
  return (state) => {
    const reason = state.diskError === undefined ? state.wait?.reason : 'disk';
    const text = reason === known ? undefined : delayText(state, Date.now(), String);
    known = reason;
    if (text !== undefined) report(text);
  };
}

/** The origin of the service that `variables` name, whose responses a run uses. Throws `BadEnvironment` without one. */
export function originOf(variables: Readonly<Record<string, string | undefined>>): string {
  return new URL(readEnvironment(variables).baseUrl).origin;
}

/** Properties that can contain a path in the record of a job. */
const pathMembers = ['sent', 'prepared', 'resultsRoot', 'realRoot', 'folder', 'realFolder'] as const;

/**
 * Restricts the jobs of a run folder to that folder, because they might have come with the eval file from anywhere. Updates paths in the
 * folder's former location, because a run submitted in one checkout can be collected in another. Throws for other paths. Resolves to the
 * requests of the batches that will be submitted once jobs are continued, by job.
 */
export async function checkJobs(folder: string): Promise<readonly (readonly EvalRequest[])[]> {
  const queued: (readonly EvalRequest[])[] = [];
  const jobs = join(folder, 'jobs');
  const real = await realpath(folder);
  for (const name of await readdir(jobs).catch(() => [])) {
    if (!name.endsWith('.json')) continue;
    const path = join(jobs, name);
    const job = parseJson(await readFile(path, 'utf8'));
    if (!isObject(job)) continue;
    const { resultsRoot, realRoot, input, stage, parts } = job;
    const isOver = stage === 'ended' || stage === 'refused';
    const before = typeof resultsRoot === 'string' ? dirname(resultsRoot) : folder;
    const realBefore = typeof realRoot === 'string' ? dirname(realRoot) : before;
    const moved = (value: unknown): unknown => {
      if (typeof value !== 'string') return value;
      const [from, to] = isBelow(before, value) ? [before, folder] : [realBefore, real];
      const now = isBelow(from, value) ? join(to, relative(from, value)) : value;
      if (isBelow(folder, now) || isBelow(real, now)) return now;
      throw new Error(l10n.t('{0} contains a path outside of its run folder. Delete the file.', path));
    };
    const members = pathMembers
      .filter((member) => member in job)
      .map((member) => [member, moved(job[member])] as const);
    const checked = {
      ...job,
      ...Object.fromEntries(members),
      ...(isObject(input) && { input: { ...input, path: moved(input['path']) } }),
    };
    if (JSON.stringify(checked) !== JSON.stringify(job))
      await writeAtomic(path, `${JSON.stringify(checked, undefined, 1)}\n`);
    if (stage === 'queued' || (Array.isArray(parts) && !isOver)) queued.push(await unsentOf(checked));
  }
  return queued;
}

/** Returns the requests of a job from the next part to submit. Empty if there is none, or if the file can't be read. */
async function unsentOf(job: Readonly<Record<string, unknown>>): Promise<readonly EvalRequest[]> {
  const { sent, input, parts, part, stage } = job;
  const paths = [sent, isObject(input) ? input['path'] : undefined].filter((one) => typeof one === 'string');
  const all: readonly unknown[] = Array.isArray(parts) && parts.length > 0 ? parts : [{}];
  const isNext = (one: unknown, index: number) =>
    stage === 'queued' && typeof part === 'number' ? index >= part : isObject(one) && one['batch'] === undefined;
  const next = all.find(isNext);
  if (!isObject(next)) return [];
  const from = typeof next['start'] === 'number' ? next['start'] : 0;
  for (const path of paths) {
    const requests = await readRequests(path, from).catch(() => undefined);
    if (requests) return requests;
  }
  return [];
}

/** Returns a message about a problem with the environment, or `undefined` for another error. */
export function environmentProblem(error: unknown): string | undefined {
  return error instanceof BadEnvironment ? error.message : undefined;
}
