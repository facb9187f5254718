import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { attachOrStart } from '../../../src/demo/attachOrStart';
import { type TestDemo, ask, firstModel, openDemo, until } from './demoService';

const line = (id: number) =>
  JSON.stringify({
    custom_id: String(id),
    body: { model: firstModel, messages: [{ role: 'user', content: `Say ${id}` }] },
  });
const slow = { batchQueueMs: 0, batchLineMs: 60, batchFinalizeMs: 0 };

describe('demo service: restart and attach', function () {
  this.timeout(60_000);
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'demo-'));
  });
  const opened: { close(): Promise<void> }[] = [];
  const children: ChildProcess[] = [];
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await Promise.all(opened.splice(0).map((demo) => demo.close()));
    await rm(folder, { recursive: true, force: true });
  });
  /** Closed after the test, whatever becomes of it. */
  async function own<T extends { close(): Promise<void> }>(starting: Promise<T>): Promise<T> {
    const demo = await starting;
    opened.push(demo);
    return demo;
  }

  it('restores key, voices, files, images, and balance', async () => {
    const first = await own(openDemo({ dataDir: folder }));
    await first.post('/uploads/audio/voice', {
      model: 'FunAudioLLM/CosyVoice2-0.5B',
      customName: 'me',
      text: 'x',
      audio: 'data:audio/mpeg;base64,AAAA',
    });
    await first.form('/files', { purpose: 'batch', file: new Blob([line(1)]) });
    const { body } = await first.post('/images/generations', { model: 'black-forest-labs/FLUX.2-pro', prompt: 'x' });
    const seen = async (demo: TestDemo) => [
      demo.apiKey,
      (await demo.get('/audio/voice/list')).text,
      (await demo.get('/files?purpose=batch')).text,
      (await demo.get('/user/info')).text,
    ];
    const before = await seen(first);
    await first.close();
    const second = await own(openDemo({ dataDir: folder, port: first.port }));
    assert.deepEqual(await seen(second), before);
    assert.equal((await fetch(String(body['images']?.['0']?.['url']))).status, 200);
    await second.close();
  });

  it('stores nothing of an incomplete upload', async () => {
    await (await own(openDemo({ dataDir: folder }))).close();
    await writeFile(join(folder, 'incoming', 'half'), 'x'.repeat(1000));
    await own(openDemo({ dataDir: folder }));
    assert.deepEqual(
      (await readdir(join(folder, 'incoming'))).filter((name) => name === 'half'),
      [],
    );
  });

  it('closes while an answer is streaming to a disconnected client', async () => {
    const demo = await own(openDemo({ dataDir: folder, pace: 'reading' }));
    const leaving = new AbortController();
    const response = await fetch(`${demo.baseUrl}/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${demo.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(ask('Write 900 words about rivers', { stream: true })),
      signal: leaving.signal,
    });
    await response.body?.getReader().read();
    leaving.abort();
    await demo.close();
  });

  it('resumes a batch, and runs each line once', async () => {
    const first = await own(openDemo({ dataDir: folder, pace: slow }));
    const file = await first.form('/files', {
      purpose: 'batch',
      file: new Blob([[1, 2, 3, 4, 5, 6].map(line).join('\n')]),
    });
    const created = await first.post('/batches', {
      input_file_id: file.body['data']?.['id'],
      endpoint: '/v1/chat/completions',
      completion_window: '24h',
    });
    const path = `/batches/${String(created.body['id'])}`;
    await until(
      () => first.get(path),
      (answer) => Number(answer.body['request_counts']?.['completed']) >= 2,
    );
    await first.close();
    const second = await own(openDemo({ dataDir: folder, pace: slow }));
    const done = await until(
      () => second.get(path),
      (answer) => String(answer.body['status']) === 'completed',
    );
    const output = (await second.get(`/files/${String(done.body['output_file_id'])}/content`)).text.trim().split('\n');
    assert.deepEqual(
      output.map((item) => (JSON.parse(item) as { custom_id: string }).custom_id),
      ['1', '2', '3', '4', '5', '6'],
    );
    await second.close();
  });

  it('completes a pending video', async () => {
    const first = await own(openDemo({ dataDir: folder }));
    const { body } = await first.post('/video/submit', {
      model: 'Wan-AI/Wan2.2-T2V-A14B',
      prompt: 'x',
      image_size: '960x960',
    });
    await first.close();
    const second = await own(openDemo({ dataDir: folder }));
    await until(
      () => second.post('/video/status', { requestId: body['requestId'] }),
      (answer) => String(answer.body['status']) === 'Succeed',
    );
    await second.close();
  });

  it('is one service for simultaneous requests, with the same origin and key after its end', async () => {
    const all = await Promise.all([1, 2, 3, 4].map(() => own(attachOrStart({ dataDir: folder, pace: 'instant' }))));
    assert.equal(all.filter((demo) => !demo.attached).length, 1);
    assert.equal(new Set(all.map((demo) => `${demo.baseUrl} ${demo.apiKey}`)).size, 1);
    await Promise.all(all.map((demo) => demo.close()));
    const again = await own(attachOrStart({ dataDir: folder, pace: 'instant' }));
    assert.deepEqual([again.attached, again.baseUrl, again.apiKey], [false, all[0]?.baseUrl, all[0]?.apiKey]);
    await again.close();
  });

  it("doesn't mistake a stranger on its port for itself, and moves to another", async () => {
    const first = await own(attachOrStart({ dataDir: folder, pace: 'instant' }));
    await first.close();
    const stranger = createServer((_, response) => response.end('{"service":"other"}')).listen(first.port, '127.0.0.1');
    await once(stranger, 'listening');
    const second = await own(attachOrStart({ dataDir: folder, pace: 'instant' }));
    assert.equal(second.attached, false);
    assert.notEqual(second.port, (stranger.address() as AddressInfo).port);
    assert.equal(second.apiKey, first.apiKey);
    await second.close();
    stranger.close();
  });

  it('takes over a lock of a dead process, and one truncated by a crash', async () => {
    const ended = spawn(process.execPath, ['-e', '']);
    await once(ended, 'exit');
    const lock = join(folder, 'open', 'start.1');
    const dead = JSON.stringify({ pid: ended.pid, token: 'dead', host: hostname(), where: '' });
    for (const left of [dead, '{"pid":']) {
      await mkdir(join(folder, 'open'), { recursive: true });
      await writeFile(lock, left);
      await utimes(lock, new Date(), new Date(Date.now() - 10_000));
      const both = await Promise.all([
        own(attachOrStart({ dataDir: folder, pace: 'instant' })),
        own(attachOrStart({ dataDir: folder, pace: 'instant' })),
      ]);
      assert.equal(both.filter((demo) => !demo.attached).length, 1);
      await Promise.all(both.map((demo) => demo.close()));
      assert.deepEqual(await readdir(join(folder, 'open')), []);
    }
  });

  it('runs from its own bundle, prints its URL in the first line, attaches on request, and ends with its parent', async () => {
    const bundle = join(folder, 'demo.mjs');
    const banner = {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    };
    await build({
      entryPoints: ['src/demo/demo.ts'],
      outfile: bundle,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      banner,
      logLevel: 'error',
    });
    const run = (...more: string[]) => {
      const words = [bundle, '--data', join(folder, 'data'), '--pace', 'instant', '--attach', ...more];
      const child = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'inherit'] });
      children.push(child);
      return child;
    };
    const firstLine = async (child: ReturnType<typeof run>) => {
      for await (const text of createInterface({ input: child.stdout }))
        return JSON.parse(text) as { baseUrl: string; apiKey: string };
      throw new Error('said nothing');
    };
    const owner = run('--with-parent');
    const reported = await firstLine(owner);
    assert.equal(
      (await fetch(`${reported.baseUrl}/models`, { headers: { authorization: `Bearer ${reported.apiKey}` } })).status,
      200,
    );
    const second = run();
    const secondEnd = once(second, 'exit');
    assert.deepEqual(await firstLine(second), reported);
    assert.deepEqual(await secondEnd, [0, null]);
    const end = once(owner, 'exit');
    owner.stdin.end();
    assert.deepEqual(await end, [0, null]);
    const third = run();
    assert.deepEqual(await firstLine(third), reported);
    const stopped = once(third, 'exit');
    third.kill('SIGTERM');
    assert.deepEqual(await stopped, [0, null]);
  });
});
