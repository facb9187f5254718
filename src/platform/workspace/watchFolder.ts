import { watch } from 'node:fs';
import type { Disposable } from '../disposables';
import { throttle } from '../throttle';

export interface FolderWatch {
  /** Names whose coming and going is told, by their end. */
  readonly ending: string | RegExp;
  readonly onChange: () => void;
  readonly onTrouble: (error: unknown) => void;
}

/** What is written together is told together. */
const gatherMs = 150;

/** Best effort: a folder that cannot be watched tells nothing. */
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
