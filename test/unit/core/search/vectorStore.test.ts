import assert from 'node:assert/strict';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  recordsOf,
  toRecord,
  hashOf,
  similarityOf,
  toUnitVector,
  createVectorStore,
  tidyVectors,
} from '../../../../src/core/search/vectorStore';

const record = (name: string, ...numbers: readonly number[]) => ({
  hash: hashOf(name),
  vector: Float32Array.from(numbers),
});

describe('stored vectors', () => {
  let root: string;
  let folder: string;

  beforeEach(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'vectors-'));
    folder = path.join(root, 'model');
  });
  afterEach(() => rm(root, { recursive: true }));

  const files = async () => (await readdir(folder)).map((name) => path.join(folder, name));
  const read = async (names: readonly string[], dimensions = 2) => {
    const found = await createVectorStore(folder).read(new Set(names.map(hashOf)), dimensions);
    return names.map((name) => found.get(hashOf(name)) && [...found.get(hashOf(name))!]);
  };
  const age = async (file: string, hours: number) => {
    const then = new Date(Date.now() - hours * 3_600_000);
    await utimes(file, then, then);
  };
  const limits = { bytes: 1e9, files: 2, quietSince: Date.now() - 60_000 };

  it('are loaded by the hash of their text', async () => {
    const store = createVectorStore(folder);
    assert.deepEqual(await read(['one']), [undefined]);
    await store.add([record('one', 1, 2), record('two', 3, 4)]);
    await store.add([record('three', 5, 6)]);
    await store.add([]);
    assert.deepEqual(await read(['three', 'one', 'none']), [[5, 6], [1, 2], undefined]);
    assert.equal((await files()).length, 1);
    assert.deepEqual(await read(['one'], 3), [undefined]);
  });

  it('are complete after concurrent writes of two windows', async () => {
    const [mine, other] = [createVectorStore(folder), createVectorStore(folder)];
    const names = Array.from({ length: 50 }, (_, index) => `text ${index}`);
    await Promise.all(names.map((name, index) => (index % 2 ? mine : other).add([record(name, index, -index)])));
    assert.deepEqual(
      await read(names),
      names.map((_, index) => [index, index === 0 ? -0 : -index]),
    );
    assert.equal((await files()).length, 2);
  });

  it('are read up to a truncated end, and past a damaged file', async () => {
    await createVectorStore(folder).add([record('one', 1, 2), record('two', 3, 4), record('three', 5, 6)]);
    const [file] = await files();
    const bytes = await readFile(file!);
    const length = toRecord(record('one', 1, 2)).length;
    bytes[16 + length + 40]! ^= 1;
    await writeFile(file!, bytes);
    assert.deepEqual(await read(['one', 'two', 'three']), [[1, 2], undefined, [5, 6]]);
    await truncate(file!, bytes.length - 3);
    assert.deepEqual(await read(['one', 'two', 'three']), [[1, 2], undefined, undefined]);
    await truncate(file!, 7);
    assert.deepEqual(await read(['one']), [undefined]);
    await writeFile(file!, 'not of ours, whatever its name says');
    assert.deepEqual(await read(['one']), [undefined]);
  });

  it("get a new file if the last one is missing or can't be extended", async () => {
    const store = createVectorStore(folder);
    await store.add([record('one', 1, 2)]);
    await rm((await files())[0]!);
    await store.add([record('two', 3, 4)]);
    assert.deepEqual(await read(['one', 'two']), [undefined, [3, 4]]);
  });

  it('are merged if there are many files, except those in use', async () => {
    for (const name of ['one', 'two', 'three', 'four']) await createVectorStore(folder).add([record(name, 1, 2)]);
    await createVectorStore(folder).add([record('wide', 1, 2, 3)]);
    const [used, ...quiet] = await files();
    for (const file of quiet) await age(file, 2);
    await tidyVectors(root, limits);
    const left = await files();
    assert.ok(left.includes(used!) && left.length <= 3 && left.every((file) => file.endsWith('.vec')));
    assert.deepEqual(
      await read(['one', 'two', 'three', 'four']),
      Array.from({ length: 4 }, () => [1, 2]),
    );
    assert.deepEqual(await read(['wide'], 3), [[1, 2, 3]]);
  });

  it('are removed beyond the limit, least recently used first', async () => {
    for (const name of ['one', 'two']) await createVectorStore(folder).add([record(name, 1, 2)]);
    for (const file of await files()) await age(file, 2);
    await read(['two']);
    await tidyVectors(root, { ...limits, bytes: 70, quietSince: Date.now() + 1000 });
    assert.deepEqual(await read(['one', 'two']), [undefined, [1, 2]]);
    await tidyVectors(path.join(root, 'no such folder'), limits);
  });

  it('are ignored in a foreign file', async () => {
    await mkdir(folder);
    await appendFile(path.join(folder, 'x.vec'), Buffer.alloc(200));
    assert.deepEqual([...recordsOf(await readFile(path.join(folder, 'x.vec')), () => true)], []);
  });
});

describe('vectors', () => {
  it('are normalized and compared', () => {
    const [one, other] = [toUnitVector([3, 4])!, toUnitVector([4, 3])!];
    assert.ok(Math.abs(similarityOf(one, one) - 1) < 1e-6);
    assert.ok(Math.abs(similarityOf(one, other) - 0.96) < 1e-6);
  });

  it('require a direction', () => {
    for (const numbers of [[], [0, 0], [Number.NaN, 1], [Number.POSITIVE_INFINITY]]) {
      assert.equal(toUnitVector(numbers), undefined);
    }
  });
});
