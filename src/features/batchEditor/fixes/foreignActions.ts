import * as vscode from 'vscode';
import { isForeign } from '../../../core/batch/fixes/foreign/toRequest';
import type { CommandId } from '../../../platform/commands';
import { looksSpread } from './fileActions';

/** So much at the start of a file tells what it is. */
const linesLookedAt = 3;
const charactersLookedAt = 100_000;

/** Of a file that is no batch file: whether it could be made one. */
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
