import { stat } from 'node:fs/promises';
import type { Asset, Media } from '../../../services/media/media';

/** Cache of what is known about displayed files; each is read once. */
export interface KnownAssets {
  /** `gone` if the file no longer exists; `undefined` while it has not been read. */
  get(path: string): Asset | 'gone' | undefined;
  /** Reads those not known yet, and calls `onChange` if that changed something. */
  want(paths: readonly string[]): void;
  /** Checks again whether the files still exist. */
  lookAgain(): void;
}

export function createKnownAssets(assets: Media['assets'], onChange: () => void): KnownAssets {
  const known = new Map<string, Asset | 'gone'>();
  const asked = new Set<string>();
  const look = async (path: string) => {
    const isThere = await stat(path).then(
      (found) => found.isFile(),
      () => false,
    );
    const before = known.get(path);
    if (isThere && before !== undefined && before !== 'gone') return;
    const asset = isThere ? await assets.read(path).catch(() => undefined) : undefined;
    known.set(path, asset ?? 'gone');
    if (before !== known.get(path)) onChange();
  };
  return {
    get: (path) => known.get(path),
    want(paths) {
      for (const path of paths.filter((one) => !asked.has(one))) {
        asked.add(path);
        void look(path);
      }
    },
    lookAgain() {
      for (const path of asked) void look(path);
    },
  };
}
