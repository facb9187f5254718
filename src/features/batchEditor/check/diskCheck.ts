import * as l10n from '@vscode/l10n';
import path from 'node:path';
import * as vscode from 'vscode';
import type { CheckJob, CheckedFile, JobSeverity } from '../../../core/batch/job/checkJob';
import { checkBatchFiles, checkJobOf, showReport, stampOf } from '../../../services/batchFiles/checkFiles';
import { outcomeWords, sumOf, type CheckOutcome } from '../../../services/batchFiles/checkWords';
import { setContext } from '../../../platform/contributions';
import { bytesText, numberText } from '../../../platform/displayText';
import { type Disposable, DisposableStore } from '../../../platform/disposables';
import type { Services } from '../../../services/services';
import type { BatchDocuments } from '../batchDocuments';
import { showMessage, withProgress } from '../../../platform/notify';
import { foreign } from '../../../core/text/foreignText';
import { UserError } from '../../../platform/errors/userError';
import { diagnosticSource, toDiagnostic } from '../diagnostics';

/** The most problems shown per file, leaving one diagnostic for our own message. */
const mostShown = 998;

/** Checks batch files of any size as they are on disk. */
export interface DiskCheck extends Disposable {
  /** Resolves once the user has acted on or closed the result message. */
  run(file: unknown, files: unknown): Promise<void>;
}

export function createDiskCheck(services: Services, documents: BatchDocuments): DiskCheck {
  const problems = createDiskProblems(documents);
  return {
    async run(file, files) {
      const uris = await chooseFiles(file, files);
      if (!uris) return;
      const paths = uris.map(({ fsPath }) => fsPath);
      const job = await checkJobOf(paths, services, { maxListed: mostShown, models: documents.listed() });
      const outcome = await runJob(job, services);
      if (!outcome) return;
      if (outcome.checked.length > 0) void setContext('inferenceDesk.batchChecked', true);
      await tell(outcome, job.report, problems);
    },
    dispose: () => problems.dispose(),
  };
}

/** Returns `undefined` if canceled. */
async function runJob(job: CheckJob, services: Services): Promise<CheckOutcome | undefined> {
  const unsaved = vscode.workspace.textDocuments.filter(
    ({ isDirty, uri }) => isDirty && job.files.includes(uri.fsPath),
  );
  const cancelling = new AbortController();
  const { signal } = cancelling;
  try {
    const found = await showChecking(job.files, cancelling, (onProgress) =>
      checkBatchFiles(job, services, { signal, onProgress }),
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
      ? l10n.t('Checking {0}', foreign(path.basename(only)))
      : l10n.t('Checking {0} batch files', numberText(files.length, vscode.env.language));
  const shown = { location: vscode.ProgressLocation.Notification, cancellable: true, title };
  return withProgress(shown, async (progress, token) => {
    token.onCancellationRequested(() => cancelling.abort());
    let before = 0;
    return work((bytes, total) => {
      const percent = Math.min(100, Math.floor((bytes / total) * 100));
      const { language } = vscode.env;
      const message = l10n.t('{0}% of {1}', percent, bytesText(total, language));
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
  const openProblems = l10n.t('Show Problems');
  const openReport = l10n.t('Show Report');
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

/**
 * Returns the files to check: the menu's selection, else the active file, else those the user picks. `undefined` if the user
 * picks none. Throws `UserError` if one is not on disk.
 */
async function chooseFiles(file: unknown, files: unknown): Promise<readonly vscode.Uri[] | undefined> {
  const handed = Array.isArray(files) && files.length > 0 ? files : [file];
  const uris = handed.filter((one) => one instanceof vscode.Uri);
  const chosen = uris.length > 0 ? uris : (activeFile() ?? (await ask()));
  if (!chosen) return undefined;
  if (chosen.every(({ scheme }) => scheme === 'file')) return chosen;
  throw new UserError(l10n.t("This file isn't on disk"), l10n.t('Save the file on this machine first.'));
}

/** Uses the active tab, because VS Code might not open its file. */
function activeFile(): readonly vscode.Uri[] | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const uri = input instanceof vscode.TabInputText ? input.uri : undefined;
  return uri?.path.endsWith('.jsonl') ? [uri] : undefined;
}

async function ask(): Promise<readonly vscode.Uri[] | undefined> {
  return vscode.window.showOpenDialog({
    canSelectMany: true,
    title: l10n.t('Check Batch File'),
    openLabel: l10n.t('Check'),
    filters: { [l10n.t('JSON Lines')]: ['jsonl'], [l10n.t('All Files')]: ['*'] },
  });
}

const severities: { readonly [Name in Exclude<JobSeverity, 'off'>]: vscode.DiagnosticSeverity } = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
  hint: vscode.DiagnosticSeverity.Hint,
};

/** Interval for checking whether a file was written to. The editor's file watchers start late and do not report when. */
const lookEveryMs = 1_000;

/** Shows the problems of files checked on disk until they are written to or opened; from then on the editor's own problems count. */
interface DiskProblems extends Disposable {
  show(file: CheckedFile): Promise<void>;
}

function createDiskProblems(documents: BatchDocuments): DiskProblems {
  const store = new DisposableStore();
  const shown = store.add(vscode.languages.createDiagnosticCollection('inferenceDesk.batchCheck'));
  /** The stamp of each file with shown problems, as of its check. */
  const stamps = new Map<string, string | undefined>();
  let timer: NodeJS.Timeout | undefined;
  store.add({
    dispose: () => {
      stamps.clear();
      clearTimeout(timer);
    },
  });

  const forget = (uri: vscode.Uri) => {
    // Called at every keystroke, and every deletion is an event for all that listen to problems.
    if (shown.has(uri)) shown.delete(uri);
    stamps.delete(uri.fsPath);
  };
  store.add(documents.onDidChange(({ document }) => forget(document.uri)));

  const look = async () => {
    for (const [file, checked] of stamps) {
      const stamp = await stampOf(file);
      if (stamp !== checked && stamps.has(file)) forget(vscode.Uri.file(file));
    }
    lookLater();
  };
  const lookLater = () => {
    clearTimeout(timer);
    if (stamps.size > 0) timer = setTimeout(() => void look(), lookEveryMs);
  };

  return {
    async show(file) {
      const uri = vscode.Uri.file(file.file);
      forget(uri);
      if (documents.get(uri) || file.problems.length === 0) return;
      stamps.set(uri.fsPath, await stampOf(file.file));
      shown.set(uri, toDiagnostics(uri, file));
      lookLater();
    },
    dispose: () => store.dispose(),
  };
}

function toDiagnostics(uri: vscode.Uri, file: CheckedFile): readonly vscode.Diagnostic[] {
  const { error, warning, information, hint } = sumOf([file]);
  const count = error + warning + information + hint;
  const diagnostics = file.problems.map((problem) => toDiagnostic(uri, problem, severities[problem.severity]));
  if (count === diagnostics.length) return diagnostics;
  const { language } = vscode.env;
  const message = l10n.t(
    'Showing {1} of {0} problems. The report lists all.',
    numberText(count, language),
    numberText(diagnostics.length, language),
  );
  const more = new vscode.Diagnostic(new vscode.Range(0, 0, 0, 0), message, vscode.DiagnosticSeverity.Error);
  more.source = diagnosticSource;
  return [more, ...diagnostics];
}
