import * as vscode from 'vscode';
import type { Disposable } from '../disposables';

/** The text editor a person worked in last. A page of ours may be the active editor, which is none for text. */
export interface LastEditor extends Disposable {
  /** Brings it back where a tab of ours covers it. `undefined` where none is open. */
  reveal(fits?: Fits): Promise<vscode.TextEditor | undefined>;
  /** As it is, or was when it was covered; the one before where it was closed. `fits` leaves out others. */
  current(fits?: Fits): vscode.TextEditor | undefined;
}

type Fits = (document: vscode.TextDocument) => boolean;

/** So many are remembered, in case the last ones are closed. */
const mostRemembered = 16;

/** `before`: one that was used before the active one, where that is known. */
export function createLastEditor(before?: vscode.TextEditor): LastEditor {
  /** The last one first, one for each document. */
  let used: readonly vscode.TextEditor[] = [vscode.window.activeTextEditor, before].filter(
    (editor) => editor !== undefined,
  );
  const listening = vscode.window.onDidChangeActiveTextEditor((editor) => {
    if (!editor) return;
    const others = used.filter(({ document }) => document.uri.toString() !== editor.document.uri.toString());
    used = [editor, ...others].slice(0, mostRemembered);
  });
  const current = (fits: Fits = () => true) =>
    used.find((editor) => (hasTab(editor.document.uri) || isVisible(editor)) && fits(editor.document));
  return {
    async reveal(fits) {
      const last = current(fits);
      if (!last) return undefined;
      const { document, viewColumn } = last;
      // Covered or not: an editor that was hidden and shown again is another object, with the same selection.
      if (hasTab(document.uri)) return vscode.window.showTextDocument(document, viewColumn);
      return vscode.window.visibleTextEditors.find((editor) => editor.document === document);
    },
    current,
    dispose: () => listening.dispose(),
  };
}

function isVisible({ document }: vscode.TextEditor): boolean {
  return vscode.window.visibleTextEditors.some((editor) => editor.document === document);
}

function hasTab(uri: vscode.Uri): boolean {
  return vscode.window.tabGroups.all.some(({ tabs }) =>
    tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString()),
  );
}
