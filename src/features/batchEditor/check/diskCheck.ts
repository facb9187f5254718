import type { ListedModels } from '../../../core/batch/fileRules';
import path from 'node:path';
import * as vscode from 'vscode';
import type { CheckJob } from '../../../core/batch/job/checkJob';
import { checkBatchFiles, checkJobOf, showReport } from '../../../services/batchFiles/checkFiles';
import { outcomeWords, sumOf } from '../../../services/batchFiles/checkWords';
import type { CheckOutcome } from '../../../services/batchFiles/checkWords';
import { setContext } from '../../../platform/contributions';
import { bytesText, numberText } from '../../../platform/displayText';
import type { Disposable } from '../../../platform/disposables';
import type { Services } from '../../../services/services';
import type { BatchDocuments } from '../batchDocuments';
import { chooseFiles } from './chooseFiles';
import { createDiskProblems } from './diskProblems';
import type { DiskProblems } from './diskProblems';
import { showMessage, withProgress } from '../../../platform/notify';
import { foreign } from '../../../core/text/foreignText';

/** The most problems shown per file, leaving one diagnostic for our own message. */
const mostShown = 998;

/** Checks batch files of any size as they are on disk. */
export interface DiskCheck extends Disposable {
  /** Resolves once the user has acted on or closed the result message. */
  run(file: unknown, files: unknown): Promise<void>;
}

export interface DiskCheckOptions extends Services {
  readonly documents: BatchDocuments;
  /** The ids the service lists, if known. */
  readonly listed: () => ListedModels | undefined;
}

export function createDiskCheck(options: DiskCheckOptions): DiskCheck {
  const problems = createDiskProblems(options.documents);
  return {
    async run(file, files) {
      const uris = await chooseFiles(file, files);
      if (!uris) return;
      const paths = uris.map(({ fsPath }) => fsPath);
      const job = await checkJobOf(paths, options, { mostTold: mostShown, models: options.listed() });
      const outcome = await runJob(job, options);
      if (!outcome) return;
      if (outcome.checked.length > 0) void setContext('inferenceDesk.batchChecked', true);
      await tell(outcome, job.report, problems);
    },
    dispose: () => problems.dispose(),
  };
}

/** Returns `undefined` if cancelled. */
async function runJob(job: CheckJob, options: DiskCheckOptions): Promise<CheckOutcome | undefined> {
  const unsaved = vscode.workspace.textDocuments.filter(
    ({ isDirty, uri }) => isDirty && job.files.includes(uri.fsPath),
  );
  const cancelling = new AbortController();
  const { signal } = cancelling;
  try {
    const found = await showChecking(job.files, cancelling, (onProgress) =>
      checkBatchFiles(job, options, { signal, onProgress }),
    );
    return { ...found, unsaved: unsaved.map(({ uri }) => uri.fsPath) };
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

async function showChecking<Found>(
  files: readonly string[],
  cancelling: AbortController,
  work: (showProgress: (bytes: number, total: number) => void) => Promise<Found>,
): Promise<Found> {
  const [only] = files;
  const title =
    files.length === 1 && only !== undefined
      ? vscode.l10n.t('Checking {0}', foreign(path.basename(only)))
      : vscode.l10n.t('Checking {0} batch files', numberText(files.length, vscode.env.language));
  const shown = { location: vscode.ProgressLocation.Notification, cancellable: true, title };
  return withProgress(shown, async (progress, token) => {
    token.onCancellationRequested(() => cancelling.abort());
    let before = 0;
    return work((bytes, total) => {
      const percent = Math.min(100, Math.floor((bytes / total) * 100));
      const { language } = vscode.env;
      const message = vscode.l10n.t('{0} % of {1}', percent, bytesText(total, language));
      progress.report({ increment: percent - before, message });
      before = percent;
    });
  });
}

async function tell(outcome: CheckOutcome, report: string, problems: DiskProblems): Promise<void> {
  const { checked, unchecked } = outcome;
  for (const file of checked) await problems.show(file);
  const { error, warning, information, hint } = sumOf(checked);
  const found = error + warning + information + hint > 0;
  const openProblems = vscode.l10n.t('Show Problems');
  const openReport = vscode.l10n.t('Show Report');
  const kind =
    error > 0 || (checked.length === 0 && unchecked.length > 0)
      ? 'error'
      : unchecked.length > 0 || warning > 0 || checked.some(({ changed }) => changed)
        ? 'warning'
        : 'information';
  const chosen = await showMessage(kind, outcomeWords(outcome), ...(found ? [openProblems, openReport] : []));
  if (chosen === openProblems) await vscode.commands.executeCommand('workbench.actions.view.problems');
  if (chosen === openReport) await showReport(report);
}
