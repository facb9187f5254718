import { dirname, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { isBatchOver, toAgentBatch } from '../../agentTools/agentBatch';
import type { LocalCall } from '../../batch/local/localRun';
import { findResults, localFiles } from '../../batch/local/resultFiles';
import { failureLine } from '../../batch/local/resultLine';
import { startRun } from '../../batch/local/startRun';
import { defaultSeverities } from '../../batch/problem';
import type { BatchRules } from '../../batch/services/batchRules';
import type { BatchJob } from '../../jobs/batch/batchJob';
import { isSameService } from '../../jobs/sameService';
import { openAppendLog } from '../../storage/appendLog';
import { makeFolder, reachOf } from '../../storage/privateFiles';
import { hashOf } from '../evalPlan';
import type { EvalService, SentState } from './evalRun';
import type { SentFile } from './runFolder';

/** An account with its batch jobs, as the command line and the editor have them. */
export interface EvalAccount {
  readonly baseUrl: string;
  readonly rules: BatchRules;
  /** Absolute: the folder of results of requests that are sent now. */
  readonly results: string;
  readonly jobs: () => readonly BatchJob[];
  readonly submit: (
    submission: { readonly path: string; readonly completion_window: string },
    signal: AbortSignal,
  ) => Promise<unknown>;
  /** Asks the service how a job is. */
  readonly check: (id: string) => Promise<unknown>;
  readonly call: LocalCall;
  /** The most requests at once. */
  readonly concurrency: () => number;
  readonly onError: (error: unknown) => void;
}

const usualHours = 24;

/** Sends the requests of evals by the jobs of an account. */
export class AccountEvals implements EvalService {
  readonly origin: string;
  /** What requests of a chat name, and IDs as the service accepts them. */
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

  async submit({ path }: SentFile, signal: AbortSignal): Promise<void> {
    if (this.jobOf(path)) return;
    const hours = Math.max(usualHours, this.account.rules.hours?.least ?? 0);
    await this.account.submit({ path, completion_window: `${hours}h` }, signal);
  }

  async runNow(sent: SentFile, signal: AbortSignal): Promise<string | undefined> {
    if (signal.aborted) return 'stopped';
    const { rules, call, concurrency } = this.account;
    const folder = this.folderNow(sent);
    await makeFolder(folder, await reachOf(dirname(sent.path)));
    const severities = { ...defaultSeverities, ...rules.severities };
    const run = await startRun({
      folder,
      run: runOf(sent.name),
      input: sent.path,
      rules,
      isError: (code) => severities[code] === 'error',
      concurrency,
      call,
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
    if (sent.how === 'now') {
      const folder = this.folderNow(sent);
      await closeInterrupted(sent, folder);
      return { folder, isOver: true };
    }
    const job = this.jobOf(sent.path);
    if (job && !isBatchOver(job)) await this.account.check(job.id).catch(this.account.onError);
    return stateOf(this.jobOf(sent.path) ?? job);
  }

  /** A view of the same account that changes nothing: it asks no service, and closes no requests that an interrupted run left. */
  viewed(isRunning: boolean): EvalService {
    const refuse = () => Promise.reject(new Error('Nothing is sent by a view.'));
    return {
      origin: this.origin,
      submit: refuse,
      runNow: refuse,
      look: async (sent) =>
        sent.how === 'now' ? { folder: this.folderNow(sent), isOver: !isRunning } : stateOf(this.jobOf(sent.path)),
    };
  }

  /** The job that was made of a file of requests at this service: another one's responses are not those of this account. */
  jobOf(path: string): BatchJob | undefined {
    return this.account
      .jobs()
      .find(({ input, baseUrl }) => input?.path === path && isSameService(baseUrl, this.account.baseUrl));
  }

  /** Whether the service may or may not have created a batch of a file, as the response was lost. */
  isLost({ path }: SentFile): boolean {
    return this.jobOf(path)?.stage === 'unknown';
  }

  private folderNow({ name }: SentFile): string {
    return join(this.account.results, `${name.replace(/\.jsonl$/, '')}-${hashOf(this.origin, 6)}`);
  }
}

/** The state of a batch. Without a job, its file was written, and the process ended before a job was made of it. */
function stateOf(job: BatchJob | undefined): SentState {
  if (!job) return { isOver: true };
  const { problem, folder } = toAgentBatch(job);
  return {
    isOver: isBatchOver(job),
    ...(folder !== undefined && { folder }),
    ...(problem !== undefined && { problem: problem }),
  };
}

/**
 * Records a failure for each request that was under way when an earlier run was interrupted: it may have been charged, so it is not sent again
 * unasked.
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
