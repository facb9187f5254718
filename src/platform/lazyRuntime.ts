import { readdir } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Disposable } from './disposables';

/** A job engine, loaded on first use, or some time after activation if there are records. */
export interface LazyRuntime<T extends Disposable> extends Disposable {
  /** `undefined` until it is loaded. */
  readonly now: T | undefined;
  load(): Promise<T>;
  ready(): Promise<void>;
  /** Fires when it has been loaded, and when the opened runtime reports a change. */
  readonly onDidChange: vscode.Event<void>;
}

export interface LazyRuntimeOptions<T extends Disposable> {
  readonly open: (onChange: () => void) => Promise<T>;
  /** Folder of the records. */
  readonly folder: string;
  /** Delay after activation, which has other work to do. */
  readonly firstLookMs: number;
  readonly onTrouble: (error: unknown) => void;
}

export function createLazyRuntime<T extends Disposable>(options: LazyRuntimeOptions<T>): LazyRuntime<T> {
  const { open, folder, firstLookMs, onTrouble } = options;
  const changed = new vscode.EventEmitter<void>();
  const onChange = () => changed.fire();
  let runtime: T | undefined;
  let loading: Promise<T> | undefined;
  let isDisposed = false;

  const load = (): Promise<T> => {
    loading ??= (async () => {
      const opened = await open(onChange);
      stopLooking();
      if (isDisposed) opened.dispose();
      runtime = opened;
      onChange();
      return opened;
    })();
    loading.catch(() => (loading = undefined));
    return loading;
  };
  const look = async (): Promise<void> => {
    const names = await readdir(folder).catch((): string[] => []);
    if (names.some((name) => name.endsWith('.json'))) await load();
  };
  const lookQuietly = () => void look().catch(onTrouble);
  const first = setTimeout(lookQuietly, firstLookMs);
  // A window that is closed leaves its jobs to the others, one of which the person turns to next.
  const later = vscode.window.onDidChangeWindowState(({ focused }) => {
    if (focused) lookQuietly();
  });
  const stopLooking = () => {
    clearTimeout(first);
    later.dispose();
  };

  return {
    get now() {
      return runtime;
    },
    load,
    async ready() {
      await load();
    },
    onDidChange: changed.event,
    dispose() {
      isDisposed = true;
      stopLooking();
      runtime?.dispose();
      changed.dispose();
    },
  };
}
