import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { PNG } from 'pngjs';
import { hasPixels } from '../../../../src/core/assets/pngPixels';

const [width, height] = [37, 23];

describe('the pixels of a PNG', () => {
  const picture = (isOpaque: boolean): Buffer =>
    Buffer.from(
      Array.from({ length: width * height * 4 }, (_, at) => {
        if (at % 4 === 3) return isOpaque ? 255 : (at * 7) % 256;
        return (at * at * 31 + (at >> 5) * 17) % 256;
      }),
    );
  const nameOf = (data: Buffer) => `${width}x${height} ${createHash('sha256').update(data).digest('base64')}`;
  const encode = (data: Buffer, options: object) =>
    PNG.sync.write(Object.assign(new PNG({ width, height }), { data }), options);

  it('are decoded with and without transparency', () => {
    const [opaque, clear] = [picture(true), picture(false)];
    assert.ok(hasPixels(encode(opaque, { colorType: 2 }), nameOf(opaque)));
    assert.ok(hasPixels(encode(clear, { colorType: 6 }), nameOf(clear)));
  });

  it('differ from those of an image with one other pixel, another size, truncated data, or another type', () => {
    const data = picture(true);
    const png = encode(data, {});
    const other = Buffer.from(data);
    other[400]! ^= 1;
    assert.ok(hasPixels(png, nameOf(data)));
    assert.ok(!hasPixels(png, nameOf(other)));
    assert.ok(!hasPixels(png, nameOf(data).replace('37x23', '23x37')));
    assert.ok(!hasPixels(png.subarray(0, png.length / 2), nameOf(data)));
    assert.ok(!hasPixels(Buffer.from('GIF89a'), nameOf(data)));
    assert.ok(!hasPixels(new Uint8Array(), nameOf(data)));
  });
});
