import * as vscode from 'vscode';
import type { CatalogueModel } from '../../core/catalogue/model';
import { modelProblems } from '../../core/prompts/modelProblems';
import { promptSeverities } from '../../core/prompts/promptProblem';
import type { PromptProblem } from '../../core/prompts/promptProblem';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import { createDebounce } from '../../platform/debounce';
import { isPromptFile } from './isPromptFile';
import { problemWords } from './problemWords';
import { isWritable, rangeOf } from './promptFiles';
import type { PromptReadings } from './promptFiles';

const pauseMs = 200;
const source = 'Inference Desk';

const severities = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  hint: vscode.DiagnosticSeverity.Hint,
} as const;

/** Returns all problems of a document, including those of its models. */
export type ProblemsOf = (document: vscode.TextDocument) => readonly PromptProblem[];

export function createProblemsOf(readings: PromptReadings, listed: () => readonly CatalogueModel[]): ProblemsOf {
  return (document) => {
    const { prompt, problems } = readings.of(document);
    return [...problems, ...modelProblems(prompt, listed())];
  };
}

export interface PromptDiagnostics extends Disposable {
  /** Call this when what is known about models has changed. */
  refresh(): void;
}

export function createPromptDiagnostics(problemsOf: ProblemsOf): PromptDiagnostics {
  const store = new DisposableStore();
  const shown = store.add(vscode.languages.createDiagnosticCollection('inferenceDesk.prompts'));
  const pauses = store.add(createDebounce(pauseMs));
  const publish = (document: vscode.TextDocument) => {
    if (!document.isClosed)
      shown.set(
        document.uri,
        problemsOf(document).map((problem) => toDiagnostic(document, problem)),
      );
  };
  const look = (document: vscode.TextDocument, work: (open: vscode.TextDocument) => void) => {
    if (isPromptFile(document.uri) && isWritable(document.uri)) work(document);
  };
  const soon = (document: vscode.TextDocument) => pauses.start(document.uri.toString(), () => publish(document));
  const refresh = () => vscode.workspace.textDocuments.forEach((document) => look(document, publish));
  store.add(vscode.workspace.onDidOpenTextDocument((document) => look(document, publish)));
  store.add(vscode.workspace.onDidChangeTextDocument(({ document }) => look(document, soon)));
  store.add(
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      pauses.cancel(uri.toString());
      shown.delete(uri);
    }),
  );
  refresh();
  return { refresh, dispose: () => store.dispose() };
}

function toDiagnostic(document: vscode.TextDocument, problem: PromptProblem): vscode.Diagnostic {
  const { code, span } = problem;
  const severity = severities[promptSeverities[code]];
  const diagnostic = new vscode.Diagnostic(rangeOf(document, span), problemWords(problem), severity);
  diagnostic.source = source;
  diagnostic.code = code;
  if (code === 'variable.unused') diagnostic.tags = [vscode.DiagnosticTag.Unnecessary];
  return diagnostic;
}
