import { DisposableStore } from './disposables';

/** What `open` adds to the store is the caller's to dispose, or is disposed here where it does not get all of it open. */
export async function withDisposables<T>(open: (store: DisposableStore) => Promise<T>): Promise<T> {
  const store = new DisposableStore();
  try {
    return await open(store);
  } catch (error) {
    store.dispose();
    throw error;
  }
}
