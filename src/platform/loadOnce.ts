import type { Disposable, DisposableStore } from './disposables';

/** Returns a function that loads a value on first call and adds it to the store. After a failure, the next call loads it again. */
export function loadOnce<T extends Disposable>(store: DisposableStore, load: () => Promise<T>): () => Promise<T> {
  return once(async () => store.add(await load()));
}

/** The same for a value that nobody disposes. */
export function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  const begin = async () => {
    try {
      return await load();
    } catch (error) {
      loading = undefined;
      throw error;
    }
  };
  return () => (loading ??= begin());
}
