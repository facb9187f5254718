import * as vscode from 'vscode';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';

export interface Shown {
  readonly uri: vscode.Uri;
  readonly range: vscode.Range;
  /** From 0. */
  readonly line: number;
}

/** Previews passages while the user browses them, and restores the editor afterwards. */
export interface Preview extends Disposable {
  /** If called in quick succession, may skip all but the last. */
  show(place: Shown): void;
  /** Resolves when the editor is restored. */
  restore(): Promise<void>;
  /** Opens a passage permanently. Rejects if the file no longer exists. */
  open(place: Shown, options: { readonly toSide: boolean }): Promise<void>;
}

export function createPreview(): Preview {
  const store = new DisposableStore();
  const highlight = store.add(
    vscode.window.createTextEditorDecorationType({
      isWholeLine: true,
      backgroundColor: new vscode.ThemeColor('editor.rangeHighlightBackground'),
      borderColor: new vscode.ThemeColor('editor.rangeHighlightBorder'),
    }),
  );
  const before = rememberEditor();
  let next: Shown | undefined;
  let working: Promise<void> = Promise.resolve();
  let shown: vscode.TextEditor | undefined;

  const showNext = async (): Promise<void> => {
    const place = next;
    next = undefined;
    if (!place) return;
    const document = await vscode.workspace.openTextDocument(place.uri);
    if (next) return;
    const editor = await vscode.window.showTextDocument(document, { preview: true, preserveFocus: true });
    if (shown !== editor) shown?.setDecorations(highlight, []);
    shown = editor;
    before.noteShown(place.uri);
    editor.setDecorations(highlight, [place.range]);
    reveal(editor, place);
  };
  const settle = async () => {
    next = undefined;
    await working;
    shown?.setDecorations(highlight, []);
  };

  return {
    show(place) {
      next = place;
      // A missing file has no preview; opening it reports the error.
      working = working.then(showNext).catch(() => undefined);
    },
    async restore() {
      await settle();
      await before.restore();
    },
    async open(place, { toSide }) {
      await settle();
      if (toSide) await before.restore();
      const viewColumn = toSide ? vscode.ViewColumn.Beside : undefined;
      const editor = await vscode.window.showTextDocument(place.uri, {
        preview: false,
        ...(viewColumn !== undefined && { viewColumn }),
      });
      const start = new vscode.Position(Math.min(place.line, editor.document.lineCount - 1), 0);
      editor.selection = new vscode.Selection(start, start);
      reveal(editor, place);
      await before.closeOthers(place.uri);
    },
    dispose: () => store.dispose(),
  };
}

function reveal(editor: vscode.TextEditor, { line }: Shown): void {
  const last = Math.min(line, editor.document.lineCount - 1);
  editor.revealRange(new vscode.Range(last, 0, last, 0), vscode.TextEditorRevealType.InCenter);
}

interface RememberedEditor {
  noteShown(uri: vscode.Uri): void;
  restore(): Promise<void>;
  /** Closes everything that was previewed, except this. */
  closeOthers(except: vscode.Uri): Promise<void>;
}

/** Remembers the tab group in which previews open: its tabs, and the selections of its text. */
function rememberEditor(): RememberedEditor {
  const group = vscode.window.tabGroups.activeTabGroup;
  const column = group.viewColumn;
  const open = new Set(group.tabs.map(uriOf));
  const previewed = group.tabs.find(({ isPreview }) => isPreview);
  const previewedUri = previewed?.input instanceof vscode.TabInputText ? previewed.input.uri : undefined;
  const editor = vscode.window.activeTextEditor;
  const text = editor && { uri: editor.document.uri, selections: editor.selections };
  const others = new Set<string>();
  const closeStrange = async () => {
    const strange = tabsAt(column).filter(
      (tab) => others.has(uriOf(tab) ?? '') && !open.has(uriOf(tab)) && !tab.isDirty,
    );
    await vscode.window.tabGroups.close(strange, true);
  };

  return {
    noteShown: (uri) => void others.add(uri.toString()),
    async closeOthers(except) {
      others.delete(except.toString());
      await closeStrange();
    },
    async restore() {
      if (others.size === 0) return;
      const isGone = previewedUri && !tabsAt(column).some((tab) => uriOf(tab) === previewedUri.toString());
      if (isGone) await showQuietly(previewedUri, { viewColumn: column, preview: true });
      if (text) {
        const preview = text.uri.toString() === previewedUri?.toString();
        // VS Code itself restores the scroll position.
        const back = await showQuietly(text.uri, { viewColumn: column, preview });
        if (back) back.selections = text.selections;
      }
      await closeStrange();
    },
  };
}

function tabsAt(column: vscode.ViewColumn): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all.find(({ viewColumn }) => viewColumn === column)?.tabs ?? [];
}

function uriOf({ input }: vscode.Tab): string | undefined {
  return input instanceof vscode.TabInputText ? input.uri.toString() : undefined;
}

async function showQuietly(
  uri: vscode.Uri,
  options: vscode.TextDocumentShowOptions,
): Promise<vscode.TextEditor | undefined> {
  return vscode.window.showTextDocument(uri, options).then(
    (editor) => editor,
    () => undefined,
  );
}
