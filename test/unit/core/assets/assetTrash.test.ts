import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createAssetTrash } from '../../../../src/core/assets/assetTrash';
import { setUpFolder } from '../../../support/temporaryFolder';

describe('the trash of generated files', () => {
  const folder = setUpFolder();
  let now = 0;
  const open = () => createAssetTrash(folder.in('deleted'), 1000, () => now);
  const write = (name: string, text: string) => {
    writeFileSync(folder.in(name), text);
    return folder.in(name);
  };
  beforeEach(() => (now = 1_700_000_000_000));

  it('restores a file with its recipe, and removes its folder', async () => {
    const files = [write('a.png', 'image'), write('a.png.recipe.json', '{}')];
    const restore = await open().put([...files, folder.in('missing.png')]);
    assert.deepEqual(
      files.map((file) => existsSync(file)),
      [false, false],
    );
    await restore();
    assert.deepEqual(
      files.map((file) => readFileSync(file, 'utf8')),
      ['image', '{}'],
    );
    assert.deepEqual(readdirSync(folder.in('deleted')), []);
  });

  it('keeps files of the same name separate', async () => {
    const trash = open();
    const first = await trash.put([write('a.png', 'first')]);
    const second = await trash.put([write('a.png', 'second')]);
    await first();
    assert.equal(readFileSync(folder.in('a.png'), 'utf8'), 'first');
    await assert.rejects(second(), { code: 'EEXIST' });
    assert.equal(readFileSync(folder.in('a.png'), 'utf8'), 'first');
  });

  it('permanently deletes only expired files', async () => {
    const trash = open();
    const old = await trash.put([write('old.png', 'old')]);
    now += 900;
    const recent = await trash.put([write('new.png', 'new')]);
    writeFileSync(folder.in('deleted/notes.txt'), 'not ours');
    now += 200;
    await trash.clear();
    await assert.rejects(old(), { code: 'ENOENT' });
    await recent();
    assert.deepEqual(readdirSync(folder.in('deleted')), ['notes.txt']);
  });
});
