import { dirname, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { EvalService, SentState } from '../../core/evals/run/evalRun';
import type { SentFile } from '../../core/evals/run/runFolder';
import { isBatchOver, toAgentBatch } from '../../core/agentTools/agentBatch';
import { usualHours } from '../../core/api/batches/batches.bounds';
import { findResults, localFiles } from '../../core/batch/local/resultFiles';
import { failureLine } from '../../core/batch/local/resultLine';
import { startRun } from '../../core/batch/local/startRun';
import { defaultSeverities } from '../../core/batch/problem';
import type { BatchJob } from '../../core/jobs/batch/batchJob';
import { BatchEngine } from '../../core/jobs/batch/batchEngine';
import { paidBatch } from '../../core/prices/paidWork';
import type { BatchRules } from '../../core/batch/services/batchRules';
import { rulesOf } from '../../core/profiles/vendorRules';
import { openAppendLog } from '../../core/storage/appendLog';
import { makeFolder, reachOf } from '../../core/storage/privateFiles';
import { openConnection, type Connection } from '../mcp/connection';
import { BadEnvironment, readEnvironment } from '../mcp/environment';
import { createWatch, surroundings } from '../mcp/requests';

/** The service of the account in the environment. */
export interface OpenedService extends EvalService {
  /** What requests of a chat name, and IDs as the service accepts them. */
  readonly form: { readonly url: string; readonly idOf: (id: string) => string };
  /** Waits until the batch of a file has ended. */
  settled(sent: SentFile, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

type AnswerIds = { readonly requestId?: string | undefined; readonly traceId?: string | undefined };

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
  const service = new AccountService(openConnection(readEnvironment(variables), log), folder);
  await service.engine.refresh();
  return service;
}

class AccountService implements OpenedService {
  readonly engine: BatchEngine;
  readonly origin: string;
  private readonly results: string;
  private readonly rules: BatchRules;
  private readonly watch = createWatch<BatchJob>(() => this.engine.jobs);

  constructor(
    private readonly connection: Connection,
    folder: string,
  ) {
    const { baseUrl, spending, onTrouble } = connection;
    this.rules = rulesOf(baseUrl).batch;
    this.origin = new URL(baseUrl).origin;
    this.results = join(folder, 'results');
    const options = {
      ...surroundings,
      where: () => `eval ${process.pid}`,
      folder: join(folder, 'jobs'),
      own: undefined,
      onChange: this.watch.changed,
      onNotice: () => undefined,
      onTrouble,
      onPaid: spending.isCountedHere ? (job: BatchJob) => spending.note(paidBatch(job)) : undefined,
      checkPaid: (job: BatchJob) => spending.check(job),
    };
    const place = { root: () => this.results, fallback: this.results };
    this.engine = new BatchEngine(options, connection.connect, place);
    spending.consider(() => this.engine.jobs);
  }

  get form(): OpenedService['form'] {
    const { endpoints, idPattern } = this.rules;
    const isFine = (id: string) => idPattern === undefined || new RegExp(idPattern).test(id);
    return {
      url: endpoints[0] ?? '/v1/chat/completions',
      idOf: (id) => (isFine(id) ? id : id.replaceAll('.', '-')),
    };
  }

  async submit(sent: SentFile, signal: AbortSignal): Promise<void> {
    if (this.jobOf(sent)) return;
    const hours = Math.max(usualHours, this.rules.hours?.least ?? 0);
    const { from } = this.connection.jobs;
    const order = { ...from, path: sent.path, resultsRoot: this.results, completion_window: `${hours}h` };
    await this.engine.submit(order, { signal });
  }

  async runNow(sent: SentFile, signal: AbortSignal): Promise<string | undefined> {
    const { client } = this.connection;
    const folder = this.folderNow(sent);
    await makeFolder(folder, await reachOf(dirname(sent.path)));
    await closeInterrupted(sent, folder);
    const severities = { ...defaultSeverities, ...this.rules.severities };
    const run = await startRun({
      folder,
      run: runOf(sent.name),
      input: sent.path,
      rules: this.rules,
      isError: (code) => severities[code] === 'error',
      concurrency: () => atOnce,
      call: ({ model, body }, { signal: ending, onWait, onAnswer }) => {
        const watch = { onWait, onAnswer: (ids: AnswerIds) => onAnswer(ids.requestId ?? ids.traceId ?? '') };
        return client.chatCompletions.chunks({ ...body, model }, { signal: ending, watch });
      },
    });
    const stop = () => run.stop();
    signal.addEventListener('abort', stop);
    const end = await run.ended;
    signal.removeEventListener('abort', stop);
    if (end.kind === 'finished') return undefined;
    if (!('error' in end)) return end.kind;
    return end.error instanceof Error ? end.error.message : String(end.error);
  }

  async look(sent: SentFile): Promise<SentState> {
    if (sent.how === 'now') return { folder: this.folderNow(sent), isOver: true };
    const job = this.jobOf(sent);
    // Written, and the process ended before a job was made of it.
    if (!job) return { isOver: true };
    if (!isBatchOver(job)) await this.engine.checkNow(job.id, checkMs).catch(this.connection.onTrouble);
    const now = this.jobOf(sent) ?? job;
    const { trouble, folder } = toAgentBatch(now);
    return {
      isOver: isBatchOver(now),
      ...(folder !== undefined && { folder }),
      ...(trouble !== undefined && { problem: trouble }),
    };
  }

  async settled(sent: SentFile, signal: AbortSignal): Promise<void> {
    const job = this.jobOf(sent);
    if (job && !isBatchOver(job)) await this.watch.until(job.id, isBatchOver, { signal });
  }

  async close(): Promise<void> {
    const { tokens, progress, client } = this.connection;
    await this.engine.dispose();
    await tokens.settled();
    await progress.dispose();
    await client.close();
  }

  private jobOf({ path }: SentFile): BatchJob | undefined {
    return this.engine.jobs.find(({ input }) => input?.path === path);
  }

  private folderNow({ name }: SentFile): string {
    return join(this.results, name.replace(/\.jsonl$/, ''));
  }
}

/**
 * Records a failure for each request that was under way when an earlier run was interrupted: it may have been charged, so it is not sent again
 * unasked.
 */
async function closeInterrupted({ name, keys }: SentFile, folder: string): Promise<void> {
  const { unanswered } = await findResults(folder, { mend: true });
  if (unanswered.size === 0) return;
  const ids = [...keys.keys()];
  const lines = Array.from(unanswered, (line) => {
    const identity = { run: runOf(name), line, customId: ids[line - 1] };
    return failureLine(identity, {
      code: 'response.lost',
      message: l10n.t('The response is missing. You may have been charged.'),
    });
  });
  const log = await openAppendLog(join(folder, localFiles.errors), await reachOf(folder));
  await log.append(`${lines.join('\n')}\n`);
  await log.close();
}

function runOf(name: string): string {
  return name.replaceAll(/\D/g, '');
}

/** What is wrong with the environment, in words; `undefined` for another error. */
export function environmentProblem(error: unknown): string | undefined {
  return error instanceof BadEnvironment ? error.message : undefined;
}
