import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { copyAtomic, openAtomic, writeAtomic, writeAtomically } from '../../../../src/core/storage/atomicFile';
import { exists } from '../../../../src/core/storage/privateFiles';
import { mountSmallDisk } from '../../../support/fullDisk';
import type { SmallDisk } from '../../../support/fullDisk';
import { setUpFolder } from '../../../support/temporaryFolder';

describe('a file that is replaced atomically', () => {
  const folder = setUpFolder();
  const read = (name: string) => readFile(folder.in(name), 'utf8');

  it('is there under its name, in a folder that is made', async () => {
    await writeFile(folder.in('a'), 'one');
    await copyAtomic(folder.in('a'), folder.in('x/y/b'), { replace: false });
    await writeAtomic(folder.in('x/y/c'), 'two');
    deepEqual([await read('x/y/b'), await read('x/y/c')], ['one', 'two']);
    deepEqual((await readdir(folder.in('x/y'))).toSorted(), ['b', 'c']);
  });

  it('replaces what is there only where that is wanted', async () => {
    await writeFile(folder.in('a'), 'new');
    await writeFile(folder.in('b'), 'old');
    await rejects(copyAtomic(folder.in('a'), folder.in('b'), { replace: false }), { code: 'EEXIST' });
    equal(await read('b'), 'old');
    await copyAtomic(folder.in('a'), folder.in('b'), { replace: true });
    equal(await read('b'), 'new');
  });

  it('leaves nothing behind where it fails, and what stood there before', async () => {
    await writeFile(folder.in('b'), 'old');
    await rejects(copyAtomic(folder.in('gone'), folder.in('b')), { code: 'ENOENT' });
    await mkdir(folder.in('d/full'), { recursive: true });
    await rejects(writeAtomic(folder.in('d'), 'text'));
    const stop = async () => {
      throw new Error('stopped');
    };
    await rejects(writeAtomically(folder.in('b'), {}, stop), /stopped/);
    deepEqual([await read('b'), (await readdir(folder.path())).toSorted()], ['old', ['b', 'd']]);
    equal(await exists(folder.in('b/below')), false);
  });

  it('is not there before it is placed, and then whole, however it was written', async () => {
    const file = await openAtomic(folder.in('rows'), { isPrivate: false });
    const line = Buffer.from('x'.repeat(700_000));
    for (let number = 0; number < 4; number++) await file.line(line);
    await file.write(Buffer.from('end'));
    equal(await exists(folder.in('rows')), false);
    await file.place();
    await file.discard();
    deepEqual([file.lines, file.bytes, (await stat(folder.in('rows'))).size], [4, 2_800_007, 2_800_007]);
    deepEqual(await readdir(folder.path()), ['rows']);
  });

  it('has the mode it is given, whatever the umask, and one of a copy is not that of the original', async function () {
    if (process.platform === 'win32') this.skip();
    const modeOf = async (name: string) => (await stat(folder.in(name))).mode & 0o777;
    await writeAtomic(folder.in('a'), 'a', { mode: 0o664, isPrivate: false });
    await chmod(folder.in('a'), 0o444);
    await copyAtomic(folder.in('a'), folder.in('b'));
    await writeAtomic(folder.in('c'), 'a', { mode: 0o666, isPrivate: false });
    deepEqual(await Promise.all(['a', 'b', 'c'].map(modeOf)), [0o444, 0o600, 0o666]);
  });

  it('takes along what a killed process left in the folder, once that is an hour old, and nothing else', async () => {
    const [old, recent, other] = [`a.json.${randomUUID()}.tmp`, `${randomUUID()}.tmp`, 'mine.tmp'];
    const before = new Date(Date.now() - 2 * 60 * 60_000);
    for (const name of [old, recent, other]) await writeFile(folder.in(name), 'x');
    for (const name of [old, other]) await utimes(folder.in(name), before, before);
    // A person's folder is not searched.
    await writeAtomic(folder.in('chosen'), 'text', { isPrivate: false });
    ok(await exists(folder.in(old)));
    await writeAtomic(folder.in('own'), 'text');
    deepEqual((await readdir(folder.path())).toSorted(), ['chosen', 'mine.tmp', 'own', recent].toSorted());
  });

  describe('on a disk that is full', () => {
    let disk: SmallDisk | undefined;
    before(async function () {
      disk = await mountSmallDisk();
      if (!disk) this.skip();
    });
    after(() => disk?.remove());

    it('stays as it was, and nothing is left beside it', async () => {
      const file = `${disk!.folder}/a`;
      await writeAtomic(file, 'old');
      await disk!.fill(20_000);
      await rejects(writeAtomic(file, 'x'.repeat(40_000)), { code: 'ENOSPC' });
      equal(await readFile(file, 'utf8'), 'old');
      deepEqual(await readdir(disk!.folder), ['a']);
    });
  });
});
