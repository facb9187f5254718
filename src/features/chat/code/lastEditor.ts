import * as vscode from 'vscode';
import type { Disposable } from '../../../platform/disposables';

/** The text editor a person worked in last. The chat itself may be the active editor, which is none for text. */
export interface LastEditor extends Disposable {
  /** Brings it back where the chat's own tab covers it. `undefined` when it was closed. */
  reveal(): Promise<vscode.TextEditor | undefined>;
  /** As it is, or was when it was covered. */
  current(): vscode.TextEditor | undefined;
}

export function createLastEditor(): LastEditor {
  let last = vscode.window.activeTextEditor;
  const listening = vscode.window.onDidChangeActiveTextEditor((editor) => (last = editor ?? last));
  return {
    async reveal() {
      if (!last) return undefined;
      const { document, viewColumn } = last;
      // Covered or not: an editor that was hidden and shown again is another object, with the same selection.
      if (hasTab(document.uri)) return vscode.window.showTextDocument(document, viewColumn);
      return vscode.window.visibleTextEditors.find((editor) => editor.document === document);
    },
    current: () => (last && (hasTab(last.document.uri) || isVisible(last)) ? last : undefined),
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
