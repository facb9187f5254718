import { type FSWatcher, watch } from 'node:fs';
import type { Disposable } from '../disposables';
import { throttle } from '../throttle';

export interface FolderWatch {
  /** Ending of the file names whose changes are reported. */
  readonly ending: string | RegExp;
  readonly onChange: () => void;
  readonly onError: (error: unknown) => void;
}

/** Changes that are written together are reported together. */
const gatherMs = 150;
/** How often a folder that cannot be watched may have changed. */
const unwatchedMs = 60_000;

/** A folder that cannot be watched, e.g. because the system has no watches left, is reported as changed every minute. */
export function watchFolder(folder: string, { ending, onChange, onError }: FolderWatch): Disposable {
  const changes = throttle(gatherMs, onChange);
  let watcher: FSWatcher | undefined;
  let timer: NodeJS.Timeout | undefined;
  const fail = (error: unknown) => {
    onError(error);
    timer ??= setInterval(onChange, unwatchedMs);
  };
  try {
    watcher = watch(folder, (_, name) => {
      if (!name || isMeant(name, ending)) changes.soon();
    });
    watcher.on('error', fail);
  } catch (error) {
    fail(error);
  }
  return {
    dispose() {
      changes.dispose();
      watcher?.close();
      clearInterval(timer);
    },
  };
}

function isMeant(name: string, ending: string | RegExp): boolean {
  return typeof ending === 'string' ? name.endsWith(ending) : ending.test(name);
}
