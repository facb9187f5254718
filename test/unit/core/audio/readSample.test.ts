import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { mostSampleBytes, readSample } from '../../../../src/core/audio/readSample';
import type { SampleFacts } from '../../../../src/core/audio/sampleFacts';
import { wavOfPcm } from '../../../../src/core/audio/wavOfPcm';
import { synthesise } from '../../../../src/demo/audio/synthesise';
import { wavOf } from '../../../../src/demo/audio/wav';

const fixture = (name: string) => readFile(`test/fixtures/audio/${name}`);
const read = (bytes: Uint8Array, name = 'sample.mp3') => readSample({ bytes, name });
const text = (words: string) => new TextEncoder().encode(words);

async function factsOf(bytes: Uint8Array, name?: string): Promise<SampleFacts> {
  const reading = await read(bytes, name);
  assert.equal(reading.kind, 'sample', JSON.stringify(reading));
  return reading.kind === 'sample' ? reading.facts : assert.fail();
}

async function refusal(bytes: Uint8Array, name?: string): Promise<string> {
  const reading = await read(bytes, name);
  return reading.kind === 'refused' ? reading.why : `taken: ${reading.facts.codec}`;
}

describe('reading a voice sample', () => {
  it('detects the properties of MP3, also without a summary header', async () => {
    const { seconds, bitsPerSecond, ...facts } = await factsOf(await fixture('tone192.mp3'));
    assert.deepEqual(facts, { format: 'mp3', codec: 'mp3', bytes: 30_112, sampleRate: 44_100, channels: 1 });
    assert.ok(Math.abs((seconds ?? 0) - 1.2) < 0.06, String(seconds));
    assert.equal(Math.round((bitsPerSecond ?? 0) / 1000), 192);
    const plain = await factsOf(await fixture('nine.mp3'));
    assert.ok(Math.abs((plain.seconds ?? 0) - 9) < 0.1, String(plain.seconds));
    assert.equal((await factsOf(await fixture('stereo48.mp3'))).channels, 2);
  });

  it('detects the properties of WAV', async () => {
    const samples = synthesise({ text: 'Hello there.', voice: 'a', sampleRate: 24_000, speed: 1, gain: 0 });
    const facts = await factsOf(wavOf(samples, 24_000, 'Hello there.'), 'x.wav');
    assert.equal(facts.format, 'wav');
    assert.equal(facts.codec, 'pcm-s16');
    assert.deepEqual([facts.sampleRate, facts.channels, facts.bitsPerSecond], [24_000, 1, 384_000]);
    assert.ok(Math.abs((facts.seconds ?? 0) - samples.length / 24_000) < 1e-6);
  });

  it('detects the properties of Ogg, with or without Opus', async () => {
    const opus = await factsOf(await fixture('nine.opus'), 'x.opus');
    assert.deepEqual([opus.format, opus.codec, opus.channels], ['opus', 'opus', 1]);
    assert.ok(Math.abs((opus.seconds ?? 0) - 9) < 0.05, String(opus.seconds));
    const vorbis = await factsOf(await fixture('vorbis.ogg'), 'x.ogg');
    assert.deepEqual([vorbis.format, vorbis.codec, vorbis.sampleRate], ['ogg', 'vorbis', 16_000]);
  });

  it('uses the content, not the extension', async () => {
    assert.equal((await factsOf(await fixture('nine.opus'), 'x.mp3')).format, 'opus');
    assert.equal((await factsOf(await fixture('tone192.mp3'), 'x.pcm')).format, 'mp3');
    assert.equal((await factsOf(await fixture('nine.opus'), 'x.pcm')).format, 'opus');
  });

  it('recognizes raw samples by extension, and derives their length from the rate', async () => {
    const bytes = new Uint8Array(synthesise({ text: 'aeiou', voice: 'a', sampleRate: 8000, speed: 1, gain: 0 }).buffer);
    assert.deepEqual(await factsOf(bytes, 'x.PCM'), { format: 'pcm', codec: 'pcm-s16', bytes: bytes.length });
    const reading = await readSample({ bytes, name: 'x.pcm', pcmRate: 8000 });
    assert.equal(reading.kind === 'sample' && reading.facts.seconds, bytes.length / 16_000);
    assert.equal(await refusal(bytes, 'x.wav'), 'notAudio');
    const wav = await factsOf(wavOfPcm(bytes, 8000), 'x.wav');
    assert.deepEqual([wav.seconds, wav.sampleRate, wav.channels], [bytes.length / 16_000, 8000, 1]);
  });

  it("isn't misled by raw samples that begin like an MP3 frame", async () => {
    const bytes = new Uint8Array(4000).fill(0xff);
    bytes[1] = 0xfb;
    bytes[2] = 0x90;
    assert.equal((await factsOf(bytes, 'x.pcm')).format, 'pcm');
  });

  it("rejects content that isn't audio, and names its type", async () => {
    assert.equal(await refusal(new Uint8Array()), 'empty');
    assert.equal(await refusal(text('<!DOCTYPE html><html><body>Sign in')), 'html');
    assert.equal(await refusal(text('\n <!-- x --><HTML lang="en">')), 'html');
    assert.equal(await refusal(text('{"error":"你好"}')), 'text');
    assert.equal(await refusal(text('only words'), 'x.pcm'), 'text');
    assert.equal(await refusal(await readFile('media/icon.png')), 'image');
    assert.equal(await refusal(await fixture('film.ogv')), 'video');
    assert.equal(await refusal(await fixture('tone.flac')), 'otherAudio');
    assert.equal(await refusal(text('%PDF-1.7\n%\u0001\u0002')), 'notAudio');
    assert.equal(await refusal(Uint8Array.from({ length: 4000 }, (_, at) => (at * 131 + 7) % 251)), 'notAudio');
    assert.equal(await refusal(new Uint8Array(mostSampleBytes + 1)), 'tooLarge');
  });

  it('rejects truncated content and unknown encodings', async () => {
    const opus = await fixture('nine.opus');
    for (const end of [100, 4000]) assert.equal(await refusal(opus.subarray(0, end)), 'damaged', String(end));
    assert.equal(await refusal(await fixture('adpcm.wav')), 'damaged');
  });

  it('accepts any part of a file without throwing', async () => {
    for (const name of ['tone192.mp3', 'nine.opus', 'vorbis.ogg', 'adpcm.wav']) {
      const bytes = await fixture(name);
      for (let end = 1; end < bytes.length; end = Math.ceil(end * 1.7)) {
        const reading = await read(bytes.subarray(0, end));
        if (reading.kind === 'sample') assert.ok((reading.facts.seconds ?? -1) >= 0, `${name} to ${end}`);
      }
    }
  });
});
