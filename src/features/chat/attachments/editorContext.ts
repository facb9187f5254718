import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../../platform/disposables';
import type { Settings } from '../../../platform/settings';
import type { LastEditor } from '../../../platform/workspace/lastEditor';
import { WorkspaceGuard } from '../../../platform/workspace/workspaceGuard';
import type { EditorContext } from '../../../protocol/chatOffers';
import { nameOf, selectionLabel } from './readAttachment';

/** Returns the file the user works in, and its selection, if they may be attached without being picked. */
export async function readEditorContext(
  lastEditor: LastEditor,
  settings: Settings,
): Promise<EditorContext | undefined> {
  const editor = lastEditor.current();
  if (!editor || !vscode.workspace.isTrusted) return undefined;
  const { document, selection } = editor;
  const guard = await WorkspaceGuard.open(settings, { allowsElsewhere: true });
  if ((await guard.only([document.uri])).length === 0) return undefined;
  return {
    file: nameOf(document.uri),
    ...(!selection.isEmpty && { selection: selectionLabel(editor) }),
    problems: vscode.languages.getDiagnostics(document.uri).length,
  };
}

/** A selection changes with every key. */
const settledMs = 150;

/** Calls the listener when the file, its selection, or its problems may have changed. */
export function onDidChangeEditorContext(listener: () => void): Disposable {
  const store = new DisposableStore();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(listener, settledMs);
  };
  store.add(vscode.window.onDidChangeActiveTextEditor(later));
  store.add(vscode.window.onDidChangeTextEditorSelection(later));
  store.add(vscode.window.tabGroups.onDidChangeTabs(later));
  store.add(vscode.languages.onDidChangeDiagnostics(later));
  store.add({ dispose: () => clearTimeout(timer) });
  return store;
}
