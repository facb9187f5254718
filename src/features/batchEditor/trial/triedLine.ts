import * as l10n from '@vscode/l10n';
import path from 'node:path';
import * as vscode from 'vscode';
import { readTrial } from '../../../core/batch/trial/readTrial';
import type { Trial } from '../../../core/batch/trial/readTrial';
import { readLine } from '../../../core/batch/readLine';
import { UserError } from '../../../platform/errors/userError';
import { sentences } from '../../../protocol/sentences';
import { numberText } from '../../../platform/displayText';

/** Number of a line's errors to report. */
const mostNamed = 3;

/** A line that can be tried, as it was when it was read. */
export interface TriedLine {
  readonly uri: vscode.Uri;
  /** From 0. */
  readonly line: number;
  readonly file: string;
  readonly trial: Trial & { readonly model: string };
}

/** Reads a line from the editor, including unsaved edits. Throws `UserError` with the reason if it cannot be tried. */
export async function readTriedLine(uri: vscode.Uri, line: number): Promise<TriedLine> {
  const document = await vscode.workspace.openTextDocument(uri);
  if (line >= document.lineCount) throw gone();
  const trial = readTrial(document.lineAt(line).text);
  if ('errors' in trial) {
    throw new UserError(
      l10n.t("Can't test line {0}", numberText(line + 1, vscode.env.language)),
      sentences(...trial.errors.slice(0, mostNamed).map(({ message }) => message)),
    );
  }
  const { model } = trial;
  if (model === undefined) {
    throw new UserError(
      l10n.t("Line {0} doesn't specify a model", numberText(line + 1, vscode.env.language)),
      l10n.t('Add "model" to the body first.'),
    );
  }
  return { uri, line, file: path.posix.basename(uri.path), trial: { ...trial, model } };
}

/** Returns the line's current position, since lines above may have been inserted or removed. Throws if it no longer exists. */
export async function findAgain({ uri, line, trial }: TriedLine): Promise<number> {
  const document = await vscode.workspace.openTextDocument(uri);
  const { customId } = trial;
  const isSame = (at: number) => {
    const { text } = document.lineAt(at);
    return customId === undefined || readLine(text).customId?.value === customId;
  };
  if (line < document.lineCount && isSame(line)) return line;
  const quoted = JSON.stringify(customId);
  for (let at = 0; at < document.lineCount; at++) {
    if (document.lineAt(at).text.includes(quoted) && isSame(at)) return at;
  }
  throw gone();
}

/** The error for a line that cannot be found in its file. */
export function gone(): UserError {
  return new UserError(l10n.t('The line no longer exists'), l10n.t('The line or its custom_id has changed.'));
}
