import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { BatchJob } from '../../core/jobs/batch/batchJob';
import { countsOf } from '../../core/jobs/batch/batchState';
import type { BatchFault } from '../../core/api/batches/batches.schema';
import type { JobError } from '../../core/jobs/job';
import type { JobNotice } from '../../core/jobs/jobNotice';
import { faultText } from './batchMessages';
import { step } from '../../platform/errors/errorActions';
import { runAction } from '../../platform/errors/reportError';
import { runCommand } from '../../platform/contributions';
import { numberText } from '../../platform/displayText';
import { jobName, jobErrorText, statusText } from './batchMessages';
import { listText } from '../../protocol/formats';
import { sentence, sentences } from '../../protocol/sentences';
import { ListRow } from '../../platform/listRow';
import type { BatchRow } from './batches';
import { showMessage } from '../../platform/notify';
import type { MessageKind } from '../../platform/notify';
import { foreign } from '../../core/text/foreignText';

/** The effects of a notification's buttons, apart from commands. */
export interface NoticeActs {
  checkNow(id: string): Promise<BatchJob>;
  fetchResults(id: string): Promise<unknown>;
}

interface Notice {
  readonly kind: MessageKind;
  readonly text: string;
  readonly buttons: readonly { readonly title: string; readonly run: () => PromiseLike<unknown> }[];
}

/** Notifies the user that a job has ended or needs attention, and runs the chosen action. */
export async function showNotice(job: BatchJob, notice: JobNotice, acts: NoticeActs): Promise<void> {
  const { kind, text, buttons } = notice === 'end' ? endNotice(job, acts) : doubtNotice(job, acts);
  const titles = buttons.map(({ title }) => title);
  const chosen = await showMessage(kind, text, ...titles);
  await buttons.find(({ title }) => title === chosen)?.run();
}

/** Reports why a batch wasn't created, or isn't known to be, when it was tried again. Otherwise its row shows that it exists now. */
export function tellCreated(job: BatchJob): void {
  const { stage, lastError } = job;
  if (lastError && (stage === 'refused' || stage === 'unknown')) void showMessage('error', problemText(job, lastError));
}

function problemText(job: BatchJob, error: JobError | undefined): string {
  return l10n.t('Batch "{0}": {1}', foreign(jobName(job)), error ? jobErrorText(error) : '');
}

/** Reports the state of a batch after a check, unless its row shows a change. */
export function tellChecked(before: BatchState, after: BatchState & { readonly name: string }): void {
  const facts = ({ batch, stage, lastError }: BatchState) =>
    JSON.stringify([batch?.status, batch?.requestCounts, stage, lastError?.kind]);
  if (facts(before) !== facts(after)) return;
  const { batch, name, stage, lastError } = after;
  const text = l10n.t('Batch "{0}" hasn\'t changed since the last check.', foreign(name));
  const state = lastError
    ? jobErrorText(lastError)
    : stage === 'fetching'
      ? l10n.t('Downloading results…')
      : batch
        ? sentence(l10n.t('Status: {0}', statusText(batch.status)))
        : '';
  void showMessage(lastError ? 'warning' : 'information', sentences(text, state));
}

type BatchState = Partial<BatchJob>;

function endNotice(job: BatchJob, acts: NoticeActs): Notice {
  const { id, batch, lastError, folder, fetched } = job;
  const open = { title: l10n.t('Open Results'), run: () => runCommand('inferenceDesk.batches.openResults', id) };
  const why = { title: l10n.t('Show Errors'), run: open.run };
  const retry = { title: l10n.t('Retry Failed…'), run: () => runCommand('inferenceDesk.batches.retryFailed', id) };
  const fetch = { title: l10n.t('Download Again'), run: () => acts.fetchResults(id) };
  const hasResults = folder !== undefined && (fetched?.output !== undefined || fetched?.errors !== undefined);
  const words = [endText(job), countText(job), lastError ? jobErrorText(lastError) : faultsText(batch?.errors ?? [])];
  const isWhole = job.stage === 'ended' && !lastError && batch?.status === 'completed';
  const { failed, incomplete } = countsOf(fetched);
  const hasFailed = failed > 0 || !isWhole;
  return {
    kind: !hasResults ? 'error' : isWhole && !hasFailed && incomplete === 0 ? 'information' : 'warning',
    text: sentences(...words),
    buttons: [
      ...(hasResults ? [open] : batch?.errors.length ? [why] : []),
      ...(hasResults && hasFailed ? [retry] : []),
      ...(lastError ? [fetch] : []),
    ],
  };
}

/** Returns the first fault and how many more there are: a notification is not a list. */
function faultsText([first, ...more]: readonly BatchFault[]): string {
  if (!first) return '';
  const { language } = vscode.env;
  const others =
    more.length === 0
      ? ''
      : more.length === 1
        ? l10n.t('1 more error.')
        : l10n.t('{0} more errors.', numberText(more.length, language));
  return sentences(sentence(faultText(first, language)), others);
}

function endText(job: BatchJob): string {
  const name = jobName(job);
  const status = job.batch?.status ?? '';
  switch (status) {
    case 'completed':
      return l10n.t('Batch "{0}" is done.', foreign(name));
    case 'failed':
      return l10n.t('Batch "{0}" failed.', foreign(name));
    case 'expired':
      return l10n.t('Batch "{0}" has expired. Completed requests are available.', foreign(name));
    case 'cancelled':
      return l10n.t('Batch "{0}" was canceled. Completed requests are available.', foreign(name));
    default:
      return l10n.t('Batch "{0}" has ended ({1}).', foreign(name), status);
  }
}

function countText({ fetched, batch, input }: BatchJob): string {
  if (!fetched?.output && !fetched?.errors) return '';
  const { language } = vscode.env;
  const { answered, incomplete, failed } = countsOf(fetched);
  const came = answered + incomplete + failed;
  const missing = Math.max(0, (batch?.requestCounts?.total ?? input?.requests ?? 0) - came);
  const parts = [
    ...(answered > 0 || incomplete + failed === 0 ? [l10n.t('Responses: {0}', numberText(answered, language))] : []),
    ...(incomplete > 0 ? [l10n.t('truncated, empty, or rejected: {0}', numberText(incomplete, language))] : []),
    ...(failed > 0 ? [l10n.t('errors: {0}', numberText(failed, language))] : []),
    ...(missing > 0 ? [l10n.t('missing: {0}', numberText(missing, language))] : []),
  ];
  const text = listText(parts, language);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function doubtNotice(job: BatchJob, acts: NoticeActs): Notice {
  const name = jobName(job);
  const look = {
    title: l10n.t('Refresh Status'),
    run: async () => tellChecked(job, { ...(await acts.checkNow(job.id)), name }),
  };
  const row = new ListRow<BatchRow>(job.id, { key: job.id, job, ...(job.batch && { batch: job.batch }) });
  // The command asks with the price, as the batch may exist.
  const again = {
    title: l10n.t('Resubmit Batch…'),
    run: () => runCommand('inferenceDesk.batches.createAgain', row),
  };
  const text = problemText(job, job.lastError);
  const { id, label } = step('spendingSetting');
  const buttons =
    job.stage === 'refused'
      ? [again]
      : job.stage === 'unknown'
        ? [look, again]
        : job.stage === 'queued'
          ? [{ title: label, run: () => runAction(id) }]
          : [look];
  return { kind: 'warning', text, buttons };
}
