import { crc32, deflateSync } from 'node:zlib';
import type { Reply } from './loopbackService';
import { tokensOf } from './scriptedModel';

/** Returns a gray image with one bit per pixel. */
export function pictureOf(width: number, height: number, index: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([1, 0, 0, 0, 0], 8);
  const row = Buffer.alloc(1 + Math.ceil(width / 8), index % 2 === 0 ? 0xaa : 0x55);
  row[0] = 0;
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, pngPart('IHDR', head), pngPart('IDAT', pixels), pngPart('IEND', Buffer.alloc(0))]);
}

function pngPart(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

/** Returns silence: MP3 frames (128 kbit/s, 44.1 kHz, mono), or 16-bit samples at 24 kHz. */
export function speechReply({ input, response_format: asked }: Readonly<Record<string, unknown>>): Reply {
  const format = typeof asked === 'string' ? asked : 'mp3';
  const words = Math.max(8, tokensOf(String(input)).length);
  if (format === 'wav' || format === 'pcm') {
    const samples = Buffer.alloc(words * 9600);
    const bytes = format === 'wav' ? Buffer.concat([wavHead(samples.length), samples]) : samples;
    return { headers: { 'content-type': `audio/${format}` }, raw: new Uint8Array(bytes) };
  }
  const frame = Buffer.alloc(417);
  frame.set([0xff, 0xfb, 0x90, 0xc4]);
  const bytes = Buffer.concat(Array.from({ length: words * 12 }, () => frame));
  return { headers: { 'content-type': 'audio/mpeg' }, raw: new Uint8Array(bytes) };
}

function wavHead(bytes: number): Buffer {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + bytes, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(24_000, 24);
  head.writeUInt32LE(48_000, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(bytes, 40);
  return head;
}
