import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from '../../../core/storage/privateFiles';
import { readImageRun } from '../../../core/imageRuns/imageRun';
import type { ImageRun } from '../../../core/imageRuns/imageRun';
import { createJsonFile } from '../../../core/storage/storedFile';
import type { JsonFile } from '../../../core/storage/storedFile';

/** Finished runs beyond this number are deleted; their images stay. */
const maxRuns = 100;
const namePattern = /^([\w-]{1,60})\.json$/;

/** Stores each run in a file. */
export interface RunStore {
  /** Newest first. Leaves unreadable files alone. */
  load(): Promise<readonly ImageRun[]>;
  /** Reads the current state from disk, because other windows write too. `undefined` if it is missing or unreadable. */
  read(id: string): Promise<ImageRun | undefined>;
  save(run: ImageRun): Promise<void>;
  /** Resolves when the last save of the run so far has succeeded or failed. */
  written(id: string): Promise<void>;
  remove(id: string): Promise<void>;
}

export function createRunStore(folder: string): RunStore {
  const files = new Map<string, JsonFile<ImageRun>>();
  const writes = new Map<string, Promise<void>>();
  const fileOf = (id: string) => {
    const file = files.get(id) ?? createJsonFile(path.join(folder, `${id}.json`), readImageRun);
    files.set(id, file);
    return file;
  };
  const remove = async (id: string) => {
    await fileOf(id).remove();
    files.delete(id);
    writes.delete(id);
  };
  return {
    async load() {
      await makeFolder(folder);
      const names = await readdir(folder);

      const ids = names.flatMap((name) => namePattern.exec(name)?.[1] ?? []);
      const read = await Promise.all(ids.map((id) => fileOf(id).read()));
      const runs = read.filter((run) => run !== undefined).toSorted((a, b) => b.createdAt - a.createdAt);
      const old = runs.slice(maxRuns).filter(isDone);
      for (const { id } of old) await remove(id);
      return runs.filter((run) => !old.includes(run));
    },
    read: (id) => fileOf(id).read(),
    save(run) {
      const write = fileOf(run.id).write(run);
      writes.set(
        run.id,
        write.catch(() => undefined),
      );
      return write;
    },
    written: async (id) => writes.get(id),
    remove,
  };
}

/** Whether a window is sending the run, or closed while doing so. */
export function isBusy({ items }: ImageRun): boolean {
  return items.some(({ state }) => state === 'waiting' || state === 'sending');
}

export function isDone({ items }: ImageRun): boolean {
  return items.every(({ state }) => state === 'ordered' || state === 'rejected');
}
