import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { replaceFile } from '../../core/files/privateFiles';

/** A run that was begun and has not come to its end, as far as is known. */
export interface UnfinishedRun {
  /** Of its results. */
  readonly folder: string;
  /** The batch file. */
  readonly input: string;
}

/** The runs whose continuing is offered: a small file for each, so that a start of the editor reads next to nothing. */
export interface UnfinishedRuns {
  add(run: UnfinishedRun): Promise<void>;
  /** Nothing more is offered for it. */
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

/** What a run is held by in one window at a time. */
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
