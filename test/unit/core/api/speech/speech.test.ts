import assert from 'node:assert/strict';
import { createTestClient, failureOf } from '../../../../support/apiClient';
import { type FixtureServer, startFixtureServer } from '../../../../support/fixtureServer';
import { readAll, startOrigin } from '../../../../support/originServer';

const request = { model: 'fishaudio/fish-speech-1.5', input: 'Hello', voice: 'fishaudio/fish-speech-1.5:alex' };

describe('speech', () => {
  let server: FixtureServer;
  beforeEach(async () => void (server = await startFixtureServer()));
  afterEach(() => server.close());

  it('streams audio as it arrives and logs its size, not its bytes', async () => {
    server.answer({ headers: { 'content-type': 'audio/mpeg' }, body: ['ID3', new Uint8Array([0, 255]), 'end'] });
    const { client, exchanges } = createTestClient(server.baseUrl);
    const full = {
      ...request,
      response_format: 'mp3' as const,
      sample_rate: 44100,
      speed: 1.5,
      gain: -3,
      stream: true,
    };
    const { contentType, body } = await client.speech.create(full);
    assert.equal(contentType, 'audio/mpeg');
    assert.deepEqual(await readAll(body), Buffer.from('ID3\0\xffend', 'latin1'));
    assert.equal(`${server.seen[0]?.method} ${server.seen[0]?.path}`, 'POST /v1/audio/speech');
    assert.equal(server.seen[0]?.body, JSON.stringify(full));
    assert.equal(exchanges[0]?.response?.bytes, 8);
    assert.equal(exchanges[0]?.response?.body, undefined);
  });

  it('returns the IDs of the response', async () => {
    server.answer({ headers: { 'content-type': 'audio/mpeg', 'x-siliconcloud-trace-id': 'ti_1' }, body: 'ID3' });
    const { body, ids } = await createTestClient(server.baseUrl).client.speech.create(request);
    await readAll(body);
    assert.deepEqual(ids, { traceId: 'ti_1' });
  });

  it('rejects an error or a web page as audio, but accepts a wrong content type', async () => {
    const { client } = createTestClient(server.baseUrl);
    server.answer({ body: '{"code":20015,"message":"no such voice","data":null}' });
    assert.equal((await failureOf(client.speech.create(request))).message, 'no such voice');
    server.answer({ headers: { 'content-type': 'text/html' }, body: '<!DOCTYPE html><title>Portal</title>' });
    assert.equal((await failureOf(client.speech.create(request))).message, 'The response is a web page: Portal');
    server.answer({ headers: { 'content-type': 'text/html' }, body: 'ID3...' });
    const { contentType, body } = await client.speech.create(request);
    assert.equal(contentType, 'application/octet-stream');
    assert.equal(String(await readAll(body)), 'ID3...');
  });

  it('accepts raw samples that begin like JSON, and rejects a long error', async () => {
    const { client } = createTestClient(server.baseUrl);
    for (const first of '[{"') {
      const samples = Buffer.concat([Buffer.from(first), Buffer.from([0, 1, 255, 127, 0, 128])]);
      server.answer({ headers: { 'content-type': 'text/plain' }, body: samples });
      assert.deepEqual(await readAll((await client.speech.create(request)).body), samples);
    }
    // Its first kilobyte ends within a letter.
    for (const filler of ['', 'a', 'ab']) {
      const message = `${filler}${'错'.repeat(1000)}`;
      server.answer({ body: JSON.stringify({ code: 20015, message, data: null }) });
      assert.equal((await failureOf(client.speech.create(request))).message, message);
    }
  });

  it('detects audio by content when there is no content type', async () => {
    const answers: readonly (readonly [string, string])[] = [
      ['{"code":20015,"message":"no such voice","data":null}', 'no such voice'],
      ['<!DOCTYPE html><title>Portal</title>', 'The response is a web page: Portal'],
      ['', 'The response is empty.'],
    ];
    const bodies = [...answers.map(([body]) => body), 'ID3...'];
    const origin = await startOrigin((asked, response) => {
      asked.resume();
      response.end(bodies.shift());
    });
    try {
      const { client } = createTestClient(`${origin.url.href}v1`);
      for (const [, message] of answers) {
        assert.equal((await failureOf(client.speech.create(request))).message, message);
      }
      const { contentType, body } = await client.speech.create(request);
      assert.equal(contentType, 'application/octet-stream');
      assert.equal(String(await readAll(body)), 'ID3...');
    } finally {
      await origin.close();
    }
  });

  it('closes the connection when the audio is abandoned, and logs that', async () => {
    server.answer({ headers: { 'content-type': 'audio/mpeg' }, body: 'ID3', afterwards: 'hang' });
    const { client, exchanges } = createTestClient(server.baseUrl);
    const { body } = await client.speech.create(request);
    for await (const _chunk of body) break;
    await server.allClosed();
    assert.equal(exchanges[0]?.errorKind, 'aborted');
  });

  it("warns of sample rates that a format doesn't support", () => {
    const { client } = createTestClient(server.baseUrl);
    const rules = (response_format: 'mp3' | 'opus', sample_rate: number) =>
      client.speech.warnings({ ...request, response_format, sample_rate }).map(({ bound }) => bound);
    assert.deepEqual(rules('mp3', 44100), []);
    assert.deepEqual(rules('opus', 44100), [['48000']]);
  });
});
