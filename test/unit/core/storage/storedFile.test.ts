import { deepEqual, equal, match, rejects } from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createJsonFile, renamed } from '../../../../src/core/storage/storedFile';

const numbers = (raw: unknown) =>
  Array.isArray(raw) && raw.every((item) => typeof item === 'number') ? raw : undefined;

describe('a JSON file', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'json-file-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('returns what was written, in a folder that it creates', async () => {
    const path = join(folder, 'deep', 'a.json');
    await createJsonFile(path, numbers).write([1, 2]);
    deepEqual(await createJsonFile(path, numbers).read(), [1, 2]);
  });

  it('is undefined if it is missing, truncated, or has another format', async () => {
    const path = join(folder, 'a.json');
    const file = createJsonFile(path, numbers);
    equal(await file.read(), undefined);
    await writeFile(path, '[1, 2');
    equal(await file.read(), undefined);
    await writeFile(path, '["one"]');
    equal(await file.read(), undefined);
  });

  it('is renamed once if it is unreadable, and starts over', async () => {
    const path = join(folder, 'a.json');
    const reported: (readonly [string, string])[] = [];
    const file = createJsonFile(path, numbers, (from, aside) => reported.push([from, aside]));
    await writeFile(path, '[1, 2');
    deepEqual([await file.read(), await file.read()], [undefined, undefined]);
    equal(reported.length, 1);
    await file.write([3]);
    deepEqual(await file.read(), [3]);
    equal(reported.length, 1);
    const [[from, aside] = ['', '']] = reported;
    equal(from, path);
    match(basename(aside), /^a\.json\.unreadable-[\dTZ-]+$/);
    equal(await readFile(aside, 'utf8'), '[1, 2');
  });

  it('is renamed before it is overwritten or removed without having been read, only if it is unreadable', async () => {
    const path = join(folder, 'a.json');
    const asides: string[] = [];
    const file = createJsonFile(path, numbers, (_, aside) => asides.push(aside));
    const isMoved = async (text: string, work: () => Promise<void>) => {
      await writeFile(path, text);
      await work();
      const [aside] = asides.splice(0);
      return aside !== undefined && (await readFile(aside, 'utf8')) === text;
    };
    const moved: Readonly<Record<string, boolean>> = { '': false, '[1]\n': false, '[1, 2': true, '["a"]': true };
    for (const [text, expected] of Object.entries(moved)) {
      equal(await isMoved(text, () => file.write([4])), expected, `written over ${text}`);
      deepEqual(await file.read(), [4]);
      equal(await isMoved(text, () => file.remove()), expected, `removed ${text}`);
      equal(await file.read(), undefined);
    }
    await mkdir(path);
    await file.write([5]);
    deepEqual([await file.read(), asides.length], [[5], 1]);
  });

  it('has properties under the names of this version', () => {
    deepEqual(renamed({ a: 1, b: 2 }, 'a', 'c'), { c: 1, b: 2 });
    for (const other of [null, undefined, 'text', 7, {}, { b: 2 }]) equal(renamed(other, 'a', 'c'), other);
  });

  it('ends with the last of several writes, without temporary files', async () => {
    const file = createJsonFile(join(folder, 'a.json'), numbers);
    await Promise.all([file.write([1]), file.write([2]), file.write([3])]);
    deepEqual(await file.read(), [3]);
    deepEqual(await readdir(folder), ['a.json']);
  });

  it('keeps the old content, reports the error, and continues after a failed write', async () => {
    const file = createJsonFile<unknown>(join(folder, 'a.json'), (raw) => raw);
    await file.write([1]);
    await rejects(file.write({ toJSON: () => BigInt(1) }));
    deepEqual(await file.read(), [1]);
    await file.write([2]);
    deepEqual(await file.read(), [2]);
    deepEqual(await readdir(folder), ['a.json']);
  });
});
