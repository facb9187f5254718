import * as vscode from 'vscode';
import { UserError } from '../errors/userError';

/** Puts text in place of every selection of an editor, as one undo step, and gives the editor the focus. */
export function insertAtCursor(text: string, editor = vscode.window.activeTextEditor): Promise<void> {
  return insertAt(editor, (range) => ({ range, text }));
}

/** The same, with what `place` says for each selection. */
export async function insertAt(
  editor: vscode.TextEditor | undefined,
  place: (selection: vscode.Selection, document: vscode.TextDocument) => { range: vscode.Range; text: string },
): Promise<void> {
  if (!editor) throw noEditorError();
  const { document, selections } = editor;
  const { version } = document;
  const placed = selections.map((selection) => place(selection, document));
  const done = await editor.edit((edit) => {
    for (const { range, text } of placed) edit.replace(range, text);
  });
  // The editor says also of a read-only document that it was done.
  if (!done || (placed.some(({ text }) => text !== '') && document.version === version)) throw noEditorError();
  await vscode.window.showTextDocument(editor.document, editor.viewColumn);
}

export function noEditorError(): UserError {
  return new UserError(
    vscode.l10n.t('There is no editor to insert into'),
    vscode.l10n.t('Open a file that can be edited, place the cursor, and try again.'),
  );
}
