import * as vscode from 'vscode';
import type { CheckedFile, JobSeverity } from '../../../core/batch/job/checkJob';
import { stampOf } from '../../../services/batchFiles/checkFiles';
import { sumOf } from '../../../services/batchFiles/checkWords';
import { numberText } from '../../../platform/displayText';
import { DisposableStore } from '../../../platform/disposables';
import type { Disposable } from '../../../platform/disposables';
import type { BatchDocuments } from '../batchDocuments';
import { diagnosticSource, toDiagnostic } from '../diagnostics';

const severities: { readonly [Name in Exclude<JobSeverity, 'off'>]: vscode.DiagnosticSeverity } = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
  hint: vscode.DiagnosticSeverity.Hint,
};

/** Interval for checking whether a file was written to. The editor's file watchers start late and do not report when. */
const lookEveryMs = 1_000;

/** Shows the problems of files checked on disk until they are written to or opened; from then on the editor's own problems count. */
export interface DiskProblems extends Disposable {
  show(file: CheckedFile): Promise<void>;
}

export function createDiskProblems(documents: BatchDocuments): DiskProblems {
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
    shown.delete(uri);
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
  const message = vscode.l10n.t(
    'This file has {0} problems, of which {1} are shown. The report of the check lists all of them.',
    numberText(count, language),
    numberText(diagnostics.length, language),
  );
  const more = new vscode.Diagnostic(new vscode.Range(0, 0, 0, 0), message, vscode.DiagnosticSeverity.Error);
  more.source = diagnosticSource;
  return [more, ...diagnostics];
}
