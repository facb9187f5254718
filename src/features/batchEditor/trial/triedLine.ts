import path from 'node:path';
import * as vscode from 'vscode';
import { readTrial } from '../../../core/batch/trial/readTrial';
import type { Trial } from '../../../core/batch/trial/readTrial';
import { readLine } from '../../../core/batch/readLine';
import { UserError } from '../../../platform/errors/userError';
import { sentences } from '../../../protocol/sentences';
import { numberText } from '../../../platform/displayText';

/** So many of a line's errors are named. */
const mostNamed = 3;

/** A line that can be tried, as it stood when it was read. */
export interface TriedLine {
  readonly uri: vscode.Uri;
  /** From 0. */
  readonly line: number;
  readonly file: string;
  readonly trial: Trial & { readonly model: string };
}

/** Reads a line as it stands in the editor, saved or not. Throws where it cannot be tried, with what is wrong. */
export async function readTriedLine(uri: vscode.Uri, line: number): Promise<TriedLine> {
  const document = await vscode.workspace.openTextDocument(uri);
  if (line >= document.lineCount) throw gone();
  const trial = readTrial(document.lineAt(line).text);
  if ('errors' in trial) {
    throw new UserError(
      vscode.l10n.t('Line {0} cannot be tried', numberText(line + 1, vscode.env.language)),
      sentences(...trial.errors.slice(0, mostNamed).map(({ message }) => message)),
    );
  }
  const { model } = trial;
  if (model === undefined) {
    throw new UserError(
      vscode.l10n.t('Line {0} names no model', numberText(line + 1, vscode.env.language)),
      vscode.l10n.t('Write "model" into its body, then try it.'),
    );
  }
  return { uri, line, file: path.posix.basename(uri.path), trial: { ...trial, model } };
}

/** Where the line stands now: lines may have come or gone above it. Throws where it is there no more. */
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

/** Of a line that cannot be found in its file. */
export function gone(): UserError {
  return new UserError(
    vscode.l10n.t('The line is not there any more'),
    vscode.l10n.t('It was removed, or its custom_id was changed. Try it from the file.'),
  );
}
