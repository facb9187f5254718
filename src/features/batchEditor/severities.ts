import * as vscode from 'vscode';
import { defaultSeverities } from '../../core/batch/problem';
import type { ProblemCode } from '../../core/batch/problem';
import type { JobSeverity } from '../../core/batch/job/checkJob';

const severities: { readonly [Name in JobSeverity]: vscode.DiagnosticSeverity | undefined } = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
  hint: vscode.DiagnosticSeverity.Hint,
  off: undefined,
};

/** Returns the severity of a kind of problem: the user's setting, or else the default. `undefined`: not shown. */
export type SeverityOf = (code: ProblemCode) => vscode.DiagnosticSeverity | undefined;

export function severityOf(set: Readonly<Record<string, JobSeverity>>): SeverityOf {
  return (code) => severities[set[code] ?? defaultSeverities[code]];
}
