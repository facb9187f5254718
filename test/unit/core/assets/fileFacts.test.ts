import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { encode as encodeJpeg } from 'jpeg-js';
import { PNG } from 'pngjs';
import { readFileFacts } from '../../../../src/core/assets/fileFacts';
import { setUpFolder } from '../../../support/temporaryFolder';

const png = (width: number, height: number) => PNG.sync.write(new PNG({ width, height }));
const jpeg = encodeJpeg({ width: 30, height: 20, data: Buffer.alloc(30 * 20 * 4) }, 50).data;
const box = (type: string, ...content: readonly Buffer[]) => {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.reduce((bytes, part) => bytes + part.length, 0));
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, ...content]);
};
const trackHeader = (version: number, width: number, height: number) => {
  const content = Buffer.alloc(version === 1 ? 96 : 84);
  content[0] = version;
  content.writeUInt32BE(width * 65_536, content.length - 8);
  content.writeUInt32BE(height * 65_536, content.length - 4);
  return box('tkhd', content);
};
const clip = (...tracks: readonly Buffer[]) =>
  Buffer.concat([
    box('ftyp', Buffer.from('isom\0\0\0\0isom', 'latin1')),
    box('mdat', Buffer.alloc(700_000)),
    box('moov', ...tracks.map((track) => box('trak', track))),
  ]);

describe('a file identified by content', () => {
  const folder = setUpFolder();
  const facts = async (bytes: Uint8Array | string) => {
    await writeFile(folder.in('file'), bytes);
    return readFileFacts(folder.in('file'));
  };

  it('is an image with its size', async () => {
    const picture = png(40, 25);
    const expected = { contentType: 'image/png', ending: 'png', bytes: picture.length, width: 40, height: 25 };
    assert.deepEqual(await facts(picture), expected);
    const { contentType, width, height } = Object(await facts(jpeg)) as Record<string, unknown>;
    assert.deepEqual([contentType, width, height], ['image/jpeg', 30, 20]);
    const webp = Buffer.from('UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAgA0JaQAA3AA/vuUAAA=', 'base64');
    assert.deepEqual(await facts(webp), { contentType: 'image/webp', ending: 'webp', bytes: 44, width: 1, height: 1 });
  });

  it('is a video with the size of its first track that has one, wherever its index is', async () => {
    for (const [version, sound] of [
      [0, 0],
      [1, 1],
    ] as const) {
      const found = await facts(clip(trackHeader(sound, 0, 0), trackHeader(version, 1280, 720)));
      const { contentType, width, height } = Object(found) as Record<string, unknown>;
      assert.deepEqual([contentType, width, height], ['video/mp4', 1280, 720]);
    }
  });

  it('is still an image or a video if its size is unknown', async () => {
    const { width } = Object(await facts(png(40, 25).subarray(0, 20))) as { readonly width?: number };
    assert.equal(width, undefined);
    const whole = clip(trackHeader(0, 1280, 720));
    for (const end of [40, 300_000, whole.length - 90, whole.length - 3]) {
      assert.equal(Object(await facts(whole.subarray(0, end))).contentType, 'video/mp4', `${end}`);
    }
  });

  it('is markup, empty, or another type', async () => {
    for (const text of [
      '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>',
      '<?xml version="1.0"?>\n<!-- a -->\n<svg/>',
      '  \n<!DOCTYPE html><html></html>',
      '\uFEFF<html>',
      '<script>alert(1)</script>',
    ]) {
      assert.equal(await facts(text), 'markup', text);
    }
    assert.equal(await facts(Buffer.from('<svg/>', 'utf16le')), 'markup');
    assert.equal(await facts(''), 'empty');
    for (const other of ['{"code":50000}', 'Please try again.', '\0\0\0\0', '%PDF-1.7']) {
      assert.equal(await facts(other), 'other', other);
    }
  });
});
