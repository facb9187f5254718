import assert from 'node:assert/strict';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { PNG } from 'pngjs';
import { MissingInput, createInputs, largestInput } from '../../../../src/core/assets/inputs';
import { setUpFolder } from '../../../support/temporaryFolder';

const bytes = PNG.sync.write(new PNG({ width: 4, height: 3 }));

describe('an input image', () => {
  const folder = setUpFolder();
  const inputs = () => createInputs(folder.in('inputs'));

  it('is stored once by its content, and inserted into a request when it is sent', async () => {
    await writeFile(folder.in('named.jpg'), bytes);
    const saved = await inputs().keep({ path: folder.in('named.jpg') });
    assert.deepEqual(await inputs().keep({ bytes }), saved);
    assert.ok(typeof saved === 'object');
    assert.deepEqual([saved.contentType, saved.width, saved.height, saved.ending], ['image/png', 4, 3, 'png']);
    assert.deepEqual(await readdir(folder.in('inputs')), [saved.ref.slice('input:'.length)]);
    const order = {
      kind: 'image',
      request: { model: 'm', prompt: saved.ref, image: saved.ref, image2: 'https://x/y' },
    };
    const sent = await inputs().expandImages(order);
    const data = `data:image/png;base64,${bytes.toString('base64')}`;
    assert.deepEqual(sent.request, { model: 'm', prompt: saved.ref, image: data, image2: 'https://x/y' });
  });

  it("is rejected by its content if the service doesn't support it", async () => {
    for (const [content, fault] of [
      ['', 'empty'],
      ['<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>', 'markup'],
      ['<!doctype html><p>', 'markup'],
      ['GIF89a\u0001\0\u0001\0', 'notPicture'],
      ['a text', 'notPicture'],
    ] as const) {
      assert.equal(await inputs().keep({ bytes: Buffer.from(content) }), fault, content);
    }
    assert.equal(await inputs().keep({ bytes: Buffer.alloc(largestInput + 1) }), 'tooLarge');
    await writeFile(folder.in('large.png'), Buffer.concat([bytes, Buffer.alloc(largestInput)]));
    assert.equal(await inputs().keep({ path: folder.in('large.png') }), 'tooLarge');
    await assert.rejects(inputs().keep({ path: folder.in('nowhere.png') }), { code: 'ENOENT' });
    assert.deepEqual(await readdir(folder.in('inputs')).catch(() => []), []);
  });

  it("is reported as missing if it isn't stored, and no name leads out of the folder", async () => {
    const saved = await inputs().keep({ bytes });
    assert.ok(typeof saved === 'object');
    await writeFile(folder.in(`${'a'.repeat(64)}.png`), bytes);
    for (const ref of [`input:../${'a'.repeat(64)}.png`, 'input:', 'input:..', saved.path, `${saved.ref}/../x`]) {
      assert.equal(await inputs().find(ref), undefined, ref);
    }
    await rm(saved.path);
    const order = { kind: 'image', request: { model: 'm', prompt: 'p', image: saved.ref } };
    await assert.rejects(inputs().expandImages(order), MissingInput);
  });
});
