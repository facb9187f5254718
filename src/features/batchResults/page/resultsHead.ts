import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { labelled } from '../../../protocol/sentences';
import { isUnderWay } from '../../../core/batch/state/batchState';
import { faultText, retryingWords, jobErrorText } from '../../../services/batches/batchMessages';
import { costText } from '../../../services/usage/costMessages';
import type { Costs } from '../../../services/usage/costs';
import type { Batch } from '../../../core/api/batches/batches.schema';
import { absoluteTimeText, numberText, shortened } from '../../../platform/displayText';
import type { ResultsFault, ResultsHead, ResultsNotice, ResultsPhase } from '../../../protocol/batchResults';
import { dateFormat, listText } from '../../../protocol/formats';
import { foreign } from '../../../core/text/foreignText';
import type { RunFolder } from '../../../core/batch/results/runFolder';
import type { RunState } from '../run/shownRun';

/** In characters. */
const longestFault = 1000;

/** Converts the state of a run for its page. */
export function headOf(
  state: RunState,
  { now, costs, siblings }: { readonly now: number; readonly costs: Costs; readonly siblings: readonly RunFolder[] },
): ResultsHead {
  const { job, folder, source, name } = state;
  const runs = placeText(siblings, folder?.path);
  const batch = job?.batch;
  const batchId = batch?.id ?? folder?.run.batchId;
  const cost = costText(costs.of(job?.id ?? folder?.run.jobId ?? ''));
  const waiting = source ? undefined : waitingText(state);
  const phases = batch ? phasesOf(batch, now) : [];
  const isCompleted = batch?.status === 'completed';
  const passed = isCompleted ? phases.map(({ label, detail }) => labelled(label, detail)) : [];
  return {
    name,
    ...(runs !== undefined && { runs }),
    facts: [factsText(state), cost?.text].filter(Boolean).join(' · '),
    factsHint: [batchId, folder?.path, cost?.hint, ...passed].filter(Boolean).join('\n'),
    // For a batch with results, only the times remain to be shown.
    phases: isCompleted && source ? [] : phases,
    notices: noticesOf(state),
    faults: faultsOf(state),
    ...(waiting !== undefined && { waiting }),
  };
}

/** Says which of the runs of its file a run is; `undefined` if there is only one. */
function placeText(siblings: readonly RunFolder[], folder: string | undefined): string | undefined {
  const place = siblings.findIndex((run) => run.path === folder);
  const { language } = vscode.env;
  const number = (value: number) => numberText(value, language);
  const count = siblings.length;
  return place < 0 || count < 2 ? undefined : l10n.t('Run {0} of {1}', number(count - place), number(count));
}

/** Names a run by what distinguishes it from others of the same file: its model and time. */
export function referenceText(state: RunState): string {
  return [modelOf(state), startText(state)].filter(Boolean).join(' · ') || state.name;
}

/** Returns the model that a run asked; `undefined` if it is not known. */
export function modelOf({ job, folder }: RunState): string | undefined {
  return job?.options.replace?.model ?? folder?.run.model ?? folder?.run.input?.model;
}

/** Says when a run was started; `undefined` if that is not known. */
export function startText({ job, folder }: RunState): string | undefined {
  const at = folder?.run.createdAt ?? job?.createdAt;
  return at === undefined ? undefined : timeText(at / 1000, Date.now());
}

/** Describes the batch, model, and number of requests. For a local run, says that it is one. */
function factsText(state: RunState): string {
  const { job, folder } = state;
  const batchId = job?.batch?.id ?? folder?.run.batchId;
  const requests = job?.batch?.requestCounts?.total ?? folder?.run.input?.requests ?? job?.input?.requests;
  const count = requests ? numberText(requests, vscode.env.language) : undefined;
  return [
    folder?.run.kind === 'local' ? l10n.t('run on this machine') : batchId && shortened(batchId, 18),
    modelOf(state),
    count === undefined ? undefined : requests === 1 ? l10n.t('1 request') : l10n.t('{0} requests', count),
  ]
    .filter(Boolean)
    .join(' · ');
}

function noticesOf(state: RunState): readonly ResultsNotice[] {
  const { job, folder, source, retries } = state;
  const checkNow = { id: 'checkNow', label: l10n.t('Refresh Status') };
  const fetchAgain = { id: 'fetchAgain', label: l10n.t('Download Again') };
  const retrying = retryingWords(retries, folder?.run.input?.requests);
  const notices: ResultsNotice[] = [];
  for (const { lastError, stage } of [job, ...retries.map((retry) => retry.job)].filter((one) => one !== undefined)) {
    if (!lastError) continue;
    const isFetch = [
      'cutShort',
      'resultMissing',
      'resultsRefused',
      'notResults',
      'disk',
      'fetch',
      'noResults',
    ].includes(lastError.kind);
    notices.push({
      tone: 'warning',
      title: jobErrorText(lastError),
      detail: '',
      actions: stage === 'unknown' || stage === 'refused' ? [] : [isFetch ? fetchAgain : checkNow],
    });
  }
  const failed = retries.findLast((retry) => retry.job)?.job?.batch;
  if (failed?.status === 'failed') {
    const [fault] = failed.errors;
    const detail = fault ? faultText(fault, vscode.env.language) : '';
    notices.push({ tone: 'warning', title: l10n.t('The retry failed'), detail, actions: [] });
  }
  if (retrying !== undefined) {
    notices.push({
      tone: 'info',
      title: retrying,
      detail: l10n.t('New responses are added to these results.'),
      actions: [checkNow],
    });
  }
  const isRunning = job?.batch ? isUnderWay(job.batch) : job !== undefined && job.stage === 'running';
  if (isRunning && source) {
    notices.push({
      tone: 'info',
      title: l10n.t('The batch is still running'),
      detail: l10n.t('More results will appear here.'),
      actions: [checkNow],
    });
  }
  if (!job && folder?.run.kind === 'local' && !folder.run.ended) {
    notices.push({
      tone: 'info',
      title: l10n.t("The run isn't complete"),
      detail: l10n.t('More results will appear here.'),
      actions: [],
    });
  }
  return notices;
}

/** Nobody reads more of them one by one. */
const mostFaults = 200;

function faultsOf({ job, changedFaults }: RunState): readonly ResultsFault[] {
  const errors = job?.batch?.errors ?? [];
  const more = errors.length - mostFaults;
  const moreText =
    more === 1 ? l10n.t('1 more error.') : l10n.t('{0} more errors.', numberText(more, vscode.env.language));
  const shown = errors.slice(0, mostFaults).map(({ message, code = '', line }, index) => ({
    text: foreign(message, longestFault),
    code: foreign(code),
    ...(line !== undefined && { line: l10n.t('Line {0}', numberText(line, vscode.env.language)) }),
    isChanged: changedFaults?.includes(index) ?? false,
  }));
  return more > 0 ? [...shown, { text: moreText, code: '', isChanged: false }] : shown;
}

function waitingText({ job, folder }: RunState): string {
  switch (job?.stage) {
    case 'preparing':
    case 'submitting':
      return l10n.t('Submitting the batch.');
    case 'queued':
      return l10n.t('Waiting to submit the batch.');
    case 'unknown':
      return l10n.t('The batch may or may not exist. Its results will appear here.');
    case 'refused':
      return l10n.t("The batch doesn't exist, so there are no results.");
    case 'fetching':
      return l10n.t('Downloading results…');
    case 'running':
      return l10n.t('Results will appear here.');
    case 'ended':
      return l10n.t('The batch has ended without results.');
    case undefined:
      return folder ? l10n.t('This run has no results yet.') : l10n.t('The results have been moved or deleted.');
  }
}

interface Step {
  /** The status of a batch in this step. */
  readonly status: string;
  readonly label: string;
  /** Unix seconds. */
  readonly at: number | undefined;
}

const ends = ['completed', 'failed', 'expired', 'cancelled'];

/** Derives the past and future phases of a batch from its timestamps. An unknown status is shown as it is. */
export function phasesOf(batch: Batch, now: number): readonly ResultsPhase[] {
  const way = wayOf(batch);
  const end = endOf(batch);
  if (ends.includes(batch.status)) {
    const passed = way.filter(({ at }) => at !== undefined).map((step) => phaseOf(step, 'done', now));
    const state = batch.status === 'completed' ? 'done' : 'ended';
    return [...passed, { ...phaseOf(end, state, now), detail: joined(timeText(end.at, now), countsText(batch)) }];
  }
  const known = way.findIndex(({ status }) => status === batch.status);
  const steps = known >= 0 || batch.status === 'validating' ? way : withUnknown(way, batch.status);
  const current = Math.max(0, known >= 0 ? known : steps.findIndex(({ status }) => status === batch.status));
  return [
    ...steps.map((step, index) => {
      if (index < current) return phaseOf(step, 'done', now);
      if (index > current) return phaseOf({ ...step, at: undefined }, 'ahead', now);
      const phase = phaseOf(step, 'current', now);
      return { ...phase, detail: joined(phase.detail, countsText(batch)) };
    }),
    { ...phaseOf({ ...end, at: undefined }, 'ahead', now), ...expiry(batch, now) },
  ];
}

function wayOf({ status, ...batch }: Batch): readonly Step[] {
  const cancelling: Step = { status: 'cancelling', label: l10n.t('Canceling'), at: batch.cancellingAt };
  return [
    status === 'validating'
      ? { status, label: l10n.t('Checking'), at: batch.createdAt }
      : { status: 'in_queue', label: l10n.t('Queued'), at: batch.createdAt },
    { status: 'in_progress', label: l10n.t('In progress'), at: batch.inProgressAt },
    ...(batch.cancellingAt !== undefined || status === 'cancelling'
      ? [cancelling]
      : [{ status: 'finalizing', label: l10n.t('Finalizing'), at: batch.finalizingAt }]),
  ];
}

function endOf({ status, ...batch }: Batch): Step {
  switch (status) {
    case 'failed':
      return { status, label: l10n.t('Failed'), at: batch.failedAt };
    case 'expired':
      return { status, label: l10n.t('Expired'), at: batch.expiredAt };
    case 'cancelled':
    case 'cancelling':
      return { status, label: l10n.t('Canceled'), at: batch.cancelledAt };
    default:
      return { status, label: l10n.t('Completed'), at: batch.completedAt };
  }
}

/** Inserts an unknown status after the last step whose time is known. */
function withUnknown(way: readonly Step[], status: string): readonly Step[] {
  const at = way.findLastIndex((step) => step.at !== undefined) + 1;
  return way.toSpliced(at, 0, { status, label: status, at: undefined });
}

function phaseOf({ label, at }: Step, state: ResultsPhase['state'], now: number): ResultsPhase {
  const hint = at === undefined ? '' : absoluteTimeText(at * 1000, vscode.env.language);
  return { label, state, detail: timeText(at, now), hint };
}

function expiry({ expiresAt }: Batch, now: number): Partial<ResultsPhase> {
  if (expiresAt === undefined) return {};
  return {
    detail: l10n.t('by {0}', timeText(expiresAt, now)),
    hint: absoluteTimeText(expiresAt * 1000, vscode.env.language),
  };
}

/** Formats a time (`at` in Unix seconds), with the date unless it is today. */
function timeText(at: number | undefined, now: number): string {
  if (at === undefined) return '';
  const date = new Date(at * 1000);
  const isToday = date.toDateString() === new Date(now).toDateString();
  return dateFormat(vscode.env.language, {
    ...(!isToday && { month: 'short', day: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
  }).format(date);
}

function countsText({ requestCounts }: Batch): string {
  const { total, completed, failed } = requestCounts ?? {};
  if (total === undefined || total === 0 || completed === undefined) return '';
  const { language } = vscode.env;
  const done = l10n.t('{0} of {1}', numberText(completed, language), numberText(total, language));
  return failed ? l10n.t('{0}, {1} failed', done, numberText(failed, language)) : done;
}

function joined(...parts: readonly string[]): string {
  return listText(parts, vscode.env.language);
}
