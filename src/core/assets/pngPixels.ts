import { createHash } from 'node:crypto';
import { imageSize } from 'image-size';
import { PNG } from 'pngjs';

/**
 * Whether a PNG shows exactly these pixels: `<width>x<height> <SHA-256 in Base64>` of RGBA with eight bits each, as a webview reads
 * them from a canvas. False if it is not a PNG or is damaged.
 */
export function hasPixels(png: Uint8Array, pixels: string): boolean {
  try {
    const { width, height } = imageSize(png);
    const size = `${width}x${height} `;
    // An image of another size is not decoded.
    if (!pixels.startsWith(size)) return false;
    const { data } = PNG.sync.read(Buffer.from(png.buffer, png.byteOffset, png.byteLength));
    return pixels === size + createHash('sha256').update(data).digest('base64');
  } catch {
    return false;
  }
}
