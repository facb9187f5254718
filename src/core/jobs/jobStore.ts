import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomic } from '../storage/atomicFile';
import type { Job } from './job';

/** A record left untouched: this version does not understand it, or the system denies access (`denied`). */
export interface UnreadableJob {
  readonly id: string;
  readonly path: string;
  readonly reason: 'newer' | 'torn' | 'denied';
}

export interface StoredJobs<J extends Job> {
  readonly jobs: readonly J[];
  readonly unreadable: readonly UnreadableJob[];
}

/** One file per job in a folder, replaced atomically. Throws file system errors, except for single records of a listing. */
export interface JobStore<J extends Job> {
  list(): Promise<StoredJobs<J>>;
  /** Resolves with `undefined` if there is no readable record. */
  read(id: string): Promise<J | undefined>;
  /** Resolves once the record is on disk. */
  write(job: J): Promise<void>;
  remove(id: string): Promise<void>;
}

export const jobVersion = 1;
const namePattern = /^([\w-]{1,60})\.json$/;

type Read<J extends Job> = { readonly job: J } | { readonly unreadable: UnreadableJob };

/** `readJob` returns `undefined` for an incomplete job. */
export function createJobStore<J extends Job>(
  folder: string,
  readJob: (raw: Readonly<Record<string, unknown>>) => J | undefined,
): JobStore<J> {
  /** By id: the parsed file, reused while its inode, size and time are unchanged. */
  const known = new Map<string, { readonly look: string; readonly read: Read<J> }>();
  const pathOf = (id: string) => join(folder, `${id}.json`);

  const readOne = async (id: string): Promise<Read<J> | undefined> => {
    const path = pathOf(id);
    const found = await stat(path).catch(absent);
    if (!found) {
      known.delete(id);
      return undefined;
    }
    const look = `${found.ino} ${found.size} ${found.mtimeMs}`;
    const before = known.get(id);
    if (before?.look === look) return before.read;
    const text = await readFile(path, 'utf8').catch(absent);
    if (text === undefined) return undefined;
    const read = toJob(text, { id, path }, readJob);
    known.set(id, { look, read });
    return read;
  };

  return {
    async list() {
      const names = (await readdir(folder).catch(absent)) ?? [];
      const ids = names.flatMap((name) => namePattern.exec(name)?.[1] ?? []);
      const readEach = (id: string) => readOne(id).catch(() => denied({ id, path: pathOf(id) }));
      const read = (await Promise.all(ids.map(readEach))).filter((one) => one !== undefined);
      return {
        jobs: read.flatMap((one) => ('job' in one ? [one.job] : [])),
        unreadable: read.flatMap((one) => ('unreadable' in one ? [one.unreadable] : [])),
      };
    },
    async read(id) {
      const read = await readOne(id);
      return read && 'job' in read ? read.job : undefined;
    },
    write(job) {
      const text = JSON.stringify({ version: jobVersion, ...job }, undefined, 1);
      return writeAtomic(pathOf(job.id), `${text}\n`);
    },
    remove: (id) => rm(pathOf(id), { force: true }),
  };
}

const denied = (file: Omit<UnreadableJob, 'reason'>) => ({ unreadable: { ...file, reason: 'denied' } }) as const;

function toJob<J extends Job>(
  text: string,
  file: { readonly id: string; readonly path: string },
  readJob: (raw: Readonly<Record<string, unknown>>) => J | undefined,
): Read<J> {
  const torn = { unreadable: { ...file, reason: 'torn' } } as const;
  const raw = parse(text);
  if (typeof raw !== 'object' || raw === null || !('version' in raw)) return torn;
  const { version, ...rest } = raw as Readonly<Record<string, unknown>>;
  if (typeof version === 'number' && version > jobVersion) return { unreadable: { ...file, reason: 'newer' } };
  const job = readJob(rest);
  return job?.id === file.id ? { job } : torn;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
