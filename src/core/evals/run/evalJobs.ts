import { dirname, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { isBatchOver, toAgentBatch } from '../../agentTools/agentBatch';
import type { LocalCall, LocalRun, RunState } from '../../batch/local/localRun';
import { findResults, localFiles } from '../../batch/local/resultFiles';
import { failureLine } from '../../batch/local/resultLine';
import { startRun } from '../../batch/local/startRun';
import { chooseModel } from '../../catalogue/jobs';
import type { ChoosableModels } from '../../catalogue/jobs';
import { defaultSeverities } from '../../batch/problem';
import type { BatchRules } from '../../batch/services/batchRules';
import type { BatchJob } from '../../jobs/batch/batchJob';
import { isSameService } from '../../jobs/sameService';
import { openAppendLog } from '../../storage/appendLog';
import { makeFolder, reachOf } from '../../storage/privateFiles';
import { hashOf, usesEmbeddings, usesJudge } from '../evalPlan';
import type { EvalPlan, GraderModels } from '../evalPlan';
import { EvalRun } from './evalRun';
import type { EvalRunOptions, EvalService, RunProgress, SentState } from './evalRun';
import { EvalRunFolder, removeRequests, writeSubmission } from './runFolder';
import type { EvalRequest, SentFile, Submitter } from './runFolder';

/** How batches are submitted and followed. */
export interface EvalJobs {
  readonly jobs: () => readonly BatchJob[];
  readonly submit: (
    submission: { readonly path: string; readonly completion_window: string },
    signal: AbortSignal,
  ) => Promise<unknown>;
  /** Asks the service how a job is. */
  readonly check: (id: string) => Promise<unknown>;
}

/** An account with its batch jobs, as the command line and the editor have them. */
export interface EvalAccount extends EvalJobs {
  readonly baseUrl: string;
  readonly rules: BatchRules;
  /** The submitter, which has the jobs. The command line's are in the run folder. */
  readonly by: Submitter;
  /** Absolute: the folder of results of requests that are sent now. */
  readonly results: string;
  readonly call: LocalCall;
  /** The most requests at once. */
  readonly concurrency: () => number;
  readonly onError: (error: unknown) => void;
  /** Called whenever the state of requests that are sent now changes, such as when they wait for a connection or for space on the disk. */
  readonly onState?: (state: RunState) => void;
}

const usualHours = 24;

/** Sends the requests of evals by the jobs of an account. */
export class AccountEvals implements EvalService {
  readonly origin: string;
  /** The names in a chat request, and IDs that the service accepts. */
  readonly form: { readonly url: string; readonly idOf: (id: string) => string };

  constructor(private readonly account: EvalAccount) {
    const { endpoints, idPattern } = account.rules;
    const isFine = (id: string) => idPattern === undefined || new RegExp(idPattern).test(id);
    this.origin = new URL(account.baseUrl).origin;
    this.form = {
      url: endpoints[0] ?? '/v1/chat/completions',
      idOf: (id) => (isFine(id) ? id : id.replaceAll('.', '-')),
    };
  }

  async submit(sent: SentFile, signal: AbortSignal): Promise<void> {
    if (this.jobOf(sent)) return;
    const { path } = sent;
    const { account, origin } = this;
    const hours = Math.max(usualHours, account.rules.hours?.least ?? 0);
    // Before the job is created, so that the batch isn't submitted a second time wherever the eval runs next.
    await writeSubmission(path, { state: 'submitting', by: account.by, origin });
    try {
      await account.submit({ path, completion_window: `${hours}h` }, signal);
    } catch (error) {
      // Without a job, no batch was created.
      if (!this.jobOf(sent)) await removeRequests(path);
      throw error;
    }
    const job = this.jobOf(sent)?.id;
    await writeSubmission(path, { state: 'submitted', by: account.by, origin, ...(job !== undefined && { job }) });
  }

  async runNow(sent: SentFile, signal: AbortSignal): Promise<string | undefined> {
    if (signal.aborted) return 'stopped';
    const { rules, call, concurrency, onState } = this.account;
    const folder = this.folderNow(sent);
    await makeFolder(folder, await reachOf(dirname(sent.path)));
    const severities = { ...defaultSeverities, ...rules.severities };
    // The rules are those of batches, in which few services accept measures.
    const isMeasured = Array.from(sent.keys.keys()).every((id) => id.startsWith('m1.'));
    let started: LocalRun | undefined;
    const run = await startRun({
      folder,
      run: runOf(sent.name),
      input: sent.path,
      rules,
      sendsAny: isMeasured,
      isError: (code) => !isMeasured && severities[code] === 'error',
      concurrency,
      call,
      onChange: () => started && onState?.(started.state),
    });
    started = run;
    const stop = () => run.stop();
    signal.addEventListener('abort', stop);
    // It may have been canceled before the run was open.
    if (signal.aborted) stop();
    const end = await run.ended;
    signal.removeEventListener('abort', stop);
    if (end.kind === 'finished') return undefined;
    if (!('error' in end)) return end.kind;
    return end.error instanceof Error ? end.error.message : String(end.error);
  }

  async look(sent: SentFile): Promise<SentState> {
    if (sent.how === 'now') {
      const folder = this.folderNow(sent);
      await closeInterrupted(sent, folder);
      return { folder, isOver: true };
    }
    const job = await this.checkedJob(sent);
    return this.stateOf(sent, this.jobOf(sent) ?? job);
  }

  /**
   * A view of the same account that changes no run: it sends no requests, and closes none that an interrupted run left. With `checks`, it asks
   * the service about batches.
   */
  viewed(isRunning: boolean, checks = false): EvalService {
    const refuse = () => Promise.reject(new Error('Nothing is sent by a view.'));
    return {
      origin: this.origin,
      submit: refuse,
      runNow: refuse,
      look: async (sent) => {
        if (sent.how === 'now') return { folder: this.folderNow(sent), isOver: !isRunning };
        const job = checks ? await this.checkedJob(sent) : undefined;
        return this.stateOf(sent, this.jobOf(sent) ?? job);
      },
    };
  }

  /** Asks the service how the batch of a file is, unless it is over. */
  private async checkedJob(sent: SentFile): Promise<BatchJob | undefined> {
    const job = this.jobOf(sent);
    if (job && !isBatchOver(job)) await this.account.check(job.id).catch(this.account.onError);
    return job;
  }

  /** Returns the job of a request file at this service. Another service's responses don't belong to this account. */
  jobOf({ path, submission }: SentFile): BatchJob | undefined {
    const jobs = this.account.jobs().filter(({ baseUrl }) => isSameService(baseUrl, this.account.baseUrl));
    const submitted = submission && 'job' in submission ? submission.job : undefined;
    // By its ID if the folder was moved since.
    return jobs.find(({ input }) => input?.path === path) ?? jobs.find(({ id }) => id === submitted);
  }

  /** Whether the service may or may not have created a batch of a file, as the response was lost. */
  isLost(sent: SentFile): boolean {
    return this.jobOf(sent)?.stage === 'unknown';
  }

  /** The state of a batch. Without a job here, there may be one elsewhere, unless the submission certainly never began. */
  private stateOf({ submission }: SentFile, job: BatchJob | undefined): SentState {
    if (job) {
      const { problem, folder } = toAgentBatch(job);
      return {
        isOver: isBatchOver(job),
        ...(folder !== undefined && { folder }),
        ...(problem !== undefined && { problem }),
      };
    }
    if (!submission) return { isOver: true, elsewhere: 'unknown' };
    if (submission.state === 'unsent' || !isSameService(submission.origin, this.origin)) return { isOver: true };
    const { state, by } = submission;
    // The command line makes a job in the run folder before it sends anything, so a job that isn't there was never made.
    const isUnsent = state === 'submitting' && by === 'commandLine' && this.account.by === by;
    return isUnsent ? { isOver: true } : { isOver: true, elsewhere: by };
  }

  private folderNow({ name }: SentFile): string {
    return join(this.account.results, `${name.replace(/\.jsonl$/, '')}-${hashOf(this.origin, 6)}`);
  }
}

/** Returns the models that grade an eval: those of its run, whose grades are paid for, or else the account's. */
export function graderModels(plan: EvalPlan, offered: ChoosableModels, before: GraderModels = {}): GraderModels {
  const choose = (job: 'chat' | 'embedding', model: string | undefined) =>
    chooseModel(job, model === undefined ? offered : { ...offered, defaults: { [job]: model } });
  return {
    ...(usesJudge(plan) && { judge: choose('chat', before.judge) }),
    ...(usesEmbeddings(plan) && { embeddings: choose('embedding', before.embeddings) }),
  };
}

/** Returns what a run would send next. Changes nothing. */
export async function dueRequests(
  plan: EvalPlan,
  folder: string,
  service: EvalService,
  options: EvalRunOptions,
): Promise<Due> {
  const run = new EvalRun(plan, await EvalRunFolder.view(folder, service.origin), service, options);
  await run.refresh(new AbortController().signal);
  return { requests: run.next(), elsewhere: run.progress.elsewhere };
}

export interface Due {
  readonly requests: readonly EvalRequest[];
  readonly elsewhere: RunProgress['elsewhere'];
}

/**
 * Sends the due requests of a run, then the grades of its responses once all of them are here. `choose` says how requests are sent:
 * `undefined` sends none. Resolves once batches are submitted and other requests have a result, or with the reason why no more can be sent.
 */
export async function sendDue(
  run: EvalRun,
  folder: EvalRunFolder,
  service: AccountEvals,
  { choose, signal }: { readonly choose: ChooseHow; readonly signal: AbortSignal },
): Promise<string | undefined> {
  await run.refresh(signal);
  for (let round = 0; round < 2 && !signal.aborted; round++) {
    const next = run.next();
    const how = next.length === 0 ? undefined : await choose(next);
    if (!how) break;
    for (const sent of await folder.write(next, { how, ...service.form })) {
      if (sent.how === 'batch') {
        await service.submit(sent, signal);
        continue;
      }
      const problem = await service.runNow(sent, signal);
      if (problem !== undefined && !signal.aborted) return problem;
    }
    await run.refresh(signal);
  }
  return undefined;
}

export type ChooseHow = (next: readonly EvalRequest[]) => Promise<'now' | 'batch' | undefined>;

/**
 * Records a failure for each request that was in progress when an earlier run was interrupted. It may have been charged, so it is resent
 * only on request.
 */
async function closeInterrupted({ name, keys }: SentFile, folder: string): Promise<void> {
  const { unanswered } = await findResults(folder, { repair: true });
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
