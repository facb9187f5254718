import { stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore } from '../../../platform/disposables';
import type { Disposable } from '../../../platform/disposables';
import type { PreviewNotices } from '../../../protocol/batchPreview';
import { createDebounce } from '../../../platform/debounce';

/** A file is often written in several steps, so its changes are debounced. */
const settleMs = 200;
/** Smaller files are reloaded without asking, because that takes no noticeable time. */
const readAtOnceBytes = 20_000_000;

export interface NoticeBoard extends Disposable {
  readonly current: PreviewNotices;
  /** Reports that the file on disk is no longer the one shown. */
  changed(): void;
  /** Clears the notices because the file was read again. */
  reset(): void;
}

export interface NoticeOptions {
  readonly uri: vscode.Uri;
  readonly tell: (notices: PreviewNotices) => void;
  /** Called if the file changed and is small enough to be reloaded at once. */
  readonly onStale: () => void;
}

/** Watches the file on disk and its document in the editor for changes the preview does not show. */
export function createNoticeBoard({ uri, tell, onStale }: NoticeOptions): NoticeBoard {
  const store = new DisposableStore();
  const pauses = store.add(createDebounce(settleMs));
  let state = { changed: false, gone: false };
  const isUnsaved = () =>
    vscode.workspace.textDocuments.some((one) => one.isDirty && one.uri.toString() === uri.toString());
  let unsaved = isUnsaved();
  const set = (next: typeof state) => {
    const nowUnsaved = isUnsaved();
    if (next.changed === state.changed && next.gone === state.gone && nowUnsaved === unsaved) return;
    state = next;
    unsaved = nowUnsaved;
    tell({ ...state, unsaved });
  };
  const look = async () => {
    const found = await stat(uri.fsPath).catch(() => undefined);
    if (!found) set({ changed: false, gone: true });
    else if (found.size <= readAtOnceBytes) onStale();
    else set({ changed: true, gone: false });
  };
  const watched = new vscode.RelativePattern(vscode.Uri.file(path.dirname(uri.fsPath)), path.basename(uri.fsPath));
  const watcher = store.add(vscode.workspace.createFileSystemWatcher(watched));
  const lookSoon = () => pauses.start('file', () => void look());
  for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete]) store.add(event(lookSoon));
  const lookAtDocument = (document: vscode.TextDocument) => {
    if (document.uri.toString() === uri.toString()) set(state);
  };
  store.add(vscode.workspace.onDidChangeTextDocument(({ document }) => lookAtDocument(document)));
  store.add(vscode.workspace.onDidSaveTextDocument(lookAtDocument));
  store.add(vscode.workspace.onDidCloseTextDocument(lookAtDocument));
  return {
    get current() {
      return { ...state, unsaved };
    },
    changed: lookSoon,
    reset: () => set({ changed: false, gone: false }),
    dispose: () => store.dispose(),
  };
}
