import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createTestClient, failureOf, testKey } from '../../../../support/apiClient';
import { type FixtureServer, fixture, jsonAnswer, startFixtureServer } from '../../../../support/fixtureServer';
import { startOrigin } from '../../../../support/originServer';

describe('files', () => {
  let server: FixtureServer;
  let storage: FixtureServer;
  let folder: string;
  beforeEach(async () => {
    server = await startFixtureServer();
    storage = await startFixtureServer();
    folder = mkdtempSync(path.join(tmpdir(), 'files-'));
  });
  afterEach(async () => {
    await server.close();
    await storage.close();
    rmSync(folder, { recursive: true });
  });
  const files = () => createTestClient(server.baseUrl).client.files;

  it('uploads a file as a form with its purpose, its exact length, and progress', async () => {
    server.answer(jsonAnswer('files/uploaded.json'));
    const source = path.join(folder, 'requests.jsonl');
    writeFileSync(source, '{"custom_id":"ä"}\n');
    const progress: number[] = [];
    const uploaded = await files().upload({ path: source, onProgress: (sent, total) => progress.push(sent / total) });

    const [request] = server.seen;
    assert.equal(`${request?.method} ${request?.path}`, 'POST /v1/files');
    const boundary = /^multipart\/form-data; boundary=(.+)$/.exec(request?.headers['content-type'] ?? '')?.[1];
    assert.ok(boundary);
    assert.equal(
      request?.body,
      `--${boundary}\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nbatch\r\n` +
        `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="requests.jsonl"\r\n` +
        `Content-Type: application/jsonl\r\n\r\n{"custom_id":"ä"}\n\r\n--${boundary}--\r\n`,
    );
    assert.equal(request?.headers['content-length'], String(Buffer.byteLength(request?.body ?? '')));
    assert.equal(progress.at(-1), 1);
    assert.deepEqual(uploaded, {
      id: 'file-jkvytbjtow',
      filename: 'requests.jsonl',
      purpose: 'batch',
      bytes: 8509,
      createdAt: 1741685396,
    });
  });

  it('reads an upload response without an envelope', async () => {
    server.answer(jsonAnswer('files/bare.json'));
    const source = path.join(folder, 'a.jsonl');
    writeFileSync(source, '{}');
    const uploaded = await files().upload({ path: source, filename: 'other.jsonl' });
    assert.equal(uploaded.createdAt, 1700000000);
    assert.match(server.seen[0]?.body ?? '', /filename="other\.jsonl"/);
  });

  it('distinguishes an unreadable file from every failure of the service', async () => {
    const error = await failureOf(files().upload({ path: path.join(folder, 'none.jsonl') }));
    assert.equal(error.kind, 'file');
    assert.equal(server.seen.length, 0);
  });

  it('lists files of the only purpose, up to the requested number', async () => {
    server.answer(jsonAnswer('files/list.json'));
    const listed = await files().list({});
    await files().list({ limit: 25 });
    assert.deepEqual(
      server.seen.map(({ path: seen, query }) => ({ path: seen, query })),
      [
        { path: '/v1/files', query: { purpose: 'batch' } },
        { path: '/v1/files', query: { purpose: 'batch', limit: '25' } },
      ],
    );
    assert.deepEqual(listed, [
      {
        id: 'file-jkvytbjtow',
        filename: 'requests.jsonl',
        purpose: 'batch',
        bytes: 8509,
        createdAt: 1741685396,
        lineCount: 10,
      },
      { id: 'file-two', purpose: 'batch', bytes: 0, lineCount: 0 },
    ]);
  });

  it("rejects a limit that isn't a positive whole number before sending", async () => {
    const refused = [
      [0, { parameter: 'limit', rule: 'min', bound: 1, actual: 0 }],
      [-1, { parameter: 'limit', rule: 'min', bound: 1, actual: -1 }],
      [1.5, { parameter: 'limit', rule: 'integer', bound: undefined, actual: 1.5 }],
    ] as const;
    for (const [limit, issue] of refused) {
      assert.deepEqual({ ...(await failureOf(files().list({ limit }))).details.issue }, issue);
    }
    assert.equal(server.seen.length, 0);
    server.answer(jsonAnswer('files/list.json'));
    await files().list({ limit: 1 });
    assert.equal(server.seen[0]?.query['limit'], '1');
  });

  it('saves the content of an ID with the key', async () => {
    server.answer({ headers: { 'content-type': 'application/octet-stream' }, body: fixture('files/content.jsonl') });
    const toPath = path.join(folder, 'out.jsonl');
    const { client, exchanges } = createTestClient(server.baseUrl);
    const saved = await client.files.content({ file: 'file-a b', toPath, maxBytes: 10_000 });
    assert.equal(server.seen[0]?.path, '/v1/files/file-a%20b/content');
    assert.equal(server.seen[0]?.headers.authorization, `Bearer ${testKey}`);
    assert.equal(readFileSync(toPath, 'utf8'), fixture('files/content.jsonl'));
    assert.equal(saved.bytes, Buffer.byteLength(fixture('files/content.jsonl')));
    assert.equal(exchanges.length, 1);
    assert.deepEqual(readdirSync(folder), ['out.jsonl']);
  });

  it('omits the key if the content is redirected to another origin', async () => {
    storage.answer({ headers: { 'content-type': 'application/octet-stream' }, body: 'forwarded' });
    server.answer({ status: 302, headers: { location: `${storage.baseUrl}/object?sig=1` }, body: '' });
    const toPath = path.join(folder, 'out.jsonl');
    await files().content({ file: 'file-1', toPath, maxBytes: 100 });
    assert.equal(readFileSync(toPath, 'utf8'), 'forwarded');
    assert.equal(storage.seen[0]?.headers.authorization, undefined);
  });

  it('closes the connection if the content is stated to be too large', async () => {
    const origin = await startOrigin((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': 5000 }).write('{}');
    });
    try {
      const { client } = createTestClient(`${origin.url.href}v1`);
      const target = { toPath: path.join(folder, 'out.jsonl'), maxBytes: 4999 };
      assert.equal((await failureOf(client.files.content({ file: 'file-1', ...target }))).kind, 'tooLarge');
      await origin.allClosed();
    } finally {
      await origin.close();
    }
  });

  it('downloads a URL instead of an ID without the key', async () => {
    storage.answer({ body: '{}\n' });
    const toPath = path.join(folder, 'out.jsonl');
    await files().content({ file: `${storage.baseUrl}/out.jsonl?sig=1`, toPath, maxBytes: 100 });
    assert.equal(storage.seen[0]?.headers.authorization, undefined);
    assert.equal(server.seen.length, 0);
  });

  it('distinguishes a missing content endpoint from a missing file', async () => {
    const toPath = path.join(folder, 'out.jsonl');
    const one = { file: 'file-1', toPath, maxBytes: 100 };
    server.answer({ status: 404, body: '{"code":20015,"message":"No such file","data":null}' });
    assert.equal((await failureOf(files().content(one))).kind, 'notFound');
    server.answer({ status: 404, headers: { 'content-type': 'text/plain' }, body: '404 page not found' });
    assert.equal((await failureOf(files().content(one))).kind, 'notOffered');
    assert.deepEqual(readdirSync(folder), []);
  });
});
