import assert from 'node:assert/strict';
import { readdir, readFile, utimes } from 'node:fs/promises';
import path from 'node:path';
import { createSampleStore } from '../../../../src/features/voiceUpload/logic/sampleStore';
import { setUpFolder } from '../../../support/temporaryFolder';

const bytes = Uint8Array.of(1, 2, 3);

describe('the copies of voice samples', () => {
  const folder = setUpFolder();

  it('are found by their ID with the same bytes, until they are removed', async () => {
    const store = createSampleStore(folder.in('samples'));
    const saved = await store.keep(bytes, 'anna.mp3');
    assert.equal(path.basename(saved.path), 'anna.mp3');
    assert.deepEqual(new Uint8Array(await readFile(saved.path)), bytes);
    const found = await createSampleStore(folder.in('samples')).find(saved.id);
    assert.deepEqual([found?.saved.path, found && new Uint8Array(found.bytes)], [saved.path, bytes]);
    await store.remove(saved.id);
    assert.equal(await store.find(saved.id), undefined);
    assert.deepEqual(await readdir(folder.in('samples')), []);
  });

  it('stay in their folder whatever the name of a file or an ID', async () => {
    const store = createSampleStore(folder.in('samples'));
    for (const name of ['../../x.wav', '..', 'a\u0000b\n.mp3', `${'长'.repeat(300)}.opus`, '.pcm', 'a:b"c.ogg']) {
      const saved = await store.keep(bytes, name);
      assert.ok(saved.path.startsWith(`${folder.in('samples')}${path.sep}${saved.id}${path.sep}`), name);
      assert.ok(await store.find(saved.id), name);
    }
    for (const id of ['', '..', '../..', '/etc', 'x']) assert.equal(await store.find(id), undefined, id);
    await store.remove('');
    await store.remove('..');
    assert.equal((await readdir(folder.in('samples'))).length, 6);
  });

  it('are removed after a month', async () => {
    const store = createSampleStore(folder.in('samples'));
    const [old, fresh] = [await store.keep(bytes, 'a.mp3'), await store.keep(bytes, 'b.mp3')];
    const day = 24 * 60 * 60;
    await utimes(path.dirname(old.path), 1000, Date.now() / 1000 - 31 * day);
    await store.sweep(Date.now());
    assert.deepEqual(await readdir(folder.in('samples')), [fresh.id]);
  });
});
