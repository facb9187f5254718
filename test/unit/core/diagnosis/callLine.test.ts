import { deepEqual, doesNotMatch, equal, match } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { callLine } from '../../../../src/core/diagnosis/callLine';
import { createTestClient, drain, failureOf, testKey } from '../../../support/apiClient';
import { startOrigin } from '../../../support/originServer';
import { type FixtureServer, jsonAnswer, startFixtureServer, streamAnswer } from '../../../support/fixtureServer';

const trace = { 'x-siliconcloud-trace-id': 'ti_abc' };
const rerank = { model: 'a/reranker', query: 'x', documents: ['y'] };
const question = { model: 'a/model', messages: [{ role: 'user' as const, content: 'x' }] };

describe('the log line of a call', () => {
  let server: FixtureServer;
  beforeEach(async () => void (server = await startFixtureServer()));
  afterEach(() => server.close());

  /** Numbers of bytes out are those of the request as it was seen. */
  const linesOf = ({ exchanges }: Pick<ReturnType<typeof createTestClient>, 'exchanges'>) =>
    exchanges.map((exchange) => callLine(exchange));

  it('includes method, path, status, time, size, and trace of a successful call, without its query', async () => {
    const answer = jsonAnswer('models/list.json');
    server.answer({ ...answer, headers: trace });
    const test = createTestClient(server.baseUrl);
    await test.client.models.list({ sub_type: 'chat' });
    equal(server.seen[0]?.query['sub_type'], 'chat');
    const bytes = Buffer.byteLength(String(answer.body));
    deepEqual(linesOf(test), [`GET /v1/models, 200, 0 ms, first byte 0 ms, ${bytes} B in, undici, trace ti_abc`]);
  });

  it('includes the request size, and the start and event count of a stream', async () => {
    server.answer(streamAnswer(['data: {"type":"ping"}\n\n', 'data: [DONE]\n\n']));
    const test = createTestClient(server.baseUrl);
    await drain(test.client.messages.stream({ ...question, max_tokens: 5 }));
    const out = Buffer.byteLength(server.seen[0]?.body ?? '');
    deepEqual(linesOf(test), [
      `POST /v1/messages, 200, 0 ms, first byte 0 ms, ${out} B out, 37 B in, 2 events, undici`,
    ]);
  });

  it('reports a rejected key without its value', async () => {
    const body = JSON.stringify(`Api key ${testKey} is invalid`);
    server.answer({ status: 401, body, headers: { ...trace, 'x-siliconcloud-trace-id': `ti-${testKey}` } });
    const test = createTestClient(server.baseUrl);
    await failureOf(test.client.models.list({}));
    deepEqual(linesOf(test), [
      `GET /v1/models, 401, 0 ms, first byte 0 ms, ${body.length} B in, auth, undici, trace ti-[key]`,
    ]);
  });

  it('includes every attempt and its wait', async () => {
    const limited = { status: 429, body: '{"message":"RPM limit reached."}' };
    const answer = jsonAnswer('rerank/answer.json');
    server.answer({ ...limited, headers: { 'retry-after': '2' } }, { status: 503, body: '' }, answer);
    const test = createTestClient(server.baseUrl);
    await test.client.rerank.create(rerank);
    const [line = ''] = linesOf(test);
    match(line, /^POST \/v1\/rerank, 200, \d+ ms, first byte \d+ ms, \d+ B out, \d+ B in, 3 tries/);
    match(line, /3 tries \(429 then 2000 ms, 503 then \d+ ms, 200\), undici$/);
  });

  it('reports a stopped call', async () => {
    server.answer({ body: '', afterwards: 'hang' });
    const test = createTestClient(server.baseUrl);
    const stop = new AbortController();
    const asking = failureOf(test.client.rerank.create(rerank, stop.signal));
    while (server.seen.length === 0) await new Promise((resolve) => setImmediate(resolve));
    stop.abort();
    await asking;
    match(linesOf(test)[0] ?? '', /^POST \/v1\/rerank, (200|no answer), 0 ms, .*aborted, undici$/);
  });

  it('reports a missing response', async () => {
    await server.close();
    const test = createTestClient(server.baseUrl);
    await failureOf(test.client.models.list({}));
    const [line = ''] = linesOf(test);
    match(
      line,
      /^GET \/v1\/models, no answer, \d+ ms, 3 tries \(network then \d+ ms, network then \d+ ms, network\), network, undici$/,
    );
    server = await startFixtureServer();
  });

  it('contains no key, whatever the response', async () => {
    server.answer({ status: 500, body: testKey, headers: { 'x-siliconcloud-trace-id': testKey } });
    const test = createTestClient(`${server.baseUrl}/${testKey}`);
    await failureOf(test.client.models.list({}));
    for (const line of linesOf(test)) doesNotMatch(line, new RegExp(testKey));
    equal(test.exchanges.length, 1);
  });

  describe('for a file named in a response', () => {
    let folder = '';
    before(async () => void (folder = await mkdtemp(path.join(os.tmpdir(), 'call-line-'))));
    after(() => rm(folder, { recursive: true }));

    it('includes its host, and nothing that would open it', async () => {
      const files = await startOrigin((request, response) => {
        if (request.url?.startsWith('/moved')) response.end('12345');
        else response.writeHead(302, { location: '/moved?signature=secret' }).end();
      });
      const test = createTestClient(server.baseUrl);
      const toPath = path.join(folder, 'file');
      await test.client.download({ url: `${files.url.href}a/secret?signature=secret`, toPath, maxBytes: 10 });
      deepEqual(linesOf(test), [
        `GET ${files.url.origin}/…, 200, 0 ms, first byte 0 ms, 5 B in, 2 tries (302, 200), undici`,
      ]);
      doesNotMatch(JSON.stringify(test.exchanges), /secret/);
      await files.close();
    });

    it('is omitted if it redirects to another origin or is too large', async () => {
      const files = await startOrigin((request, response) => {
        if (request.url === '/large') response.writeHead(200, { 'content-length': 100 }).write('12345');
        else response.writeHead(302, { location: '/large' }).write('a page that never ends');
      });
      const test = createTestClient(server.baseUrl);
      const toPath = path.join(folder, 'large');
      await failureOf(test.client.download({ url: files.url.href, toPath, maxBytes: 10 }));
      await files.allClosed();
      match(linesOf(test)[0] ?? '', /, 200, .*2 tries \(302, 200\), tooLarge, undici$/);
      await files.close();
    });

    it('reports a missing response, with a link to the request', async () => {
      const files = await startOrigin(() => {});
      const test = createTestClient(server.baseUrl);
      const toPath = path.join(folder, 'none');
      await files.close();
      const gone = await failureOf(test.client.download({ url: files.url.href, toPath, maxBytes: 10 }));
      equal(linesOf(test)[0], `GET ${files.url.origin}/…, no answer, 0 ms, network, undici`);
      equal(gone.details.exchangeId, test.exchanges[0]?.id);
    });
  });
});
