import { watch } from 'node:fs';
import type { Disposable } from '../disposables';
import { throttle } from '../throttle';

export interface FolderWatch {
  /** Ending of the file names whose changes are reported. */
  readonly ending: string | RegExp;
  readonly onChange: () => void;
  readonly onTrouble: (error: unknown) => void;
}

/** Changes that are written together are reported together. */
const gatherMs = 150;

/** Best effort: a folder that cannot be watched reports no changes. */
export function watchFolder(folder: string, { ending, onChange, onTrouble }: FolderWatch): Disposable {
  const changes = throttle(gatherMs, onChange);
  try {
    const watcher = watch(folder, (_, name) => {
      if (!name || isMeant(name, ending)) changes.soon();
    });
    watcher.on('error', onTrouble);
    return {
      dispose() {
        changes.dispose();
        watcher.close();
      },
    };
  } catch (error) {
    onTrouble(error);
    return { dispose: () => undefined };
  }
}

function isMeant(name: string, ending: string | RegExp): boolean {
  return typeof ending === 'string' ? name.endsWith(ending) : ending.test(name);
}
