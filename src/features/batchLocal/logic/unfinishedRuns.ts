import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { createJsonFile } from '../../../core/storage/storedFile';
import { leaseIdOf } from '../../../services/batches/resultsRoot';

/** A run that was started and, as far as known, has not ended. */
export interface UnfinishedRun {
  /** Folder of its results. */
  readonly folder: string;
  /** The batch file. */
  readonly input: string;
}

/** The runs to offer for continuing, in one small file each, so that starting VS Code reads next to nothing. */
export interface UnfinishedRuns {
  add(run: UnfinishedRun): Promise<void>;
  /** Stops offering the run. */
  remove(folder: string): Promise<void>;
  list(): Promise<readonly UnfinishedRun[]>;
}

export function createUnfinishedRuns(place: string): UnfinishedRuns {
  const markOf = (folder: string) => createJsonFile(path.join(place, `${leaseIdOf(folder)}.json`), toRun);
  return {
    add: (run) => markOf(run.folder).write(run),
    remove: (folder) => markOf(folder).remove(),
    async list() {
      const names = await readdir(place).catch((): string[] => []);
      const marks = names.filter((name) => name.endsWith('.json'));
      const read = marks.map((name) => createJsonFile(path.join(place, name), toRun).read());
      const runs = await Promise.all(read.map((run) => run.catch(() => undefined)));
      return runs.filter((run) => run !== undefined);
    },
  };
}

function toRun(raw: unknown): UnfinishedRun | undefined {
  if (typeof raw !== 'object' || raw === null) return undefined;
  const { folder, input } = raw as Partial<Record<keyof UnfinishedRun, unknown>>;
  return typeof folder === 'string' && typeof input === 'string' ? { folder, input } : undefined;
}
