import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createTestClient } from '../../../../support/apiClient';
import { type FixtureServer, jsonAnswer, startFixtureServer } from '../../../../support/fixtureServer';

describe('transcriptions', () => {
  let server: FixtureServer;
  before(async () => void (server = await startFixtureServer()));
  after(() => server.close());

  it('sends the file and the model, and gives the text', async () => {
    server.answer(jsonAnswer('transcriptions/answer.json'));
    const folder = mkdtempSync(path.join(tmpdir(), 'transcriptions-'));
    const file = path.join(folder, 'a.wav');
    writeFileSync(file, 'RIFF');
    const { client, exchanges } = createTestClient(server.baseUrl);
    assert.deepEqual(await client.transcriptions.create({ model: 'm', path: file }), { text: 'Hello there.' });
    rmSync(folder, { recursive: true });
    assert.equal(`${server.seen[0]?.method} ${server.seen[0]?.path}`, 'POST /v1/audio/transcriptions');
    assert.match(server.seen[0]?.body ?? '', /name="model"\r\n\r\nm\r\n/);
    assert.match(server.seen[0]?.body ?? '', /name="file"; filename="a\.wav"\r\nContent-Type: audio\/wav\r\n\r\nRIFF/);
    assert.equal(exchanges[0]?.request.body, undefined, 'an upload is logged by its size');
    assert.equal(exchanges[0]?.request.bytes, Buffer.byteLength(server.seen[0]?.body ?? ''));
  });
});
