import * as vscode from 'vscode';
import { isForeign } from '../../../core/batch/fixes/foreign/toRequest';
import type { CommandId } from '../../../platform/commands';
import { looksSpread } from './fileActions';

/** This much of a file's beginning is enough to recognize its format. */
const linesLookedAt = 3;
const charactersLookedAt = 100_000;

/** Returns the action that converts a file to a batch file, if it looks convertible. */
export function foreignActions(document: vscode.TextDocument): readonly vscode.CodeAction[] {
  if (!looksForeign(document)) return [];
  const title = vscode.l10n.t('Convert the lines to batch requests…');
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.RefactorRewrite);
  const command: CommandId = 'inferenceDesk.batchFile.convertLines';
  action.command = { title, command };
  return [action];
}

function looksForeign(document: vscode.TextDocument): boolean {
  if (looksSpread(document)) return true;
  const count = Math.min(document.lineCount, linesLookedAt);
  for (let line = 0; line < count; line++) {
    const { text } = document.lineAt(line);
    if (text.length < charactersLookedAt && isForeign(text)) return true;
  }
  return false;
}
