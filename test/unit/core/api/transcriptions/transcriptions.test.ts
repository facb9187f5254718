import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createTestClient, failureOf } from '../../../../support/apiClient';
import { type FixtureServer, jsonAnswer, startFixtureServer } from '../../../../support/fixtureServer';

describe('transcriptions', () => {
  let server: FixtureServer;
  before(async () => void (server = await startFixtureServer()));
  after(() => server.close());

  it('sends the file and the model, and returns the text', async () => {
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

  const transcribed = async (body: string, contentType: string, ids: Readonly<Record<string, string>> = {}) => {
    server.answer({ body, headers: { 'content-type': contentType, ...ids } });
    const folder = mkdtempSync(path.join(tmpdir(), 'transcriptions-'));
    const file = path.join(folder, 'a.wav');
    writeFileSync(file, 'RIFF');
    const call = createTestClient(server.baseUrl).client.transcriptions.create({ model: 'm', path: file });
    return call.finally(() => rmSync(folder, { recursive: true }));
  };

  const plain: readonly (readonly [server: string, body: string, contentType: string, text: string])[] = [
    ['whisper.cpp 1.8', ' Hello there.\n', 'text/html; charset=utf-8', 'Hello there.'],
    ['whisper.cpp 1.8', ' [BLANK_AUDIO]\n', 'text/html; charset=utf-8', '[BLANK_AUDIO]'],
    ['whisper.cpp 1.8, of silence', '\n', 'text/html; charset=utf-8', ''],
    ['speaches 0.8', 'Hello there.', 'text/plain; charset=utf-8', 'Hello there.'],
    ['speaches 0.8, of silence', '', 'text/plain; charset=utf-8', ''],
    ['a server in Python', '"Hello there."', 'text/plain', 'Hello there.'],
    ['a server without labels', '007', '', '007'],
    ['a server without labels', '42', '', '42'],
  ];
  for (const [name, body, contentType, text] of plain) {
    it(`reads a plain-text response: ${JSON.stringify(body)} (${name})`, async () => {
      assert.deepEqual(await transcribed(body, contentType), { text });
    });
  }

  it("returns the response's model and IDs", async () => {
    const ids = { 'x-siliconcloud-trace-id': 'ti_1', 'x-request-id': 'r' };
    assert.deepEqual(await transcribed('{"text":"a","model":"other"}', 'application/json', ids), {
      text: 'a',
      model: 'other',
      requestId: 'r',
      traceId: 'ti_1',
    });
  });

  it('rejects a web page, truncated JSON, and an error as text', async () => {
    const page = await failureOf(transcribed('<!doctype html><title>Sign in</title>', 'text/html'));
    assert.deepEqual([page.kind, page.details.hint], ['badResponse', 'webPage']);
    assert.equal((await failureOf(transcribed('{"text":"Hello th', 'text/plain'))).kind, 'badResponse');
    // LM Studio 0.3.14, with status 200
    const refused = '{"error":"Unexpected endpoint or method. (POST /v1/audio/transcriptions)"}';
    assert.equal((await failureOf(transcribed(refused, 'application/json'))).kind, 'notOffered');
    const empty = await failureOf(transcribed('', 'application/json'));
    assert.deepEqual([empty.kind, empty.details.hint], ['badResponse', 'empty']);
  });
});
