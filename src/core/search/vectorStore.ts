import { randomUUID, createHash } from 'node:crypto';
import { readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { appendShared } from '../storage/appendLog';
import { writeAtomic } from '../storage/atomicFile';

/** The vectors of one model at one service, on disk, shared by all windows. */
interface VectorStore {
  /** Returns the stored vectors with these hashes and this many dimensions. */
  read(hashes: ReadonlySet<string>, dimensions: number): Promise<ReadonlyMap<string, Float32Array>>;
  /** Makes sure that vectors can be stored, before they are paid for. Rejects if they can't. */
  begin(dimensions: number): Promise<void>;
  /** All vectors must have the same length. They remain stored even if later ones never follow. */
  add(records: readonly VectorRecord[]): Promise<void>;
}

const ending = '.vec';
/** Bounded, because a file is read as a whole. */
const mostFileBytes = 64 * 1024 * 1024;

/** Each store appends only to its own files, so that windows never write to each other's. */
export function createVectorStore(folder: string): VectorStore {
  let own: { readonly path: string; bytes: number } | undefined;
  let last: Promise<void> = Promise.resolve();

  const start = (dimensions: number, records: Buffer): Promise<void> => {
    own = { path: path.join(folder, `${randomUUID()}${ending}`), bytes: records.length };
    return appendShared(own.path, Buffer.concat([toHeader(dimensions), records]));
  };
  const append = async (records: readonly VectorRecord[]): Promise<void> => {
    const bytes = Buffer.concat(records.map(toRecord));
    if (!own || own.bytes + bytes.length > mostFileBytes) return start(records[0]!.vector.length, bytes);
    own.bytes += bytes.length;
    // A file that was removed meanwhile would lack its header.
    return appendShared(own.path, bytes, { mustExist: true });
  };

  return {
    async read(hashes, dimensions) {
      const found = new Map<string, Float32Array>();
      const isNeeded = (hash: string, has: number) => has === dimensions && hashes.has(hash) && !found.has(hash);
      for (const file of await filesOf(folder)) {
        const before = found.size;
        for (const { hash, vector } of recordsOf(await readOrNothing(file), isNeeded)) found.set(hash, vector);
        if (found.size > before) await touch(file);
      }
      return found;
    },
    begin: (dimensions) => start(dimensions, Buffer.alloc(0)),
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

interface TidyLimits {
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
    for (const one of await statsOf(path.join(root, folder.name))) known.push(one);
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
    await writeAtomic(target, Buffer.concat([toHeader(dimensions), ...records.values()]));
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

interface VectorRecord {
  /** SHA-256 in hexadecimal. */
  readonly hash: string;
  readonly vector: Float32Array;
}

const mark = Buffer.from('IDVEC\u0001\0\0', 'latin1');
const headerBytes = 16;
const hashBytes = 32;
const checkBytes = 4;

/** Returns the start of a vector file: a magic number with the version, and the number of dimensions. */
function toHeader(dimensions: number): Buffer {
  const header = Buffer.alloc(headerBytes);
  mark.copy(header);
  header.writeUInt32LE(dimensions, mark.length);
  return header;
}

/** Encodes a record: hash, 32-bit floats (little-endian) and a checksum of both. All records have the same length and are independent. */
export function toRecord({ hash, vector }: VectorRecord): Buffer {
  const body = Buffer.concat([
    Buffer.from(hash, 'hex'),
    Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength),
  ]);
  const check = Buffer.alloc(checkBytes);
  check.writeUInt32LE(crc32(body));
  return Buffer.concat([body, check]);
}

/** Yields the intact records of a file. Skips torn or damaged ones; a file of another kind has none. */
export function* recordsOf(
  bytes: Buffer,
  isNeeded: (hash: string, dimensions: number) => boolean,
): Generator<VectorRecord> {
  if (bytes.length < headerBytes || !bytes.subarray(0, mark.length).equals(mark)) return;
  const dimensions = bytes.readUInt32LE(mark.length);
  const length = hashBytes + dimensions * 4 + checkBytes;
  for (let at = headerBytes; at + length <= bytes.length; at += length) {
    const hash = bytes.toString('hex', at, at + hashBytes);
    const end = at + length - checkBytes;
    if (!isNeeded(hash, dimensions) || crc32(bytes.subarray(at, end)) !== bytes.readUInt32LE(end)) continue;
    // Copied, because floats must be aligned to four bytes.
    yield { hash, vector: new Float32Array(Uint8Array.from(bytes.subarray(at + hashBytes, end)).buffer) };
  }
}

/** Identifies a text by its content, whatever file it is in. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Scales a vector to length 1, so that the dot product of two is their similarity. `undefined` if it has no direction or is not finite. */
export function toUnitVector(numbers: readonly number[]): Float32Array | undefined {
  const length = Math.sqrt(numbers.reduce((sum, value) => sum + value * value, 0));
  return Number.isFinite(length) && length > 0 ? Float32Array.from(numbers, (value) => value / length) : undefined;
}

/** Returns the similarity of two vectors of length 1: 1 is the same direction, 0 is nothing in common. */
export function similarityOf(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += one[at]! * other[at]!;
  return sum;
}
