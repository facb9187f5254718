import * as vscode from 'vscode';
import { UserError } from '../errors/userError';

/** Replaces every selection of an editor with the text, as one undo step, and focuses the editor. */
export function insertAtCursor(text: string, editor = vscode.window.activeTextEditor): Promise<void> {
  return insertAt(editor, (range) => ({ range, text }));
}

/** Same, with the range and text that `place` returns for each selection. */
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
  // The editor reports success even for a read-only document.
  if (!done || (placed.some(({ text }) => text !== '') && document.version === version)) throw noEditorError();
  await vscode.window.showTextDocument(editor.document, editor.viewColumn);
}

export function noEditorError(): UserError {
  return new UserError(
    vscode.l10n.t('There is no editor to insert into'),
    vscode.l10n.t('Open a file that can be edited, place the cursor, and try again.'),
  );
}
