import { stat } from 'node:fs/promises';
import type { Asset, Media } from '../../../services/media/media';

/** What is known of files that are shown, read once each. */
export interface KnownAssets {
  /** `gone` where there is no such file any more; `undefined` while it is not looked at. */
  get(path: string): Asset | 'gone' | undefined;
  /** Looks at those that are not known yet, and tells when that changed something. */
  want(paths: readonly string[]): void;
  /** Looks again whether they are still there. */
  lookAgain(): void;
}

export function createKnownAssets(assets: Pick<Media['assets'], 'read'>, onChange: () => void): KnownAssets {
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
