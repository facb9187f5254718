import * as vscode from 'vscode';
import type { ProblemCode } from '../../../core/batch/problem';
import type { BatchRules } from '../../../core/batch/services/batchRules';
import { readLine } from '../../../core/batch/readLine';
import { DisposableStore } from '../../../platform/disposables';
import type { Disposable } from '../../../platform/disposables';
import { toDiagnostic } from '../diagnostics';
import { createDebounce } from '../../../platform/debounce';
import type { BatchDocuments, SeverityOf } from '../batchDocuments';
import { hasJsonService } from './helpedText';
import { lineScheme } from './lineScheme';

const pauseMs = 80;

/** Problems that the editor's own JSON service also finds, with or without the schema. */
const foundByJson: ReadonlySet<ProblemCode> = new Set([
  'line.not-json',
  'line.not-object',
  'line.duplicate-key',
  'custom-id.missing',
  'custom-id.not-string',
  'method.not-post',
  'body.missing',
  'body.not-object',
  'messages.missing',
  'messages.not-array',
  'message.not-object',
  'message.no-role',
  'message.unknown-role',
  'member.wrong-type',
  'parameter.out-of-bounds',
]);

/** Shows the problems of requests edited as documents. */
export function createLineProblems({ rulesNow, severityOf }: BatchDocuments): Disposable {
  const store = new DisposableStore();
  const shown = store.add(vscode.languages.createDiagnosticCollection('inferenceDesk.batchLine'));
  const pauses = store.add(createDebounce(pauseMs));
  const publish = (document: vscode.TextDocument) => {
    if (!document.isClosed) shown.set(document.uri, diagnosticsOf(document, rulesNow(), severityOf));
  };
  const look = (document: vscode.TextDocument) => {
    if (document.uri.scheme === lineScheme) pauses.start(document.uri.toString(), () => publish(document));
  };
  store.add(vscode.workspace.onDidOpenTextDocument(look));
  store.add(vscode.workspace.onDidChangeTextDocument(({ document }) => look(document)));
  store.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => shown.delete(uri)));
  for (const document of vscode.workspace.textDocuments) look(document);
  return store;
}

/** The schema rejects URLs only where no others than those of the service are accepted. */
function isFoundByJson(code: ProblemCode, { severities }: BatchRules): boolean {
  return code === 'url.unknown' ? (severities[code] ?? 'error') === 'error' : foundByJson.has(code);
}

function diagnosticsOf(document: vscode.TextDocument, rules: BatchRules, severityOf: SeverityOf): vscode.Diagnostic[] {
  const isHelped = hasJsonService() && document.languageId === 'json';
  return readLine(document.getText(), rules).problems.flatMap((problem) => {
    const severity = severityOf(problem.code);
    if (severity === undefined || (isHelped && isFoundByJson(problem.code, rules))) return [];
    const diagnostic = toDiagnostic(document.uri, { ...problem, line: 0 }, severity);
    diagnostic.range = new vscode.Range(document.positionAt(problem.span.start), document.positionAt(problem.span.end));
    return [diagnostic];
  });
}
