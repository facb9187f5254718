import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../disposables';

/** The text editor the user worked in last. The active editor may be a page of ours, which is not a text editor. */
export interface LastEditor extends Disposable {
  /** Brings it to the front if a tab of ours covers it. Resolves to `undefined` if none is open. */
  reveal(fits?: Fits): Promise<vscode.TextEditor | undefined>;
  /** Returns the current editor, or the last one if it is covered or closed. `fits` filters documents. */
  current(fits?: Fits): vscode.TextEditor | undefined;
}

type Fits = (document: vscode.TextDocument) => boolean;

/** How many are remembered, in case the last ones are closed. */
const mostRemembered = 16;

/** Returns the visible editors of a document. */
export function editorsOf(document: vscode.TextDocument): readonly vscode.TextEditor[] {
  return vscode.window.visibleTextEditors.filter((editor) => editor.document === document);
}

/** Returns a key for what an editor shows: the same document in the same column has the same key. */
export function editorKey({ document, viewColumn }: vscode.TextEditor): string {
  return `${viewColumn} ${document.uri.toString()}`;
}

export function createLastEditor(): LastEditor {
  /** Latest first, one per document. */
  let used: readonly vscode.TextEditor[] = [vscode.window.activeTextEditor].filter((editor) => editor !== undefined);
  const listening = new DisposableStore();
  listening.add(
    vscode.window.onDidChangeActiveTextEditor((editor) => {
      if (!editor) return;
      const others = used.filter(({ document }) => document.uri.toString() !== editor.document.uri.toString());
      used = [editor, ...others].slice(0, mostRemembered);
    }),
  );
  // Or the texts of closed files would be kept. Also told where a document only changes its language.
  listening.add(
    vscode.workspace.onDidCloseTextDocument(() => (used = used.filter(({ document }) => !document.isClosed))),
  );
  const current = (fits: Fits = () => true) =>
    used.find((editor) => (hasTab(editor.document.uri) || isVisible(editor)) && fits(editor.document));
  return {
    async reveal(fits) {
      const last = current(fits);
      if (!last) return undefined;
      const { document, viewColumn } = last;
      // Covered or not: an editor that was hidden and shown again is another object with the same selection.
      if (hasTab(document.uri)) return vscode.window.showTextDocument(document, viewColumn);
      return editorsOf(document)[0];
    },
    current,
    dispose: () => listening.dispose(),
  };
}

function isVisible({ document }: vscode.TextEditor): boolean {
  return editorsOf(document).length > 0;
}

function hasTab(uri: vscode.Uri): boolean {
  return vscode.window.tabGroups.all.some(({ tabs }) =>
    tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString()),
  );
}
