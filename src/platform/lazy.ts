/** A value loaded on first use, for code that renders at once and cannot wait. */
export interface Lazy<T> {
  /**
   * Returns `undefined` until it is loaded. The first call starts loading; `onLoaded` is then called, to render what could not be rendered.
   */
  now(): T | undefined;
  /** Resolves after `onLoaded` has been called. */
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
