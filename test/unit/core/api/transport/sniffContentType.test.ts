import assert from 'node:assert/strict';
import { sniffContentType } from '../../../../../src/core/api/transport/download';

const bytes = (...parts: readonly (string | readonly number[])[]) =>
  Buffer.concat([
    ...parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
    Buffer.alloc(64),
  ]);

const binary: Readonly<Record<string, Buffer>> = {
  'image/png': bytes(
    [0x89],
    'PNG\r\n',
    [0x1a, 0x0a, 0, 0, 0, 13],
    'IHDR',
    [0, 0, 0, 1, 0, 0, 0, 1, 8, 6, 0, 0, 0, 0, 0, 0, 0],
    [0, 0, 0, 0],
    'IDAT',
  ),
  'image/jpeg': bytes([0xff, 0xd8, 0xff, 0xe0, 0, 16], 'JFIF'),
  'image/gif': bytes('GIF89a'),
  'image/webp': bytes('RIFF', [0, 0, 0, 0], 'WEBPVP8 '),
  'video/mp4': bytes([0, 0, 0, 24], 'ftypisom', [0, 0, 2, 0], 'isomiso2'),
  'video/webm': bytes(
    [
      0x1a, 0x45, 0xdf, 0xa3, 0x9f, 0x42, 0x86, 0x81, 1, 0x42, 0xf7, 0x81, 1, 0x42, 0xf2, 0x81, 4, 0x42, 0xf3, 0x81, 8,
      0x42, 0x82, 0x84,
    ],
    'webm',
  ),
  'audio/wav': bytes('RIFF', [36, 0, 0, 0], 'WAVEfmt '),
  'audio/mpeg': bytes([0xff, 0xfb, 0x90, 0x64]),
  'audio/ogg': bytes('OggS', [0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 30, 1], 'vorbis'),
  'audio/flac': bytes('fLaC'),
};

const text: Readonly<Record<string, readonly (readonly [string, string | undefined])[]>> = {
  'application/json': [
    ['{"a":1}', 'text/plain'],
    [' [1,\n2]', undefined],
    ['{\n"a": 1\n}', undefined],
  ],
  'application/jsonl': [['{"custom_id":"1"}\n{"custom_id":"2"}\n', 'application/octet-stream']],
  'text/html': [
    ['<!DOCTYPE html><html>', 'image/png'],
    ['\n<html lang="en">', undefined],
    ['\u{FEFF}<!-- x --><HTML>', 'application/json'],
  ],
  'image/svg+xml': [
    ['<svg xmlns="http://www.w3.org/2000/svg">', undefined],
    ['<?xml version="1.0"?>\n<svg>', 'text/xml'],
  ],
  'text/csv': [['a,b\n1,2', 'text/csv; charset=utf-8']],
  'text/plain': [['just wörds', undefined]],
};

describe('the type of a result', () => {
  for (const [type, head] of Object.entries(binary)) {
    it(`detects ${type} by its first bytes, whatever the server says`, async () => {
      assert.equal(await sniffContentType(head, 'text/html'), type);
    });
  }
  for (const [type, cases] of Object.entries(text)) {
    it(`detects ${type}`, async () => {
      for (const [content, declared] of cases)
        assert.equal(await sniffContentType(Buffer.from(content), declared), type);
    });
  }
  it("uses the server's type for unknown bytes, or a default", async () => {
    const noise = Buffer.from([0, 1, 2, 3, 0xfe, 0xff]);
    assert.equal(await sniffContentType(noise, 'Model/X; a=1'), 'model/x');
    assert.equal(await sniffContentType(noise, undefined), 'application/octet-stream');
    assert.equal(await sniffContentType(Buffer.alloc(0), undefined), 'text/plain');
  });
});
