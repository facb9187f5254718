import { deepEqual, equal, rejects } from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { copyAtomically, isThere, writeAtomically } from '../../../../src/core/files/copyAtomically';
import { setUpFolder } from '../../../support/temporaryFolder';

describe('a file that is copied whole', () => {
  const folder = setUpFolder();
  const read = (name: string) => readFile(folder.in(name), 'utf8');

  it('is there under its new name, in a folder that is made', async () => {
    await writeFile(folder.in('a'), 'one');
    await copyAtomically(folder.in('a'), folder.in('x/y/b'), { replace: false });
    equal(await read('x/y/b'), 'one');
    deepEqual(await readdir(folder.in('x/y')), ['b']);
  });

  it('replaces what is there only where that is wanted', async () => {
    await writeFile(folder.in('a'), 'new');
    await writeFile(folder.in('b'), 'old');
    await rejects(copyAtomically(folder.in('a'), folder.in('b'), { replace: false }), { code: 'EEXIST' });
    equal(await read('b'), 'old');
    await copyAtomically(folder.in('a'), folder.in('b'), { replace: true });
    equal(await read('b'), 'new');
  });

  it('leaves nothing behind where it fails, and what stood there before', async () => {
    await writeFile(folder.in('b'), 'old');
    await rejects(copyAtomically(folder.in('gone'), folder.in('b'), { replace: true }), { code: 'ENOENT' });
    await mkdir(folder.in('d/full'), { recursive: true });
    await rejects(writeAtomically(folder.in('d'), 'text', { replace: true }));
    deepEqual([await read('b'), (await readdir(folder.path())).toSorted()], ['old', ['b', 'd']]);
    equal(await isThere(folder.in('b/below')), false);
  });
});
