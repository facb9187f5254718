import { createHash } from 'node:crypto';
import { inflateSync } from 'node:zlib';

/** Where the chunks begin: behind the signature. Each has its length, its type, its bytes and a checksum. */
const firstChunk = 8;
/** Signature and the whole first chunk, which says how large it is. */
const headBytes = 33;

/**
 * Whether a PNG shows exactly these pixels: `<width>x<height> <SHA-256 in Base64>` of RGBA with eight bits each, as a page reads
 * them of a canvas. Reads what Chromium writes (RGB or RGBA of eight bits, not interlaced); false for any other.
 */
export function hasPixels(png: Uint8Array, pixels: string): boolean {
  const bytes = Buffer.from(png.buffer, png.byteOffset, png.byteLength);
  if (bytes.length < headBytes || bytes.toString('latin1', 12, 16) !== 'IHDR') return false;
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const [depth, color, , , interlace] = bytes.subarray(24);
  const size = `${width}x${height} `;
  // Pictures of another size are not decoded.
  if (!pixels.startsWith(size) || depth !== 8 || interlace !== 0 || (color !== 2 && color !== 6)) return false;
  try {
    return pixels === size + hashOf(bytes, { width, height, channels: color === 2 ? 3 : 4 });
  } catch {
    // It is cut short or damaged.
    return false;
  }
}

function hashOf(
  png: Buffer,
  { width, height, channels }: { readonly width: number; readonly height: number; readonly channels: 3 | 4 },
): string {
  const length = width * channels;
  const rows = inflateSync(Buffer.concat(dataOf(png)), { maxOutputLength: (length + 1) * height });
  const hash = createHash('sha256');
  const pixels = Buffer.alloc(width * 4, 255);
  let above: Uint8Array = Buffer.alloc(length);
  for (let y = 0; y < height; y++) {
    const start = y * (length + 1) + 1;
    const row = rows.subarray(start, start + length);
    unfilter(rows[start - 1] ?? 0, row, above, channels);
    for (let x = 0; x < width; x++)
      for (let channel = 0; channel < channels; channel++) pixels[x * 4 + channel] = row[x * channels + channel]!;
    hash.update(pixels);
    above = row;
  }
  return hash.digest('base64');
}

function dataOf(png: Buffer): readonly Buffer[] {
  const data: Buffer[] = [];
  for (let at = firstChunk; at + 12 <= png.length;) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') data.push(png.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  return data;
}

/** In place. https://www.w3.org/TR/png-3/#9Filters */
function unfilter(filter: number, row: Uint8Array, above: Uint8Array, channels: number): void {
  for (let at = 0; at < row.length; at++) {
    const left = at < channels ? 0 : row[at - channels]!;
    const up = above[at]!;
    const corner = at < channels ? 0 : above[at - channels]!;
    row[at] = row[at]! + guessOf(filter, left, up, corner);
  }
}

function guessOf(filter: number, left: number, up: number, corner: number): number {
  if (filter < 3) return filter === 0 ? 0 : filter === 1 ? left : up;
  if (filter === 3) return (left + up) >> 1;
  const [toLeft, toUp, toCorner] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}
