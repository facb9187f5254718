import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Work } from '../../core/batch/fixes/lineChange';
import type { LineProblem } from '../../core/batch/problem';
import { numberText } from '../../platform/displayText';
import type { SeverityOf } from './batchDocuments';
import { commandTitle } from '../../platform/contributions';

/** The maximum number of diagnostics that VS Code shows per file. It replaces the rest with its own message. */
const mostShown = 999;
export const diagnosticSource = 'Inference Desk';

/** Converts a problem to a diagnostic. */
export function toDiagnostic(
  uri: vscode.Uri,
  problem: LineProblem,
  severity: vscode.DiagnosticSeverity,
): vscode.Diagnostic {
  const { line, span, message, code, firstLine } = problem;
  const range = new vscode.Range(line, span.start, line, span.end);
  const diagnostic = new vscode.Diagnostic(range, message, severity);
  diagnostic.source = diagnosticSource;
  diagnostic.code = code;
  if (code === 'stream.ignored' || code === 'line.unknown-member') diagnostic.tags = [vscode.DiagnosticTag.Unnecessary];
  if (firstLine !== undefined) {
    const first = new vscode.Location(uri, new vscode.Position(firstLine, 0));
    diagnostic.relatedInformation = [new vscode.DiagnosticRelatedInformation(first, l10n.t('First used here.'))];
  }
  return diagnostic;
}

/** The diagnostics to show for a file, and the number of problems of each severity. */
export interface ShownProblems {
  readonly diagnostics: readonly vscode.Diagnostic[];
  readonly counts: ReadonlyMap<vscode.DiagnosticSeverity, number>;
}

/** If there are too many problems, keeps the most severe ones and puts a diagnostic in front that says so. */
export function* toDiagnostics(
  uri: vscode.Uri,
  problems: Iterable<LineProblem>,
  severityOf: SeverityOf,
): Work<ShownProblems> {
  const bySeverity = new Map<vscode.DiagnosticSeverity, LineProblem[]>();
  const counts = new Map<vscode.DiagnosticSeverity, number>();
  for (const problem of problems) {
    yield;
    const severity = severityOf(problem.code);
    if (severity === undefined) continue;
    const count = counts.get(severity) ?? 0;
    counts.set(severity, count + 1);
    if (count === 0) bySeverity.set(severity, [problem]);
    else if (count < mostShown) bySeverity.get(severity)?.push(problem);
  }
  const weighted = [...bySeverity]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([severity, same]) => same.map((problem) => ({ severity, problem })));
  const count = [...counts.values()].reduce((sum, one) => sum + one, 0);
  const shown = count <= mostShown ? weighted : weighted.slice(0, mostShown - 1);
  const diagnostics = shown.map(({ problem, severity }) => toDiagnostic(uri, problem, severity));
  return {
    diagnostics: count <= mostShown ? diagnostics : [tooManyToShow(count, shown.length), ...diagnostics],
    counts,
  };
}

function tooManyToShow(count: number, shown: number): vscode.Diagnostic {
  const { language } = vscode.env;
  const message = l10n.t(
    'Showing {1} of {0} problems. To list all, run "{2}".',
    numberText(count, language),
    numberText(shown, language),
    commandTitle('inferenceDesk.batchFile.showReport'),
  );
  const diagnostic = new vscode.Diagnostic(new vscode.Range(0, 0, 0, 0), message, vscode.DiagnosticSeverity.Error);
  diagnostic.source = diagnosticSource;
  return diagnostic;
}
