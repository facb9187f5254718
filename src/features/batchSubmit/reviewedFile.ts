import * as vscode from 'vscode';
import { sampleBatchFile, type FileSample } from '../../core/batch/job/estimateFileTokens';
import { DisposableStore, type Disposable } from '../../platform/disposables';
import type { SubmitView } from '../../protocol/batchSubmit';
import { checkOneFile, stampOf, type FileCheck } from '../../services/batchFiles/checkFiles';
import type { Services } from '../../services/services';

/** The progress or result of a file's check. */
export type ReadingState =
  | { readonly kind: 'running'; readonly bytes: number; readonly total: number }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** `sample`: what its first lines say about its tokens; `undefined` if it can't be read. */
  | { readonly kind: 'done'; readonly check: FileCheck; readonly sample: FileSample | undefined };

/** The check of a page's file, which can be stopped and restarted. */
export interface FileReading extends Disposable {
  readonly state: ReadingState;
  /** Restarts the check and aborts the previous one. Resolves once it ended, whatever the outcome. */
  start(): Promise<void>;
  stop(): void;
}

export function createFileReading(path: string, services: Services, onChange: () => void): FileReading {
  let state: ReadingState = { kind: 'stopped' };
  let running: AbortController | undefined;
  const set = (next: ReadingState) => {
    state = next;
    onChange();
  };
  return {
    get state() {
      return state;
    },
    async start() {
      running?.abort();
      const mine = (running = new AbortController());
      const { signal } = mine;
      set({ kind: 'running', bytes: 0, total: 0 });
      try {
        const onProgress = (bytes: number, total: number) => set({ kind: 'running', bytes, total });
        const check = await checkOneFile(path, services, { signal, onProgress });
        const sample = await sampleBatchFile(path).catch(() => undefined);
        if (!signal.aborted) set({ kind: 'done', check, sample });
      } catch (error) {
        if (!signal.aborted) set({ kind: 'failed', error });
      } finally {
        if (running === mine) running = undefined;
      }
    },
    stop() {
      if (!running) return;
      running.abort();
      running = undefined;
      set({ kind: 'stopped' });
    },
    dispose() {
      running?.abort();
    },
  };
}

/** Interval for checking whether the file was written to. The editor's file watchers start late and do not report when. */
const lookEveryMs = 1_000;

/** Tracks whether a file has changed since its check. */
export interface FileWatch extends Disposable {
  readonly file: SubmitView['file'];
  readonly isUnsaved: boolean;
  /** Sets the stamp of the checked file, to which it is compared from now on. */
  mark(stamp: string): void;
  /** Checks now. Resolves once `file` is up to date. */
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

/** Returns the file's document if it is open. */
export function documentOf(path: string): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'file' && uri.fsPath === path);
}
