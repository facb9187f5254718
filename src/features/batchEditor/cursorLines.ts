import * as vscode from 'vscode';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import type { BatchDocuments } from './batchDocuments';
import { createDebounce } from '../../platform/debounce';

/** A moving cursor does not stay on one line for this long. */
const restMs = 120;

/** The line on which the cursor rests in each batch file. */
export interface CursorLines extends Disposable {
  /** From 0. While another editor is active, the last known line. */
  lineIn(uri: vscode.Uri): number | undefined;
  /** Fires when the cursor rests on another line. */
  readonly onDidChange: vscode.Event<void>;
}

export function createCursorLines(documents: BatchDocuments): CursorLines {
  const store = new DisposableStore();
  const changed = store.add(new vscode.EventEmitter<void>());
  const pauses = store.add(createDebounce(restMs));
  const lines = new Map<string, number>();

  const note = (editor: vscode.TextEditor | undefined) => {
    if (!editor || !documents.get(editor.document.uri)) return;
    const key = editor.document.uri.toString();
    const line = editor.selection.active.line;
    if (lines.get(key) === line) return;
    const isFirst = !lines.has(key);
    lines.set(key, line);
    if (!isFirst && documents.get(editor.document.uri)?.isLoaded) changed.fire();
  };
  const noteLater = (editor: vscode.TextEditor) =>
    pauses.start(editor.document.uri.toString(), () => note(vscode.window.activeTextEditor));
  store.add(
    vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
      if (textEditor === vscode.window.activeTextEditor) noteLater(textEditor);
    }),
  );
  store.add(vscode.window.onDidChangeActiveTextEditor(note));
  store.add(documents.onDidChange(() => note(vscode.window.activeTextEditor)));
  store.add(documents.onDidClose((uri) => void lines.delete(uri.toString())));
  note(vscode.window.activeTextEditor);
  return { lineIn: (uri) => lines.get(uri.toString()), onDidChange: changed.event, dispose: () => store.dispose() };
}
