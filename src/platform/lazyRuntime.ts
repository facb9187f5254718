import { readdir } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Disposable } from './disposables';

/** What follows jobs: loaded at first use, or a while after the start where there are records. */
export interface LazyRuntime<T extends Disposable> extends Disposable {
  /** `undefined` until it is loaded. */
  readonly now: T | undefined;
  load(): Promise<T>;
  ready(): Promise<void>;
  /** It is loaded, or what was opened says that it changed. */
  readonly onDidChange: vscode.Event<void>;
}

export interface LazyRuntimeOptions<T extends Disposable> {
  readonly open: (onChange: () => void) => Promise<T>;
  /** Of the records. */
  readonly folder: string;
  /** After the start, which has other things to do. */
  readonly firstLookMs: number;
  readonly onTrouble: (error: unknown) => void;
}

/** A window that has nothing to do with jobs looks so often whether another one, gone by now, left some. */
const laterLookMs = 60_000;

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
  const later = setInterval(lookQuietly, laterLookMs);
  const stopLooking = () => {
    clearTimeout(first);
    clearInterval(later);
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
