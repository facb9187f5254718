import type { Disposable, DisposableStore } from './disposables';

/** What is loaded at first need, and then is the store's. After a failure it is loaded anew. */
export function loadOnce<T extends Disposable>(store: DisposableStore, load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  const begin = async () => {
    try {
      return store.add(await load());
    } catch (error) {
      loading = undefined;
      throw error;
    }
  };
  return () => (loading ??= begin());
}
