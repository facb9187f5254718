import assert from 'node:assert/strict';
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { SpeechRequest } from '../../../../src/core/api/speech/speech.schema';
import type { SpeechAsset } from '../../../../src/core/voices/takes';
import { createVoiceNotes } from '../../../../src/core/voices/voiceNotes';
import { createPlayableFiles } from '../../../../src/features/voices/logic/playableFiles';
import { setUpFolder } from '../../../support/temporaryFolder';

describe('playable files for a page', () => {
  const folder = setUpFolder();
  const files = () => createPlayableFiles(folder.in('playing'));
  const take = async (bytes: Uint8Array, request: Partial<SpeechRequest>): Promise<SpeechAsset> => {
    const path = folder.in('take.bin');
    await writeFile(path, bytes);
    const file = { name: 'take.bin', sha256: 'a'.repeat(64), bytes: bytes.length, contentType: 'audio/wav' };
    return { path, recipe: { kind: 'speech', request, file } as SpeechAsset['recipe'] };
  };

  it('are the saved ones, with their duration if the content has it', async () => {
    const asset = await take(await readFile('test/fixtures/audio/nine.mp3'), {});
    const { path, seconds = 0 } = await files().ofTake(asset);
    assert.equal(path, asset.path);
    assert.equal(Math.round(seconds), 9);
  });

  it('get a header if they are raw samples, whose file is unchanged', async () => {
    const samples = new Uint8Array(16_000).fill(3);
    const asset = await take(samples, { response_format: 'pcm', sample_rate: 8000 });
    const { path, seconds } = await files().ofTake(asset);
    assert.equal(seconds, 1);
    const wav = await readFile(path);
    assert.equal(wav.toString('latin1', 0, 4), 'RIFF');
    assert.equal(wav.readUInt32LE(24), 8000);
    assert.deepEqual(new Uint8Array(wav.subarray(44)), samples);
    assert.deepEqual(new Uint8Array(await readFile(asset.path)), samples);
    assert.equal((await files().ofTake(asset)).path, path);
    await files().tidy([asset]);
    assert.equal((await readdir(folder.in('playing'))).length, 1);
    await files().tidy([]);
    assert.deepEqual(await readdir(folder.in('playing')), []);
  });

  it('are copies of recordings, renewed when those change', async () => {
    const path = folder.in('sample.wav');
    assert.equal(await files().ofSample(path), undefined);
    await writeFile(path, 'first');
    const first = await files().ofSample(path);
    assert.equal(await readFile(first!, 'utf8'), 'first');
    assert.equal(await files().ofSample(path), first);
    await copyFile('test/fixtures/audio/nine.mp3', path);
    assert.notEqual(await files().ofSample(path), first);
    assert.equal(await files().ofSample(folder.path()), undefined);
  });

  it('include no copy of a recording without a note, or of its earlier content', async () => {
    const [one, other] = [folder.in('one.wav'), folder.in('other.wav')];
    const notes = createVoiceNotes(folder.in('notes'), () => {});
    assert.deepEqual(await notes.samples(), []);
    for (const [uri, path] of [
      ['speech:one', one],
      ['speech:other', other],
    ] as const) {
      await writeFile(path, uri);
      await notes.write(uri, { text: '', isAllowed: true, sample: path });
    }
    await notes.write('speech:none', { text: 'No recording', isAllowed: false });
    await files().ofSample(one);
    const before = await files().ofSample(other);
    await writeFile(other, 'recorded anew, and longer');
    const after = await files().ofSample(other);
    await files().tidySamples(await notes.samples());
    const saved = await readdir(folder.in('playing'));
    assert.equal(saved.length, 2);
    assert.ok(saved.includes(basename(after!)) && !saved.includes(basename(before!)));
    await notes.remove('speech:one');
    await files().tidySamples(await notes.samples());
    assert.deepEqual(await readdir(folder.in('playing')), [basename(after!)]);
    await files().tidy([]);
    assert.deepEqual(await readdir(folder.in('playing')), [basename(after!)]);
  });
});
