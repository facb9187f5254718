import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createTestClient, failureOf } from '../../../../support/apiClient';
import { type FixtureServer, jsonAnswer, startFixtureServer } from '../../../../support/fixtureServer';

const words = { model: 'fishaudio/fish-speech-1.5', customName: 'mine', text: 'Hello "there"' };

describe('voices', () => {
  let server: FixtureServer;
  beforeEach(async () => void (server = await startFixtureServer()));
  afterEach(() => server.close());
  const voices = () => createTestClient(server.baseUrl).client.voices;

  it('uploads a sample from disk as the form part `file`', async () => {
    server.answer(jsonAnswer('voices/uploaded.json'));
    const folder = mkdtempSync(path.join(tmpdir(), 'voices-'));
    const sample = path.join(folder, 'me.mp3');
    writeFileSync(sample, 'ID3');
    const { uri } = await voices().upload({ ...words, sample: { path: sample } });
    rmSync(folder, { recursive: true });
    assert.equal(uri, 'speech:mine:cm04pf7az00061413w7kz5qxs:mjtkgbyuunvtybnsvbxd');
    const [request] = server.seen;
    assert.equal(`${request?.method} ${request?.path}`, 'POST /v1/uploads/audio/voice');
    for (const part of [
      'name="model"\r\n\r\nfishaudio/fish-speech-1.5\r\n',
      'name="customName"\r\n\r\nmine\r\n',
      'name="text"\r\n\r\nHello "there"\r\n',
      'name="file"; filename="me.mp3"\r\nContent-Type: audio/mpeg\r\n\r\nID3\r\n',
    ]) {
      assert.ok(request?.body.includes(part), part);
    }
  });

  it('uploads a base64 sample as JSON', async () => {
    server.answer(jsonAnswer('voices/uploaded.json'));
    await voices().upload({ ...words, sample: { audio: 'data:audio/mpeg;base64,AAAA' } });
    assert.equal(server.seen[0]?.headers['content-type'], 'application/json');
    assert.deepEqual(JSON.parse(server.seen[0]?.body ?? ''), { ...words, audio: 'data:audio/mpeg;base64,AAAA' });
  });

  it("rejects a sample that isn't an audio data URI, and empty names", async () => {
    const noUri = await failureOf(voices().upload({ ...words, sample: { audio: 'AAAA' } }));
    assert.equal(noUri.details.parameter, 'audio');
    const noName = await failureOf(voices().upload({ ...words, customName: '', sample: { path: '/x' } }));
    assert.equal(noName.details.parameter, 'customName');
    assert.equal(server.seen.length, 0);
  });

  it('reports that a list has more voices than are loaded', async () => {
    const cutOff = async (count: number) => {
      const results = Array.from({ length: count }, (_, at) => ({ uri: `speech:${at}` }));
      server.answer({ status: 200, body: JSON.stringify({ results }) });
      let isCutOff = false;
      const list = await voices().list(undefined, () => (isCutOff = true));
      return [list.length, isCutOff];
    };
    assert.deepEqual(await cutOff(20_001), [20_000, true]);
    assert.deepEqual(await cutOff(1), [1, false]);
  });

  it('lists voices, also under the names of other API revisions', async () => {
    server.answer(jsonAnswer('voices/list.json'));
    assert.deepEqual(await voices().list(), [
      { uri: 'speech:mine:a:b', customName: 'mine', model: 'fishaudio/fish-speech-1.5', text: 'Hello' },
      { uri: 'speech:other:a:b', text: '' },
    ]);
    assert.equal(`${server.seen[0]?.method} ${server.seen[0]?.path}`, 'GET /v1/audio/voice/list');
    server.answer(jsonAnswer('voices/result.json'));
    assert.deepEqual(await voices().list(), [{ uri: 'speech:x:a:b', customName: 'x' }]);
  });

  it('deletes by URI, with or without a response body', async () => {
    server.answer(jsonAnswer('voices/deleted.json'), { body: '' });
    await voices().delete({ uri: 'speech:mine:a:b' });
    await voices().delete({ uri: 'speech:mine:a:b' });
    assert.equal(`${server.seen[0]?.method} ${server.seen[0]?.path}`, 'POST /v1/audio/voice/deletions');
    assert.equal(server.seen[0]?.body, '{"uri":"speech:mine:a:b"}');
  });
});
