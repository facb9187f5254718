import type { Disposable, DisposableStore } from './disposables';

/** Loads a value when it is first called. After a failure, the next call loads it again. */
export interface Once<T> {
  (): Promise<T>;
  /** `undefined` until it is loaded. */
  readonly loaded: T | undefined;
}

export function once<T>(load: () => Promise<T>): Once<T> {
  let loading: Promise<T> | undefined;
  const begin = async (): Promise<T> => {
    try {
      return (value.loaded = await load());
    } catch (error) {
      loading = undefined;
      throw error;
    }
  };
  const value = Object.assign(() => (loading ??= begin()), { loaded: undefined as T | undefined });
  return value;
}

/** The same for a value that `store` disposes. */
export function onceDisposable<T extends Disposable>(store: DisposableStore, load: () => Promise<T>): Once<T> {
  return once(async () => store.add(await load()));
}

/** Returns the value if it is loaded. If not, loads it and then calls `render`. For code that renders immediately and can't wait. */
export function loadedOr<T>(value: Once<T>, render: () => void, onError: (error: unknown) => void): T | undefined {
  if (value.loaded === undefined) value().then(render, onError);
  return value.loaded;
}
