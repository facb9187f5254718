import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { UserError } from '../errors/userError';

/** Whether texts were written. `rejected`: VS Code didn't take them, usually because the document has changed in the meantime. */
export type WriteResult = 'written' | 'readOnly' | 'rejected';

/**
 * Writes into an editor, as one undo step or not at all. VS Code reports success for a read-only editor but leaves its text unchanged,
 * so success is what the document says.
 */
export async function writeInEditor(
  editor: vscode.TextEditor,
  edits: readonly vscode.TextEdit[],
): Promise<WriteResult> {
  if (edits.every(changesNothing)) return 'written';
  const { document } = editor;
  const { version } = document;
  const isTaken = await editor.edit((builder) => {
    for (const { range, newText } of edits) {
      if (range.isEmpty) builder.insert(range.start, newText);
      else builder.replace(range, newText);
    }
  });
  if (!isTaken) return 'rejected';
  return document.version === version ? 'readOnly' : 'written';
}

/**
 * Same, with edits that depend on the text of the document. VS Code rejects edits if the document has changed in the meantime, for
 * example because its file was loaded again, so they are computed and written again, up to three times.
 */
export async function computeAndWriteInEditor(
  editor: vscode.TextEditor,
  compute: () => readonly vscode.TextEdit[],
): Promise<WriteResult> {
  for (let attempt = 1; ; attempt++) {
    const result = await writeInEditor(editor, compute());
    if (result !== 'rejected' || attempt === 3) return result;
  }
}

/**
 * Writes into a document, visible or not, as one undo step or not at all. VS Code writes into a read-only document too, but without
 * unsaved changes, so the text can't be saved and is lost when the document is closed. Such a write is taken back.
 */
export async function writeInDocument(
  document: vscode.TextDocument,
  edits: readonly vscode.TextEdit[],
): Promise<WriteResult> {
  if (edits.every(changesNothing)) return 'written';
  const takeBack = inverseOf(document, edits);
  if (!(await applyEdits(document, edits))) return 'rejected';
  if (document.isUntitled || hasUnsavedChanges(document)) return 'written';
  await applyEdits(document, takeBack());
  return 'readOnly';
}

/** Returns the notebook of a cell. */
export function notebookOf(document: vscode.TextDocument): vscode.NotebookDocument | undefined {
  return vscode.workspace.notebookDocuments.find((one) => one.getCells().some((cell) => cell.document === document));
}

/** Returns the error for a document whose text was to be changed. */
export function readOnlyError(): UserError {
  return new UserError(l10n.t('The file is read-only'), l10n.t('Make it writable, or copy its text into a new file.'));
}

/** Returns a function that creates the edits that undo the given ones, once they are made. */
function inverseOf(document: vscode.TextDocument, edits: readonly vscode.TextEdit[]): () => readonly vscode.TextEdit[] {
  const lineEnd = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  let shift = 0;
  const made = edits
    .toSorted((one, other) => one.range.start.compareTo(other.range.start))
    .map(({ range, newText }) => {
      const before = document.getText(range);
      const start = document.offsetAt(range.start) + shift;
      const { length } = newText.replaceAll(/\r\n?|\n/g, lineEnd);
      shift += length - before.length;
      return { before, start, end: start + length };
    });
  const rangeOf = (start: number, end: number) =>
    new vscode.Range(document.positionAt(start), document.positionAt(end));
  return () => made.map(({ before, start, end }) => new vscode.TextEdit(rangeOf(start, end), before));
}

function hasUnsavedChanges(document: vscode.TextDocument): boolean {
  return notebookOf(document)?.isDirty ?? document.isDirty;
}

function applyEdits({ uri }: vscode.TextDocument, edits: readonly vscode.TextEdit[]): Thenable<boolean> {
  const edit = new vscode.WorkspaceEdit();
  edit.set(uri, [...edits]);
  return vscode.workspace.applyEdit(edit);
}

function changesNothing({ range, newText }: vscode.TextEdit): boolean {
  return range.isEmpty && newText === '';
}
