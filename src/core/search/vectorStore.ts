import { randomUUID } from 'node:crypto';
import { constants, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder, openFile, replaceFile, writeFile } from '../files/privateFiles';
import { recordsOf, toHeader, toRecord } from './vectorRecords';
import type { VectorRecord } from './vectorRecords';

/** The vectors of one model at one service, on disk, shared by all windows. */
export interface VectorStore {
  /** Returns the stored vectors with these hashes and this many dimensions. */
  read(hashes: ReadonlySet<string>, dimensions: number): Promise<ReadonlyMap<string, Float32Array>>;
  /** All vectors must have the same length. They remain stored even if later ones never follow. */
  add(records: readonly VectorRecord[]): Promise<void>;
}

const ending = '.vec';
/** Bounded, because a file is read as a whole. */
const mostFileBytes = 64 * 1024 * 1024;

/** Each store appends only to files of its own, so that windows never write to each other's. */
export function createVectorStore(folder: string): VectorStore {
  let own: { readonly path: string; bytes: number } | undefined;
  let last: Promise<void> = Promise.resolve();

  const append = async (records: readonly VectorRecord[]): Promise<void> => {
    const bytes = Buffer.concat(records.map(toRecord));
    if (!own || own.bytes + bytes.length > mostFileBytes) {
      await makeFolder(folder);
      own = { path: path.join(folder, `${randomUUID()}${ending}`), bytes: 0 };
      await writeFile(own.path, toHeader(records[0]!.vector.length));
    }
    own.bytes += bytes.length;
    // Never creates a missing file, which would lack its header.
    const handle = await openFile(own.path, constants.O_WRONLY | constants.O_APPEND);
    try {
      await handle.appendFile(bytes);
    } finally {
      await handle.close();
    }
  };

  return {
    async read(hashes, dimensions) {
      const found = new Map<string, Float32Array>();
      const isWanted = (hash: string, has: number) => has === dimensions && hashes.has(hash) && !found.has(hash);
      for (const file of await filesOf(folder)) {
        const before = found.size;
        for (const { hash, vector } of recordsOf(await readOrNothing(file), isWanted)) found.set(hash, vector);
        if (found.size > before) await touch(file);
      }
      return found;
    },
    add(records) {
      if (records.length === 0) return last;
      const adding = last.then(() =>
        append(records).catch(() => {
          // The file was removed by tidying, or ends within a record: continue in a new file.
          own = undefined;
          return append(records);
        }),
      );
      last = adding.catch(() => undefined);
      return adding;
    },
  };
}

export interface TidyLimits {
  /** Limit for all models together; the least recently used files are removed first. */
  readonly bytes: number;
  /** If one model has more small files than this, they are merged. */
  readonly files: number;
  /** Files written or used since (Unix milliseconds) are left alone, because a window may be appending to them. */
  readonly quietSince: number;
}

/** Merges small files and removes what exceeds the limit. `root` has one folder per model. */
export async function tidyVectors(root: string, { bytes, files, quietSince }: TidyLimits): Promise<void> {
  const folders = await readdir(root, { withFileTypes: true }).catch(() => []);
  const known: { readonly file: string; readonly size: number; readonly usedAt: number }[] = [];
  for (const folder of folders.filter((entry) => entry.isDirectory())) {
    const quiet = (await statsOf(path.join(root, folder.name))).filter(({ usedAt }) => usedAt < quietSince);
    const small = quiet.filter(({ size }) => size < mostFileBytes / 8);
    if (small.length > files) await merge(small.map(({ file }) => file));
    known.push(...(await statsOf(path.join(root, folder.name))));
  }
  let total = known.reduce((sum, { size }) => sum + size, 0);
  for (const { file, size, usedAt } of known.toSorted((one, other) => one.usedAt - other.usedAt)) {
    if (total <= bytes) break;
    if (usedAt >= quietSince) continue;
    await rm(file, { force: true });
    total -= size;
  }
}

/** Merges files, one per number of dimensions. The new file is complete before old ones are deleted. */
async function merge(files: readonly string[]): Promise<void> {
  const byDimensions = new Map<number, Map<string, Buffer>>();
  for (const file of files) {
    for (const record of recordsOf(await readOrNothing(file), () => true)) {
      const { length } = record.vector;
      const records = byDimensions.get(length) ?? new Map<string, Buffer>();
      byDimensions.set(length, records.set(record.hash, toRecord(record)));
    }
  }
  for (const [dimensions, records] of byDimensions) {
    const target = path.join(path.dirname(files[0]!), `${randomUUID()}${ending}`);
    await replaceFile(target, Buffer.concat([toHeader(dimensions), ...records.values()]));
  }
  await Promise.all(files.map((file) => rm(file, { force: true })));
}

async function filesOf(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => name.endsWith(ending)).map((name) => path.join(folder, name));
}

async function statsOf(folder: string) {
  const files = await filesOf(folder);
  const found = files.map(async (file) => {
    const facts = await stat(file).catch(() => undefined);
    return facts ? [{ file, size: facts.size, usedAt: facts.mtimeMs }] : [];
  });
  return (await Promise.all(found)).flat();
}

/** Empty if another window merged the file away; its vectors are then created again. */
async function readOrNothing(file: string): Promise<Buffer> {
  return readFile(file).catch(() => Buffer.alloc(0));
}

async function touch(file: string): Promise<void> {
  const now = new Date();
  await utimes(file, now, now).catch(() => undefined);
}
