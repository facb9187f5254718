import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { UserError } from '../errors/userError';
import { computeAndWriteInEditor } from './writeEdits';

/** Replaces every selection of an editor with the text, as one undo step, and focuses the editor. */
export function insertAtCursor(text: string, editor = vscode.window.activeTextEditor): Promise<void> {
  return insertAt(editor, (range) => ({ range, text }));
}

/** Same, with the range and text that `place` returns for each selection. It is called again if the document has changed. */
export async function insertAt(
  editor: vscode.TextEditor | undefined,
  place: (selection: vscode.Selection, document: vscode.TextDocument) => { range: vscode.Range; text: string },
): Promise<void> {
  if (!editor) throw noEditorError();
  const { document } = editor;
  const result = await computeAndWriteInEditor(editor, () =>
    editor.selections.map((selection) => {
      const { range, text } = place(selection, document);
      return new vscode.TextEdit(range, text);
    }),
  );
  if (result === 'rejected') throw changingError();
  if (result === 'readOnly') throw noEditorError();
  await vscode.window.showTextDocument(document, editor.viewColumn);
}

function changingError(): UserError {
  return new UserError(l10n.t("The text wasn't inserted"), l10n.t('The file keeps changing. Try again later.'));
}

export function noEditorError(): UserError {
  return new UserError(l10n.t('No active editor'), l10n.t('Put the cursor in an editable file.'));
}
