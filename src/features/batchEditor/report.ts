import * as vscode from 'vscode';
import { defaultSeverities } from '../../core/batch/problem';
import type { LineProblem } from '../../core/batch/problem';
import { numberText } from '../../platform/displayText';

/** Lists every problem of a file, one per line in the command line's format, below a count of each kind. */
export function reportText(name: string, problems: readonly LineProblem[]): string {
  const { language } = vscode.env;
  if (problems.length === 0) return `${vscode.l10n.t('No problems in {0}.', name)}\n`;
  const counts = new Map<string, number>();
  for (const { code } of problems) counts.set(code, (counts.get(code) ?? 0) + 1);
  const heading =
    problems.length === 1
      ? vscode.l10n.t('1 problem in {0}', name)
      : vscode.l10n.t('{0} problems in {1}', numberText(problems.length, language), name);
  const kinds = [...counts].toSorted(([, a], [, b]) => b - a).map(([code, count]) => `  ${count}  ${code}`);
  const lines = problems.map(
    ({ line, span, code, message }) =>
      `${name}:${line + 1}:${span.start + 1}: ${defaultSeverities[code]} ${code} ${message}`,
  );
  return `${[heading, ...kinds, '', ...lines].join('\n')}\n`;
}
