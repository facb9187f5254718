import path from 'node:path';
import * as vscode from 'vscode';
import { l10n } from 'vscode';
import type { ResultsSummary } from '../../../core/batch/results/resultsView';
import type { RetryOrder } from '../../../core/batch/results/retry/retryOrder';
import { recordRetry } from '../../../core/batch/results/retry/lineage';
import { runCommand } from '../../../platform/contributions';
import { numberText } from '../../../platform/displayText';
import { askPick } from '../../../platform/quickInput';
import { createRetryLineage } from '../../../platform/retryLineage';
import { UserError } from '../../../platform/userError';
import { besideOf, chooseTarget, freePath } from '../../../platform/writeTarget';
import { showWritten, withWriting } from '../../../platform/written';
import type { Services } from '../../../services';
import type { OpenRun } from '../run/openRuns';
import { showMessage } from '../../../platform/notify';
import { foreign } from '../../../core/text/foreignText';

type Which = RetryOrder['which'];

const number = (value: number): string => numberText(value, vscode.env.language);

/**
 * Writes what failed and what is missing into a new batch file beside the input, and opens it. `group`: only failures of this
 * group. Throws words for the person.
 */
export async function retryRun({ context, log }: Services, { run, reading }: OpenRun, group?: number): Promise<void> {
  const summary = await reading.load(false, () => undefined);
  const { input, job, folder } = run.state;
  if (!summary || input === undefined || summary.input?.trouble !== undefined) throw withoutRequests();
  const which = group === undefined ? await askWhich(summary) : { group };
  if (which === undefined) return;
  const title = l10n.t('Retry');
  const chosen = await chooseTarget(title, await freePath(besideOf(input, 'retry')));
  if (!chosen) return;
  const written = await withWriting(
    l10n.t('Writing {0}', foreign(path.basename(chosen.target))),
    1,
    ({ signal, onProgress }) =>
      reading.call('retry', { which, ...chosen }, { signal, onChunk: ({ part }) => onProgress(part) }),
  );
  const retryOf = job?.id ?? folder?.run.jobId ?? folder?.path;
  if (retryOf !== undefined)
    await createRetryLineage(context.globalState).remember(chosen.target, { retryOf, sha256: written.sha256 });
  if (folder) {
    const { sha256, requests } = written;
    await recordRetry(folder.path, { path: chosen.target, sha256, requests, createdAt: Date.now() }).catch(
      (error: unknown) => log.warn(`The retry was not noted in its run: ${String(error)}`),
    );
  }
  await showWritten(chosen.target, written.bytes);
  offerSubmit(chosen.target, written);
}

function offerSubmit(
  file: string,
  { requests, leftOut }: { readonly requests: number; readonly leftOut: number },
): void {
  const said =
    requests === 1
      ? l10n.t('1 request was written to {0}.', foreign(path.basename(file)))
      : l10n.t('{0} requests were written to {1}.', number(requests), foreign(path.basename(file)));
  const without = l10n.t('{0} lines were left out: they have no id of their own.', number(leftOut));
  const submit = l10n.t('Submit Batch…');
  void showMessage('information', leftOut > 0 ? `${said} ${without}` : said, submit).then((answer) =>
    answer === submit ? runCommand('inferenceDesk.batches.submit', vscode.Uri.file(file)) : undefined,
  );
}

/** Nobody is asked where there is only one thing to ask again. */
async function askWhich({ failed, missing }: ResultsSummary): Promise<Which | undefined> {
  if (failed + missing === 0) {
    throw new UserError(l10n.t('There is nothing to retry'), l10n.t('Every request was answered.'));
  }
  if (missing === 0) return 'failed';
  if (failed === 0) return 'missing';
  const answer = await askPick<'failed' | 'missing' | 'both'>({
    title: l10n.t('Retry'),
    placeholder: l10n.t('Which requests are asked again?'),
    canGoBack: false,
    items: [
      { label: l10n.t('Failed and missing'), description: number(failed + missing), value: 'both' },
      { label: l10n.t('Failed only'), description: number(failed), value: 'failed' },
      { label: l10n.t('Missing only'), description: number(missing), value: 'missing' },
    ],
  });
  return answer.kind === 'value' ? answer.value : undefined;
}

function withoutRequests(): UserError {
  return new UserError(
    l10n.t('The requests are not known here'),
    l10n.t('Only the batch file has them. Link it, then retry.'),
    [{ id: 'findInput', label: l10n.t('Find the Input…') }],
  );
}
