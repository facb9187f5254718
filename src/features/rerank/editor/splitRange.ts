import * as vscode from 'vscode';
import type { TextSplit } from '../../../core/ranking/textSplit';
import { UserError } from '../../../platform/errors/userError';
import { reasonText } from '../../../platform/errors/fileErrorMessages';

/** A range of a document that was split into parts. */
export interface SplitRange {
  /** May be closed meanwhile. */
  readonly document: vscode.TextDocument;
  readonly range: vscode.Range;
  /** Text of the range when it was split; the offsets of the parts are relative to it. */
  readonly text: string;
  readonly split: TextSplit;
}

export interface FoundRange {
  readonly document: vscode.TextDocument;
  /** Current range of the text, which earlier edits may have moved. */
  readonly range: vscode.Range;
}

/** Throws `UserError` if the text has changed. */
export async function findRange({ document, range, text }: SplitRange): Promise<FoundRange> {
  const open = document.isClosed ? await reopen(document.uri) : document;
  if (open.getText(range) === text) return { document: open, range };
  const whole = open.getText();
  const at = whole.indexOf(text);
  if (text === '' || at < 0 || whole.includes(text, at + 1)) throw changed();
  return { document: open, range: new vscode.Range(open.positionAt(at), open.positionAt(at + text.length)) };
}

async function reopen(uri: vscode.Uri): Promise<vscode.TextDocument> {
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch (error) {
    throw new UserError(vscode.l10n.t('The file could not be opened'), reasonText(error));
  }
}

function changed(): UserError {
  return new UserError(
    vscode.l10n.t('The text changed since it was ranked'),
    vscode.l10n.t('Nothing was written. Select the text as it is now, and rank it again.'),
  );
}
