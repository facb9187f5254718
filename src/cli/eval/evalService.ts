import { join } from 'node:path';
import { isBatchOver } from '../../core/agentTools/agentBatch';
import { parseJson } from '../../core/api/parseJson';
import type { PriceBook } from '../../core/evals/evalFacts';
import { AccountEvals } from '../../core/evals/run/evalJobs';
import type { SentFile } from '../../core/evals/run/runFolder';
import type { BatchJob } from '../../core/jobs/batch/batchJob';
import { BatchEngine } from '../../core/jobs/batch/batchEngine';
import { paidBatch } from '../../core/prices/paidWork';
import { enteredPrices } from '../../core/prices/prices';
import { batchDiscountAt, rulesOf } from '../../core/profiles/vendorRules';
import { openConnection } from '../mcp/connection';
import { BadEnvironment, readEnvironment } from '../mcp/environment';
import { createWatch, surroundings } from '../mcp/requests';

/** The service of the account in the environment. */
export interface OpenedService {
  readonly evals: AccountEvals;
  /** Waits until the batch of a file has ended. */
  settled(sent: SentFile, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Returns the prices in the environment, and the discount of its service. */
export function pricesFrom(variables: Readonly<Record<string, string | undefined>>): PriceBook {
  const entered = parseJson(variables['INFERENCE_DESK_PRICES'] ?? '');
  return {
    pricesOf: (model) => enteredPrices(entered, model),
    batchDiscount: batchDiscountAt(variables['INFERENCE_DESK_BASE_URL']),
  };
}

const atOnce = 8;
/** A check of a batch asks the service, which may take its time. */
const checkMs = 60_000;

/**
 * Opens the service that `variables` name. Jobs and results are below `folder`, so another process continues them. Throws `BadEnvironment`
 * without an address or key. The key goes only to that address.
 */
export async function openEvalService(
  variables: Readonly<Record<string, string | undefined>>,
  folder: string,
  log: (line: string) => void,
): Promise<OpenedService> {
  const connection = openConnection(readEnvironment(variables), log);
  const { baseUrl, client, jobs, spending, onTrouble } = connection;
  const results = join(folder, 'results');
  const watch = createWatch<BatchJob>(() => engine.jobs);
  const options = {
    ...surroundings,
    where: () => `eval ${process.pid}`,
    folder: join(folder, 'jobs'),
    own: undefined,
    onChange: watch.changed,
    onNotice: () => undefined,
    onTrouble,
    onPaid: spending.isCountedHere ? (job: BatchJob) => spending.note(paidBatch(job)) : undefined,
    checkPaid: (job: BatchJob) => spending.check(job),
  };
  const engine = new BatchEngine(options, connection.connect, { root: () => results, fallback: results });
  spending.consider(() => engine.jobs);
  await engine.refresh();
  const evals = new AccountEvals({
    baseUrl,
    rules: rulesOf(baseUrl).batch,
    results,
    jobs: () => engine.jobs,
    submit: (order, signal) => engine.submit({ ...jobs.from, ...order, resultsRoot: results }, { signal }),
    check: (id) => engine.checkNow(id, checkMs),
    call: ({ model, body }, { signal, onWait, onAnswer }) => {
      const looks = { onWait, onAnswer: (ids: AnswerIds) => onAnswer(ids.requestId ?? ids.traceId ?? '') };
      return client.chatCompletions.chunks({ ...body, model }, { signal, watch: looks });
    },
    concurrency: () => atOnce,
    onTrouble,
  });
  return {
    evals,
    async settled({ path }, signal) {
      const job = evals.jobOf(path);
      if (job && !isBatchOver(job)) await watch.until(job.id, isBatchOver, { signal });
    },
    async close() {
      await engine.dispose();
      await connection.tokens.settled();
      await connection.progress.dispose();
      await client.close();
    },
  };
}

type AnswerIds = { readonly requestId?: string | undefined; readonly traceId?: string | undefined };

/** What is wrong with the environment, in words; `undefined` for another error. */
export function environmentProblem(error: unknown): string | undefined {
  return error instanceof BadEnvironment ? error.message : undefined;
}
