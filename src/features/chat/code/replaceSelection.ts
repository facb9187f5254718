import * as vscode from 'vscode';
import type { Replacements } from '../../../platform/workspace/replacements';
import { UserError } from '../../../platform/errors/userError';
import { fitEnd } from './codeTexts';
import { foreign } from '../../../core/text/foreignText';

/** Shows a diff of the editor's document with `code` in place of the selection. */
export async function replaceSelection(
  editor: vscode.TextEditor | undefined,
  code: string,
  replacements: Replacements,
): Promise<void> {
  if (!editor || editor.selection.isEmpty) throw nothingSelected();
  const { document, selection, viewColumn } = editor;
  await replacements.propose({
    document,
    range: new vscode.Range(selection.start, selection.end),
    text: fitEnd(code, document.getText(selection)),
    title: (name) => vscode.l10n.t('{0}: selection replaced', foreign(name)),
    viewColumn,
  });
}

function nothingSelected(): UserError {
  return new UserError(
    vscode.l10n.t('Nothing is selected'),
    vscode.l10n.t('Select in an editor what the code should replace, then try again. Nothing was changed.'),
  );
}
