/** What is loaded at first need, for code that draws at once and cannot wait. */
export interface Lazy<T> {
  /** `undefined` until it is loaded. Asking for it begins that; then `onLoaded` is called, to draw what could not be drawn. */
  now(): T | undefined;
  /** Resolves after `onLoaded` was called. */
  load(): Promise<T>;
}

export function lazy<T>(
  load: () => Promise<T>,
  { onLoaded, onTrouble }: { readonly onLoaded: () => void; readonly onTrouble: (error: unknown) => void },
): Lazy<T> {
  let loaded: T | undefined;
  let loading: Promise<T> | undefined;
  const begin = async () => {
    loaded = await load();
    onLoaded();
    return loaded;
  };
  const loadOnce = () => (loading ??= begin());
  return {
    now() {
      if (loaded === undefined && loading === undefined) loadOnce().catch(onTrouble);
      return loaded;
    },
    load: loadOnce,
  };
}
