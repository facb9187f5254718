import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { makeRetryFolder } from '../../../core/batch/results/retries';
import { retriedStates, unansweredStates } from '../../../core/batch/results/resultsView';
import type { ResultsSummary, RetriedState } from '../../../core/batch/results/resultsView';
import type { RetryRequest } from '../../../core/batch/results/writeRetry';
import { isAwaited } from '../../../core/jobs/batch/batchJob';
import { sentPathIn } from '../../../core/batch/results/sentLines';
import { runCommand } from '../../../platform/contributions';
import { numberText } from '../../../platform/displayText';
import { showMessage } from '../../../platform/notify';
import { createRetryLineage } from '../../../services/batchFiles/retryLineage';
import { UserError } from '../../../platform/errors/userError';
import { besideOf, chooseTarget, freePath } from '../../../platform/workspace/writeTarget';
import { withWriting } from '../../../platform/workspace/written';
import type { Services } from '../../../services/services';
import type { OpenRun } from '../run/openRuns';
import { askRetryChanges } from './askRetryChanges';

/**
 * Collects requests to retry and opens the page or dialog that confirms the retry and its cost. Stores them in the folder of their
 * run, or where the user chooses if the results belong to no run. Throws localized errors.
 */
export async function retryRun(
  services: Services,
  { run, reading }: OpenRun,
  which: RetryRequest['which'],
): Promise<void> {
  const { batchJobs, context } = services;
  const summary = await reading.load(false, () => undefined);
  const { input, job, folder, name } = run.state;
  if (!summary || input === undefined || summary.input?.problem !== undefined) throw withoutRequests();
  const { open } = summary;
  const has = (state: RetriedState) => open[state] > 0;
  const isNone =
    typeof which === 'object'
      ? !retriedStates.some(has)
      : which === 'unanswered'
        ? !retriedStates.some((state) => unansweredStates.includes(state) && has(state))
        : !has(which);
  if (isNone) throw nothingToRetry(summary, isAwaited(run.state));
  const title = l10n.t('Collecting the requests to retry');
  const advice = await withWriting(title, 1, ({ signal, onProgress }) =>
    reading.call('retryAdvice', { which }, { signal, onChunk: ({ part }) => onProgress(part) }),
  );
  const changes = await askRetryChanges(services, advice);
  if (!changes) return;
  const isSent = (made: string) => batchJobs.jobs.some((one) => one.folder === made);
  const target = folder
    ? sentPathIn(await makeRetryFolder(folder.path, isSent))
    : (await chooseTarget(l10n.t('Retry'), await freePath(besideOf(input, 'retry'))))?.target;
  if (target === undefined) return;
  const { sha256, leftOut } = await withWriting(title, 1, ({ signal, onProgress }) =>
    reading.call(
      'retry',
      { which, target, replace: true, ...changes },
      { signal, onChunk: ({ part }) => onProgress(part) },
    ),
  );
  if (folder) {
    const model = job?.options.replace?.model ?? folder.run.model;
    const of = { name, input, requests: summary.requests, ...(model !== undefined && { model }) };
    const retryOf = job?.id ?? folder.run.jobId ?? folder.path;
    await createRetryLineage(context.globalState).remember(target, { retryOf, sha256, of });
  }
  if (leftOut > 0) void showMessage('information', leftOutText(leftOut));
  const isLocal = folder?.run.kind === 'local';
  await runCommand(
    isLocal ? 'inferenceDesk.batchFile.runLocally' : 'inferenceDesk.batches.submit',
    vscode.Uri.file(target),
  );
}

function leftOutText(count: number): string {
  return count === 1
    ? l10n.t("1 line has no unique ID and can't be retried.")
    : l10n.t("{0} lines have no unique ID and can't be retried.", numberText(count, vscode.env.language));
}

function nothingToRetry(
  { retrying, missing, truncated, empty, refused }: ResultsSummary,
  isAwaitedRun: boolean,
): UserError {
  if (isAwaitedRun && missing > retrying) {
    return new UserError(l10n.t('The run is still in progress'), l10n.t('Wait until the run ends.'));
  }
  const isIncomplete = truncated + empty + refused > 0;
  return new UserError(
    l10n.t('No requests to retry'),
    retrying > 0
      ? l10n.t('A retry is still in progress.')
      : isIncomplete
        ? l10n.t('Every request has a response. To retry anyway, open the results.')
        : l10n.t('Every request has a response.'),
  );
}

function withoutRequests(): UserError {
  return new UserError(l10n.t('Requests not found'), l10n.t('Link the batch file, then retry.'), [
    { id: 'findInput', label: l10n.t('Find Input File…') },
  ]);
}
