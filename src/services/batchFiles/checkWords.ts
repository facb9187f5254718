import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CheckedFile, ProblemCounts, UncheckedFile } from '../../core/batch/job/checkJob';
import { numberText } from '../../platform/displayText';
import { labelled, sentences } from '../../protocol/sentences';
import { listText } from '../../protocol/formats';
import { foreign } from '../../core/text/foreignText';

/** The result of checking one or more files. */
export interface CheckOutcome {
  readonly checked: readonly CheckedFile[];
  readonly unchecked: readonly UncheckedFile[];
  /** Files with unsaved edits. */
  readonly unsaved: readonly string[];
}

export function outcomeWords({ checked, unchecked, unsaved }: CheckOutcome): string {
  const changed = checked.filter((file) => file.changed).map(({ file }) => nameOf(file));
  const words = [
    ...(checked.length > 0 ? [foundWords(checked)] : []),
    ...unchecked.map((file) => l10n.t("{0} wasn't checked: {1}", foreign(nameOf(file.file)), reasonWords(file))),
    ...(changed.length > 0
      ? [l10n.t('{0} changed during the check. Check it again.', listText(changed, vscode.env.language))]
      : []),
    ...(unsaved.length > 0
      ? [l10n.t("Unsaved changes weren't checked: {0}.", listText(unsaved.map(nameOf), vscode.env.language))]
      : []),
  ];
  return sentences(...words);
}

/** Adds up the problems of all files. */
export function sumOf(files: readonly CheckedFile[]): ProblemCounts {
  const sum = { error: 0, warning: 0, information: 0, hint: 0 };
  for (const { counts } of files) {
    for (const severity of Object.keys(sum) as (keyof ProblemCounts)[]) sum[severity] += counts[severity];
  }
  return sum;
}

function foundWords(files: readonly CheckedFile[]): string {
  const [only] = files;
  const subject = files.length === 1 && only ? nameOf(only.file) : l10n.t('{0} files', number(files.length));
  const requests = files.reduce((sum, file) => sum + file.requests, 0);
  const requestsText = requests === 1 ? l10n.t('1 request') : l10n.t('{0} requests', number(requests));
  const found = countWords(sumOf(files));
  const [first] = only?.problems ?? [];
  // For a file without requests, the first problem identifies its content instead.
  if (files.length === 1 && requests === 0 && first) return labelled(subject, first.message);
  return found === undefined
    ? l10n.t('{0}: no problems in {1}.', subject, requestsText)
    : l10n.t('{0}: {1} in {2}.', subject, found, requestsText);
}

/** Returns `undefined` if there are none. */
export function countWords({ error, warning, information, hint }: ProblemCounts): string | undefined {
  const parts = [
    error === 1 ? l10n.t('1 error') : error > 1 && l10n.t('{0} errors', number(error)),
    warning === 1 ? l10n.t('1 warning') : warning > 1 && l10n.t('{0} warnings', number(warning)),
    information === 1 ? l10n.t('1 note') : information > 1 && l10n.t('{0} notes', number(information)),
    hint === 1 ? l10n.t('1 hint') : hint > 1 && l10n.t('{0} hints', number(hint)),
  ].filter((part) => part !== false);
  return parts.length === 0 ? undefined : listText(parts, vscode.env.language);
}

/** Returns why a file was not checked, as the end of a sentence. */
export function reasonWords({ code, reason }: UncheckedFile): string {
  if (code === 'ENOENT') return l10n.t('the file no longer exists.');
  if (code === 'EACCES' || code === 'EPERM') return l10n.t("you don't have permission to read it.");
  if (code === 'EISDIR') return l10n.t("this isn't a file.");
  return reason;
}

function nameOf(file: string): string {
  return vscode.workspace.asRelativePath(vscode.Uri.file(file));
}

function number(value: number): string {
  return numberText(value, vscode.env.language);
}
