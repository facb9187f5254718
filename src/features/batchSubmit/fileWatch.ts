import * as vscode from 'vscode';
import { stampOf } from '../../services/batches/check/checkOneFile';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import type { SubmitView } from '../../protocol/batchSubmit';

/** How often it is looked whether the file was written to. A watcher of the editor starts late and does not say when it has. */
const lookEveryMs = 1_000;

/** What became of a file since it was checked. */
export interface FileWatch extends Disposable {
  readonly file: SubmitView['file'];
  readonly isUnsaved: boolean;
  /** What it was when it was checked: from now on it is compared with that. */
  mark(stamp: string): void;
  /** Looks now. Resolves when `file` is what was found. */
  look(): Promise<void>;
}

export function watchFile(path: string, onChange: () => void): FileWatch {
  const store = new DisposableStore();
  let stamp: string | undefined;
  let file: SubmitView['file'] = 'same';
  let wasUnsaved = isUnsaved(path);
  let isDisposed = false;
  let timer: NodeJS.Timeout | undefined;
  store.add({
    dispose: () => {
      isDisposed = true;
      clearTimeout(timer);
    },
  });

  const look = async () => {
    const found = await stampOf(path);
    const next = found === undefined ? 'gone' : stamp === undefined || found === stamp ? 'same' : 'changed';
    if (isDisposed || next === file) return;
    file = next;
    onChange();
  };
  const lookLater = () => {
    if (isDisposed) return;
    clearTimeout(timer);
    timer = setTimeout(() => void look().finally(lookLater), lookEveryMs);
  };
  const lookAtDocument = ({ uri }: vscode.TextDocument) => {
    if (uri.scheme !== 'file' || uri.fsPath !== path || isUnsaved(path) === wasUnsaved) return;
    wasUnsaved = !wasUnsaved;
    onChange();
  };
  store.add(vscode.workspace.onDidChangeTextDocument(({ document }) => lookAtDocument(document)));
  store.add(vscode.workspace.onDidSaveTextDocument(lookAtDocument));
  store.add(vscode.workspace.onDidCloseTextDocument(lookAtDocument));
  lookLater();
  return {
    get file() {
      return file;
    },
    get isUnsaved() {
      return wasUnsaved;
    },
    mark(now) {
      stamp = now;
      file = 'same';
    },
    look,
    dispose: () => store.dispose(),
  };
}

function isUnsaved(path: string): boolean {
  return documentOf(path)?.isDirty === true;
}

/** The file's document, where it is open. */
export function documentOf(path: string): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'file' && uri.fsPath === path);
}
