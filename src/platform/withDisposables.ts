import { DisposableStore } from './disposables';

/** Runs `open` with a store. If it resolves, the caller owns what is in the store; if it rejects, the store is disposed here. */
export async function withDisposables<T>(open: (store: DisposableStore) => Promise<T>): Promise<T> {
  const store = new DisposableStore();
  try {
    return await open(store);
  } catch (error) {
    store.dispose();
    throw error;
  }
}
