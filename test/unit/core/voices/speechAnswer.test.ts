import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { wavOfPcm } from '../../../../src/core/audio/wavOfPcm';
import { gatherSpeech, hearSpeech } from '../../../../src/core/voices/speechAnswer';
import type { SpeechFormat } from '../../../../src/core/voices/speechForm';

const samples = new Uint8Array(32_000).fill(7);
const wave = Buffer.from(wavOfPcm(samples, 16_000));
const fixture = (name: string) => readFileSync(`test/fixtures/audio/${name}`);

async function* chunksOf(bytes: Uint8Array, cut?: Error): AsyncGenerator<Uint8Array> {
  const shared = new Uint8Array(1000);
  for (let at = 0; at < bytes.length; at += shared.length) {
    const size = Math.min(shared.length, bytes.length - at);
    shared.set(bytes.subarray(at, at + size));
    yield shared.subarray(0, size);
  }
  if (cut) throw cut;
}

describe('a speech response', () => {
  it('is collected completely, although its chunks are overwritten', async () => {
    const counts: number[] = [];
    const { bytes, cutBy, isOver } = await gatherSpeech(chunksOf(wave), (count) => counts.push(count));
    assert.deepEqual(Buffer.from(bytes), wave);
    assert.deepEqual([cutBy, isOver, counts.at(-1)], [undefined, false, wave.length]);
  });

  it('keeps the audio received before a truncation', async () => {
    const cut = new Error('cut');
    const gathered = await gatherSpeech(chunksOf(wave.subarray(0, 5000), cut), () => {});
    assert.equal(gathered.bytes.length, 5000);
    assert.equal(gathered.cutBy, cut);
  });

  it('ends if it exceeds the limit', async () => {
    const gathered = await gatherSpeech(chunksOf(wave), () => {}, 4500);
    assert.deepEqual([gathered.bytes.length, gathered.isOver], [4000, true]);
  });

  const heard = async (bytes: Uint8Array, response_format?: SpeechFormat) => {
    const found = await hearSpeech(bytes, {
      response_format,
      sample_rate: response_format === 'pcm' ? 16_000 : undefined,
    });
    return found.kind === 'speech' ? Math.round((found.seconds ?? -1) * 10) / 10 : found.why;
  };

  it('is playable with the duration of the received audio', async () => {
    assert.equal(await heard(wave, 'wav'), 1);
    assert.equal(await heard(samples, 'pcm'), 1);
    // By chance an icon's first bytes.
    const quiet = Uint8Array.from([0, 0, 1, 0, ...samples.subarray(4)]);
    assert.equal(await heard(quiet, 'pcm'), 1);
    assert.equal(await heard(fixture('nine.mp3')), 9.1);
    assert.equal(await heard(fixture('nine.opus'), 'opus'), 9);
    assert.equal(await heard(fixture('tone.flac')), -1);
  });

  it('is partly playable, whatever its header states', async () => {
    assert.equal(await heard(wave.subarray(0, 44 + 16_000), 'wav'), 0.5);
    const endless = Buffer.from(wave);
    endless.writeUInt32LE(0xffff_ffff, 40);
    assert.equal(await heard(endless), 1);
    const mp3 = fixture('nine.mp3');
    const part = await heard(mp3.subarray(0, mp3.length / 2), 'mp3');
    assert.ok(typeof part === 'number' && part > 3 && part < 6, String(part));
  });

  it('is rejected if it is a page, an error, an image, empty, or only a header', async () => {
    const page = Buffer.from('<!doctype html><html><body>Bad gateway</body></html>');
    for (const format of [undefined, 'mp3', 'pcm'] as const) {
      assert.equal(await heard(page, format), 'html');
      assert.equal(await heard(Buffer.from('{"code":20015,"message":"no"}'), format), 'text');
      assert.equal(await heard(new Uint8Array(0), format), 'empty');
    }
    assert.equal(await heard(wave.subarray(0, 44), 'wav'), 'noSound');
    assert.equal(await heard(samples, 'mp3'), 'notAudio');
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    assert.equal(await heard(png, 'wav'), 'image');
  });
});
