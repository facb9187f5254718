import assert from 'node:assert/strict';
import { readFile, readdir, rm } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { collectGarbage } from '../../support/collectGarbage';
import { runs } from '../../support/runs';
import { type TestDemo, ask, until, withDemo } from './demoService';

const mark = 'a-mark-between-parts';
const form = { 'content-type': `multipart/form-data; boundary=${mark}` };
const json = { 'content-type': 'application/json' };
const partHead = (name: string, more = '') =>
  `--${mark}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`;
const filePart = partHead('file', '; filename="a.jsonl"');
const formEnd = `\r\n--${mark}--\r\n`;

const megabyte = Buffer.alloc(1024 * 1024, 0x20);

interface Upload {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly start: string;
  readonly end: string;
}

/** Over every limit but that of files. */
const megabytes = runs(40, 200);

/** `start`, spaces, `end`: made while they are sent. */
async function* bodyOf({ start, end }: Upload): AsyncGenerator<Buffer> {
  yield Buffer.from(start);
  for (let sent = 0; sent < megabytes; sent += 1) yield megabyte;
  yield Buffer.from(end);
}

/** Both of Node's clients. Each resolves once it has the answer and nothing more to send. */
const clients: Readonly<Record<string, (upload: Upload) => Promise<number>>> = {
  fetch: async (upload) => {
    const init = { method: 'POST', headers: upload.headers, body: Readable.toWeb(Readable.from(bodyOf(upload))) };
    const response = await fetch(upload.url, { ...init, duplex: 'half' } as RequestInit);
    await response.arrayBuffer();
    return response.status;
  },
  http: async (upload) => {
    const outgoing = httpRequest(upload.url, { method: 'POST', headers: upload.headers });
    // The service may close the connection after its answer.
    const sent = new Promise((resolve) => outgoing.once('finish', resolve).once('close', resolve));
    outgoing.on('error', () => undefined);
    const answered = new Promise<number>((resolve, reject) => {
      outgoing.once('response', (response) => resolve(response.resume().statusCode ?? 0));
      outgoing.once('close', () => reject(new Error('closed without an answer')));
    });
    Readable.from(bodyOf(upload)).pipe(outgoing);
    const status = await answered;
    await sent;
    return status;
  },
};

interface Refused extends Partial<Upload> {
  readonly path: string;
  readonly status: number;
}

const refused: Readonly<Record<string, Refused>> = {
  'as JSON': { path: '/v1/messages', start: '{"model":"', end: '"}', status: 413 },
  'without a type': { path: '/v1/messages', headers: {}, status: 413 },
  'to the control path': { path: '/_control/arm', status: 413 },
  'as a field of a form': {
    path: '/v1/uploads/audio/voice',
    headers: form,
    start: partHead('audio'),
    end: formEnd,
    status: 413,
  },
  'as a form that breaks off': { path: '/v1/files', headers: form, start: filePart, status: 400 },
  'as the header of a part': { path: '/v1/files', headers: form, start: `--${mark}\r\nContent-`, status: 400 },
  'as a form with another type': { path: '/v1/files', status: 400 },
  'to an unknown path': { path: '/v1/nothing', status: 404 },
  'to a call without a body': { path: '/v1/batches/batch_x/cancel', status: 404 },
  'with a foreign key': { path: '/v1/messages', headers: { ...json, authorization: 'Bearer sk-x' }, status: 401 },
};

/** What the service keeps of uploads: temporary files, files, and what its lists and its state say. */
async function savedBy(demo: TestDemo): Promise<unknown> {
  const { files } = JSON.parse(await readFile(join(demo.folder, 'state.json'), 'utf8')) as { files: unknown };
  const listed = (await demo.get('/files?purpose=batch')).body['data']?.['data'];
  return [await readdir(join(demo.folder, 'incoming')), await readdir(join(demo.folder, 'files')), files, listed];
}

describe('demo service: uploads', function () {
  this.timeout(60_000);

  for (const [client, send] of Object.entries(clients))
    for (const [how, { path, status, headers = json, start = '', end = '' }] of Object.entries(refused))
      it(`rejects ${megabytes} MB ${how}, and reads or ends what ${client} still sends`, () =>
        withDemo(async (demo) => {
          const key = { authorization: `Bearer ${demo.apiKey}` };
          const sending = send({ url: demo.origin + path, headers: { ...key, ...headers }, start, end });
          assert.equal(await sending, status);
          assert.deepEqual(await savedBy(demo), [[], [], [], []]);
        }));

  it('stores nothing of an upload that the client abandons at any point', () =>
    withDemo(async (demo) => {
      const line = JSON.stringify({ custom_id: 'a', body: ask('x') });
      const purpose = `${partHead('purpose')}batch\r\n`;
      const starts = ['', `--${mark}`, purpose, `${purpose}${filePart}`, `${purpose}${filePart}${line}\n${line}`];
      for (const [path, begun] of [
        ...starts.map((start) => ['/v1/files', start] as const),
        ['/v1/files', `${purpose}${filePart}${line.repeat(20_000)}`],
        ['/v1/uploads/audio/voice', `${filePart}sound`],
        ['/v1/audio/transcriptions', `${filePart}sound`],
      ] as const) {
        const socket = connect(demo.port, '127.0.0.1').on('error', () => undefined);
        const head = { Host: `127.0.0.1:${demo.port}`, Authorization: `Bearer ${demo.apiKey}`, ...form };
        const lines = Object.entries({ ...head, 'Content-Length': '5000000' }).map((pair) => pair.join(': '));
        socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${begun}`);
        await new Promise((resolve) => setTimeout(resolve, 30));
        socket.destroy();
        await until(
          () => demo.control('requests'),
          ({ body }) => (body['requests'] as unknown as { path: string }[]).at(-1)?.path === path,
        );
        assert.deepEqual(await savedBy(demo), [[], [], [], []], `${path} ${begun.slice(0, 80)}`);
        await demo.control('reset', {});
      }
    }));

  it("reports that a file can't be stored, and reads the rest of it", () =>
    withDemo(async (demo) => {
      await rm(join(demo.folder, 'incoming'), { recursive: true });
      const file = new Blob([new Uint8Array(5_000_000)]);
      const failed = await demo.form('/files', { purpose: 'batch', file });
      assert.deepEqual([failed.status, failed.body['code']], [500, 60000]);
      assert.equal((await demo.get('/models')).status, 200);
    }));

  it('logs a short part of long requests, and the last 16 MB of many', () =>
    withDemo(async (demo) => {
      const seen = async () =>
        (await demo.control('requests')).body['requests'] as unknown as {
          body: { messages: { content: string }[] };
          bodyBytes: number;
        }[];
      await demo.post('/messages', ask('x'.repeat(3_000_000)));
      await demo.post('/rerank', { list: Array.from({ length: 1_000_000 }, () => []) });
      await demo.post('/messages', ask('y'.repeat(100_000)));
      const [depth, type] = [100_000, { authorization: `Bearer ${demo.apiKey}`, ...json }];
      const deep = `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;
      await fetch(`${demo.baseUrl}/rerank`, { method: 'POST', headers: type, body: deep });
      const [long, wide, short, nested] = await seen();
      assert.equal(long?.bodyBytes, Buffer.byteLength(JSON.stringify(ask('x'.repeat(3_000_000)))));
      assert.match(String(long?.body.messages[0]?.content), /^x{100,2000}… \(3000000 characters\)$/);
      assert.ok(JSON.stringify(wide?.body).length < 100_000);
      assert.equal(short?.body.messages[0]?.content, 'y'.repeat(100_000));
      assert.deepEqual(nested?.body, { '…': `${deep.length} bytes` });
      for (let count = 0; count < 250; count += 1) await demo.post('/rerank', { query: `${count}`.padEnd(100_000) });
      const saved = await seen();
      assert.ok(JSON.stringify(saved).length < 17_000_000 && saved.length > 100, `${saved.length} requests`);
    }));

  it("doesn't grow with received images", () =>
    withDemo(async (demo) => {
      /** The least within a second: some of what a request takes is let go only after its answer. */
      const used = async () => {
        let least = Infinity;
        for (let time = 0; time < 10; time += 1) {
          await new Promise((resolve) => setTimeout(resolve, 100));
          collectGarbage();
          const { heapUsed, external } = process.memoryUsage();
          least = Math.min(least, (heapUsed + external) / 1e6);
        }
        return least;
      };
      const data = Buffer.alloc(12e6, 'picture').toString('base64');
      const source = { type: 'base64', media_type: 'image/png', data };
      const content = [{ type: 'image', source }];
      const question = ask('', { messages: [{ role: 'user', content }] });
      const send = async (times: number) => {
        for (let count = 0; count < times; count += 1)
          assert.equal((await demo.post('/messages', question)).status, 200);
      };
      await send(1);
      const before = await used();
      await send(runs(6, 40));
      const grown = (await used()) - before;
      assert.ok(grown < 50, `${grown} MB`);
    }));
});
