import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { replaceFile } from '../../core/files/privateFiles';

/** A run that was started and, as far as known, has not ended. */
export interface UnfinishedRun {
  /** Folder of its results. */
  readonly folder: string;
  /** The batch file. */
  readonly input: string;
}

/** The runs to offer for continuing: one small file each, so that starting the editor reads next to nothing. */
export interface UnfinishedRuns {
  add(run: UnfinishedRun): Promise<void>;
  /** Stops offering the run. */
  remove(folder: string): Promise<void>;
  list(): Promise<readonly UnfinishedRun[]>;
}

export function createUnfinishedRuns(place: string): UnfinishedRuns {
  const markOf = (folder: string) => path.join(place, `${leaseIdOf(folder)}.json`);
  return {
    add: (run) => replaceFile(markOf(run.folder), JSON.stringify(run)),
    remove: (folder) => rm(markOf(folder), { force: true }),
    async list() {
      const names = await readdir(place).catch((): string[] => []);
      const texts = names
        .filter((name) => name.endsWith('.json'))
        .map((name) => readFile(path.join(place, name), 'utf8'));
      const read = await Promise.all(texts.map((text) => text.then(toRun, () => undefined)));
      return read.filter((run) => run !== undefined);
    },
  };
}

/** Returns the id of the lease that lets only one window at a time execute a run. */
export function leaseIdOf(folder: string): string {
  return createHash('sha256').update(folder).digest('hex').slice(0, 16);
}

function toRun(text: string): UnfinishedRun | undefined {
  try {
    const { folder, input } = JSON.parse(text) as Partial<Record<keyof UnfinishedRun, unknown>>;
    return typeof folder === 'string' && typeof input === 'string' ? { folder, input } : undefined;
  } catch {
    return undefined;
  }
}
