import assert from 'node:assert/strict';
import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';
import { readSample } from '../../../src/core/audio/readSample';
import { synthesise } from '../../../src/demo/audio/synthesise';
import { readWav } from '../../../src/demo/audio/wav';
import { paces } from '../../../src/demo/pace';
import { type TestDemo, until, withDemo } from './demoService';
import { runs } from '../../support/runs';

const imageModel = 'black-forest-labs/FLUX.2-pro';
const videoModel = 'Wan-AI/Wan2.2-T2V-A14B';
const download = async (url: unknown) => Buffer.from(await (await fetch(String(url))).arrayBuffer());
const draw = async (demo: TestDemo, more: object) => {
  const { body } = await demo.post('/images/generations', {
    model: imageModel,
    prompt: 'a harbour at dawn',
    seed: 1,
    ...more,
  });
  return download(body['images']?.['0']?.['url']);
};

/** The boxes of an MP4 file by name; containers are looked into. */
function boxesOf(file: Buffer, from = 0, to = file.length): Map<string, Buffer> {
  const boxes = new Map<string, Buffer>();
  for (let at = from; at + 8 <= to;) {
    const [size, name] = [file.readUInt32BE(at), file.toString('latin1', at + 4, at + 8)];
    if (size < 8) break;
    boxes.set(name, file.subarray(at + 8, at + size));
    if (['moov', 'trak', 'mdia', 'minf', 'stbl'].includes(name))
      for (const [inner, body] of boxesOf(file, at + 8, at + size)) boxes.set(inner, body);
    at += size;
  }
  return boxes;
}

/** The bits of sound in each frame of a mono MP3 at 32 kbit/s with a tag before it. No frame may need another. */
function framesOf(file: Buffer): readonly number[] {
  const frames: number[] = [];
  let at = 10 + file.subarray(6, 10).reduce((sum, byte) => sum * 128 + byte, 0);
  while (at < file.length) {
    assert.equal(file.readUInt16BE(at), 0xff_fb);
    const flags = file.readUInt8(at + 2);
    const size = Math.floor((144 * 32_000) / (flags & 8 ? 32_000 : 44_100)) + ((flags >> 1) & 1);
    const side = BigInt(`0x${file.subarray(at + 4, at + 21).toString('hex')}`);
    assert.equal(side >> 127n, 0n);
    const bits = Number(((side >> 106n) & 0xf_ffn) + ((side >> 47n) & 0xf_ffn));
    assert.ok(21 + bits / 8 <= size);
    frames.push(bits);
    at += size;
  }
  assert.equal(at, file.length);
  return frames;
}

async function makeVideo(demo: TestDemo, more: object = {}) {
  const { body } = await demo.post('/video/submit', {
    model: videoModel,
    prompt: 'a lake at night',
    image_size: '960x960',
    seed: 5,
    ...more,
  });
  const requestId = body['requestId'];
  const done = await until(
    () => demo.post('/video/status', { requestId }),
    (answer) => ['Succeed', 'Failed'].includes(String(answer.body['status'])),
  );
  return { requestId, done };
}

describe('demo service: images, videos, and audio', function () {
  this.timeout(60_000);
  const listeners = () => ['uncaughtException', 'unhandledRejection'].map((event) => process.listenerCount(event));
  let untouched: readonly number[] = [];
  // Before the first clip of this file: the encoder adds its own once, when it loads.
  before(() => {
    untouched = listeners();
  });

  it('draws a PNG or JPEG that decodes to the requested size', () =>
    withDemo(async (demo) => {
      const sizes = ['512x512', '768x1024', '1024x768', '576x1024', '1024x576'];
      for (const [at, size] of sizes.entries()) {
        for (const format of runs([['png', 'jpeg'][at % 2]], ['png', 'jpeg'])) {
          const bytes = await draw(demo, { image_size: size, output_format: format });
          const { width, height } = format === 'png' ? PNG.sync.read(bytes) : jpeg.decode(bytes);
          assert.equal(`${width}x${height}`, size, format);
        }
      }
    }));

  it('draws the same image for the same prompt and seed, and a visibly different one for another', () =>
    withDemo(async (demo) => {
      const first = await draw(demo, {});
      assert.ok(first.equals(await draw(demo, {})));
      const pixels = PNG.sync.read(first).data;
      for (const more of [{ seed: 9_999_999_999 }, { prompt: 'a desert at noon' }, { prompt: '一座夜晚的城市' }]) {
        const other = PNG.sync.read(await draw(demo, more)).data;
        const changed =
          pixels.filter((value, index) => Math.abs(value - (other[index] ?? 0)) > 8).length / pixels.length;
        assert.ok(changed > 0.2, `${JSON.stringify(more)}: ${changed}`);
      }
    }));

  it('chooses a random seed if none is sent, and reports it', () =>
    withDemo(async (demo) => {
      const { body } = await demo.post('/images/generations', { model: imageModel, prompt: 'x' });
      assert.ok(Number(body['seed']) >= 0 && Number(body['seed']) <= 9_999_999_999);
    }));

  it('rejects other sizes, seeds, and formats', () =>
    withDemo(async (demo) => {
      for (const more of [
        { image_size: '640x480' },
        { seed: 10_000_000_000 },
        { seed: -1 },
        { output_format: 'webp' },
        { prompt: undefined },
        { quality: 'hd' },
      ]) {
        const { status, body } = await demo.post('/images/generations', { model: imageModel, prompt: 'x', ...more });
        assert.deepEqual([status, body['code']], [400, 20015], JSON.stringify(more));
      }
    }));

  it('accepts only the parameters of each model', () =>
    withDemo(async (demo) => {
      const code = async (more: object) =>
        (await demo.post('/images/generations', { model: imageModel, prompt: 'x', ...more })).body['code'];
      const flux = { input_image: 'https://x/y.png', prompt_upsampling: true, safety_tolerance: 2 };
      assert.equal(await code(flux), undefined);
      assert.equal(await code({ safety_tolerance: 7 }), 20015);
      for (const [name, value] of Object.entries(flux))
        assert.equal(await code({ model: 'Qwen/Qwen-Image', [name]: value }), 20015, name);
      assert.equal(await code({ model: 'Qwen/Qwen-Image', cfg: 4, image_size: '1328x1328' }), undefined);
      assert.equal(await code({ cfg: 4 }), 20015);
    }));

  it("returns URLs without a key that expire after an hour, or immediately on request, and can't be forged", async () => {
    let now = Date.UTC(2026, 0, 1);
    await withDemo(
      async (demo) => {
        const { body } = await demo.post('/images/generations', { model: imageModel, prompt: 'x' });
        const url = String(body['images']?.['0']?.['url']);
        assert.equal((await fetch(url)).status, 200);
        assert.equal((await fetch(url.replace(/signature=./, 'signature=x'))).status, 403);
        now += 3_601_000;
        const expired = await fetch(url);
        assert.equal(expired.status, 403);
        assert.match(await expired.text(), /Request has expired/);
        const fresh = String(
          (await demo.post('/images/generations', { model: imageModel, prompt: 'x' })).body['images']?.['0']?.['url'],
        );
        await demo.control('expireUrls', {});
        assert.equal((await fetch(fresh)).status, 403);
      },
      { clock: () => now },
    );
  });

  it('generates an H.264 video of each size, longer than a second at the usual speed', () =>
    withDemo(async (demo) => {
      for (const size of ['1280x720', '720x1280', '960x960']) {
        const isUsual = runs(size === '960x960', true);
        const { clipFrames } = isUsual ? paces.reading : paces.instant;
        await demo.control('pace', { pace: { clipFrames } });
        const { done } = await makeVideo(demo, { image_size: size });
        const boxes = boxesOf(await download(done.body['results']?.['videos']?.['0']?.['url']));
        const [header = Buffer.alloc(0), samples = Buffer.alloc(0), movie = Buffer.alloc(0)] = [
          'tkhd',
          'stsd',
          'mvhd',
        ].map((name) => boxes.get(name));
        assert.equal(`${header.readUInt16BE(header.length - 8)}x${header.readUInt16BE(header.length - 4)}`, size);
        assert.equal(samples.toString('latin1', 12, 16), 'avc1');
        if (isUsual) assert.ok(movie.readUInt32BE(16) / movie.readUInt32BE(12) > 1);
        assert.equal(boxes.get('stsz')?.readUInt32BE(8), clipFrames);
      }
    }));

  it("doesn't change the error handling of the process", () =>
    withDemo(async (demo) => {
      await makeVideo(demo);
      assert.deepEqual(listeners(), untouched);
    }));

  it('processes a video through the queue, with a position, to its end', async () => {
    let now = Date.UTC(2026, 0, 1);
    const pace = { videoQueueMs: 100, videoWorkMs: 200, clipFrames: 2 };
    await withDemo(
      async (demo) => {
        const submit = () => demo.post('/video/submit', { model: videoModel, prompt: 'x', image_size: '960x960' });
        await submit();
        const requestId = (await submit()).body['requestId'];
        const poll = async () => (await demo.post('/video/status', { requestId })).body;
        const queued = await poll();
        assert.deepEqual([queued['status'], queued['position'], queued['results']], ['InQueue', 2, null]);
        now += 350;
        assert.equal((await poll())['status'], 'InProgress');
        now += 300;
        await until(
          () => demo.post('/video/status', { requestId }),
          (answer) => String(answer.body['status']) === 'Succeed',
        );
      },
      { clock: () => now, pace },
    );
  });

  it('simulates a failed video, an unknown status, or an expired URL on request, and charges what was generated', () =>
    withDemo(async (demo) => {
      const total = async () => (await demo.get('/user/info')).body['data']?.['totalBalance'];
      const failed = await makeVideo(demo, { model: 'fault/failed-job' });
      assert.equal(failed.done.body['status'], 'Failed');
      assert.match(String(failed.done.body['reason']), /refused/);
      assert.equal(await total(), '100.50');
      const expired = await makeVideo(demo, { model: 'fault/expired-url' });
      assert.equal((await fetch(String(expired.done.body['results']?.['videos']?.['0']?.['url']))).status, 403);
      assert.equal(await total(), '100.21');
    }));

  it('rejects a video of another size, without a prompt, or of an unknown request', () =>
    withDemo(async (demo) => {
      const good = { model: videoModel, prompt: 'x', image_size: '960x960' };
      for (const more of [
        { image_size: '640x480' },
        { image_size: undefined },
        { prompt: '' },
        { image: 'https://x/y.png' },
        { fps: 30 },
      ]) {
        assert.equal(
          (await demo.post('/video/submit', { ...good, ...more })).body['code'],
          20015,
          JSON.stringify(more),
        );
      }
      assert.equal((await demo.post('/video/submit', { ...good, model: 'Wan-AI/Wan2.2-I2V-A14B' })).status, 400);
      assert.equal((await demo.post('/video/status', { requestId: 'nobody' })).status, 400);
    }));

  it('stores voices from a file or base64, lists them, and deletes them', () =>
    withDemo(async (demo) => {
      const fields = { model: 'FunAudioLLM/CosyVoice2-0.5B', customName: 'me', text: '你好' };
      const audio = 'data:audio/mpeg;base64,AAAA';
      const byFile = await demo.form('/uploads/audio/voice', { ...fields, file: new Blob(['sound']) });
      const byField = await demo.form('/uploads/audio/voice', { ...fields, audio });
      const byJson = await demo.post('/uploads/audio/voice', { ...fields, audio });
      for (const { body } of [byFile, byField, byJson]) assert.match(String(body['uri']), /^speech:me:\w+:\w+$/);
      const uris = async () =>
        ((await demo.get('/audio/voice/list')).body['results'] as unknown as { uri: string; text: string }[]).map(
          (voice) => voice.uri,
        );
      assert.equal((await uris()).length, 3);
      assert.equal((await demo.post('/audio/voice/deletions', { uri: byFile.body['uri'] })).status, 200);
      assert.equal((await uris()).length, 2);
      for (const bad of [
        { ...fields },
        { ...fields, audio: 'AAAA' },
        { ...fields, audio, customName: '' },
        { ...fields, audio, model: 'x/y' },
      ]) {
        assert.equal((await demo.post('/uploads/audio/voice', bad)).status, 400, JSON.stringify(bad));
      }
    }));

  it('pauses at punctuation, longest at the end of a sentence', () => {
    const lengthOf = (text: string) =>
      synthesise({ text, voice: 'anna', sampleRate: 8000, speed: 1, gain: 0 }).length / 8000;
    const [none, word, comma, sentence] = ['aa', 'a a', 'a,a', 'a.a'].map(lengthOf);
    assert.ok(none! < word! && word! < comma! && comma! < sentence!, [none, word, comma, sentence].join(' '));
  });

  it('returns an audible WAV, follows speed and rate, and reports unsupported formats', () =>
    withDemo(async (demo) => {
      const speak = async (more: object = {}) => {
        const response = await fetch(`${demo.baseUrl}/audio/speech`, {
          method: 'POST',
          headers: { authorization: `Bearer ${demo.apiKey}`, 'content-type': 'application/json' },
          body: JSON.stringify({ model: 'FunAudioLLM/CosyVoice2-0.5B', input: 'Good morning, harbour.', ...more }),
        });
        return { response, bytes: Buffer.from(await response.arrayBuffer()) };
      };
      const [plain, fast, raw, refused] = [
        await speak(),
        await speak({ speed: 2, sample_rate: 16_000 }),
        await speak({ response_format: 'pcm' }),
        await speak({ response_format: 'opus' }),
      ];
      const [facts, fastFacts] = [readWav(plain.bytes), readWav(fast.bytes)];
      assert.ok((facts?.seconds ?? 0) > 1);
      assert.equal(fastFacts?.sampleRate, 16_000);
      assert.ok(Math.abs((fastFacts?.seconds ?? 0) * 2 - (facts?.seconds ?? 0)) < 0.05);
      const samples = new Int16Array(raw.bytes.buffer, raw.bytes.byteOffset, raw.bytes.length / 2);
      assert.ok(Math.sqrt(samples.reduce((sum, value) => sum + value * value, 0) / samples.length) > 500);
      assert.equal(refused.response.status, 400);
      assert.match(refused.bytes.toString(), /mp3, wav and pcm only/);
      const heard = await demo.form('/audio/transcriptions', {
        model: 'FunAudioLLM/SenseVoiceSmall',
        file: new Blob([new Uint8Array(plain.bytes)]),
      });
      assert.deepEqual(heard.body, { text: 'Good morning, harbour.' });
    }));

  it('returns an MP3 as long as the WAV, of complete, independent frames', () =>
    withDemo(async (demo) => {
      const input = 'Good morning, harbour. 早上好。';
      const speak = async (more: object) => {
        const response = await fetch(`${demo.baseUrl}/audio/speech`, {
          method: 'POST',
          headers: { authorization: `Bearer ${demo.apiKey}`, 'content-type': 'application/json' },
          body: JSON.stringify({ model: 'FunAudioLLM/CosyVoice2-0.5B', input, ...more }),
        });
        return { type: response.headers.get('content-type'), bytes: Buffer.from(await response.arrayBuffer()) };
      };
      for (const sample_rate of [32_000, 44_100]) {
        const { type, bytes } = await speak({ response_format: 'mp3', sample_rate });
        const { seconds = 0 } = readWav((await speak({ response_format: 'wav', sample_rate })).bytes) ?? {};
        assert.equal(type, 'audio/mpeg');
        const read = await readSample({ bytes, name: 'a.mp3' });
        assert.ok(read.kind === 'sample', JSON.stringify(read));
        assert.deepEqual([read.facts.format, read.facts.channels, read.facts.sampleRate], ['mp3', 1, sample_rate]);
        assert.ok(Math.abs((read.facts.seconds ?? 0) - seconds) < 0.04, `${read.facts.seconds} ${seconds}`);
        const frames = framesOf(bytes);
        assert.ok(frames.filter((bits) => bits > 0).length > frames.length / 2);
        const file = new Blob([new Uint8Array(bytes)]);
        const heard = await demo.form('/audio/transcriptions', { model: 'FunAudioLLM/SenseVoiceSmall', file });
        assert.deepEqual(heard.body, { text: input });
      }
      const refused = await speak({ response_format: 'mp3', sample_rate: 16_000 });
      assert.match(refused.bytes.toString(), /one of 32000, 44100/);
    }));
});
