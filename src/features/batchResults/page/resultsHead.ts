import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { isUnderWay } from '../../../core/batch/state/batchState';
import { faultText, retryingWords, jobErrorText } from '../../../services/batches/batchMessages';
import { costText } from '../../../services/usage/costMessages';
import type { Costs } from '../../../services/usage/costs';
import { numberText, shortened } from '../../../platform/displayText';
import type { ResultsFault, ResultsHead, ResultsNotice } from '../../../protocol/batchResults';
import { foreign } from '../../../core/text/foreignText';
import { phasesOf } from '../run/phases';
import type { RunState } from '../run/shownRun';

/** In characters. */
const longestFault = 1000;

/** Converts the state of a run for its page. */
export function headOf(state: RunState, now: number, costs: Costs): ResultsHead {
  const { job, folder, source, name } = state;
  const batch = job?.batch;
  const batchId = batch?.id ?? folder?.run.batchId;
  const cost = costText(costs.of(job?.id ?? folder?.run.jobId ?? ''));
  const waiting = source ? undefined : waitingText(state);
  return {
    name,
    facts: [factsText(state), cost?.text].filter(Boolean).join(' · '),
    factsHint: [batchId, folder?.path, cost?.hint].filter(Boolean).join('\n'),
    phases: batch ? phasesOf(batch, now) : [],
    notices: noticesOf(state),
    faults: faultsOf(state),
    ...(waiting !== undefined && { waiting }),
  };
}

/** Describes the batch, model and number of requests; for a local run, says that it is one. */
export function factsText({ job, folder }: RunState): string {
  const batchId = job?.batch?.id ?? folder?.run.batchId;
  const requests = job?.batch?.requestCounts?.total ?? folder?.run.input?.requests ?? job?.input?.requests;
  const count = requests ? numberText(requests, vscode.env.language) : undefined;
  return [
    folder?.run.kind === 'local' ? l10n.t('run on this machine') : batchId && shortened(batchId, 18),
    job?.order.replace?.model ?? folder?.run.model,
    count === undefined ? undefined : requests === 1 ? l10n.t('1 request') : l10n.t('{0} requests', count),
  ]
    .filter(Boolean)
    .join(' · ');
}

function noticesOf(state: RunState): readonly ResultsNotice[] {
  const { job, folder, source, retries } = state;
  const checkNow = { id: 'checkNow', label: l10n.t('Check Now') };
  const fetchAgain = { id: 'fetchAgain', label: l10n.t('Fetch Again') };
  const retrying = retryingWords(retries, folder?.run.input?.requests);
  const notices: ResultsNotice[] = [];
  for (const { trouble, stage } of [job, ...retries.map((retry) => retry.job)].filter((one) => one !== undefined)) {
    if (!trouble) continue;
    const isFetch = ['cutShort', 'resultMissing', 'notResults', 'disk', 'fetch', 'noResults'].includes(trouble.kind);
    notices.push({
      tone: 'warning',
      title: jobErrorText(trouble),
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
      detail: l10n.t('The answers are added to these results as soon as they are there.'),
      actions: [checkNow],
    });
  }
  const isRunning = job?.batch ? isUnderWay(job.batch) : job !== undefined && job.stage === 'running';
  if (isRunning && source) {
    notices.push({
      tone: 'info',
      title: l10n.t('The batch is still running'),
      detail: l10n.t('These are the results so far. The page is filled as more come.'),
      actions: [checkNow],
    });
  }
  if (!job && folder?.run.kind === 'local' && !folder.run.ended) {
    notices.push({
      tone: 'info',
      title: l10n.t('The run has not ended'),
      detail: l10n.t('These are the results so far. The page is filled as more come.'),
      actions: [],
    });
  }
  return notices;
}

/** Nobody reads more of them one by one. */
const mostFaults = 200;

function faultsOf({ job, changedFaults }: RunState): readonly ResultsFault[] {
  return (job?.batch?.errors ?? []).slice(0, mostFaults).map(({ message, code = '', line }, index) => ({
    text: foreign(message, longestFault),
    code: foreign(code),
    ...(line !== undefined && { line: l10n.t('Line {0}', numberText(line, vscode.env.language)) }),
    isChanged: changedFaults?.includes(index) ?? false,
  }));
}

function waitingText({ job, folder }: RunState): string {
  switch (job?.stage) {
    case 'preparing':
    case 'submitting':
      return l10n.t('The batch is being submitted. Its results are shown here as soon as there are some.');
    case 'unknown':
      return l10n.t(
        'It is not known yet whether the batch was created. Its results are shown here when there are some.',
      );
    case 'refused':
      return l10n.t('The batch was not created, so there are no results.');
    case 'fetching':
      return l10n.t('The results are being fetched.');
    case 'running':
      return l10n.t('There are no results yet. They are fetched and shown here as soon as the service hands them out.');
    case 'ended':
      return l10n.t('The batch has ended without results.');
    case undefined:
      return folder
        ? l10n.t('This run has no results yet.')
        : l10n.t('These results are not there any more. Their folder was moved or deleted.');
  }
}
