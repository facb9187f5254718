import { createEditorStack } from '../../src/core/api/transport/editorTransport';
import { multipartBody } from '../../src/core/api/transport/multipart';
import type { HttpRequest } from '../../src/core/api/transport/transport';
import { createUndiciStack } from '../../src/core/api/transport/undiciTransport';
import { readAll } from './originServer';
import { peakKb } from './peakMemory';

/** `node uploadClient.js undici|editor <url> <file>`: runs one upload in a separate process, so that its peak memory is the upload's. */
const [name, address = '', path = ''] = process.argv.slice(2);
const stack = name === 'editor' ? createEditorStack() : createUndiciStack();
const timers = { connectMs: 10_000, firstByteMs: 60_000, idleMs: 60_000, totalMs: 600_000 };

async function send(url: URL, more: Partial<HttpRequest>): Promise<string> {
  const response = await stack.send({ method: 'GET', headers: {}, ...more, url, timers });
  return String(await readAll(response.body));
}

let progress = 0;
const file = { field: 'file', filename: 'batch.jsonl', contentType: 'application/jsonl', source: { path } };
const { body, contentType } = await multipartBody({
  fields: { purpose: 'batch' },
  file,
  onProgress: (bytes) => (progress = bytes),
});

// Code that is loaded once, whether or not anything is uploaded, belongs to the idle program.
await send(new URL('/small', address), {});
const warm = {
  contentLength: 3,
  open: async function* () {
    yield Buffer.from('abc');
  },
};
await send(new URL('/upload', address), { method: 'POST', body: warm });

const idleKb = peakKb();
const cpu = process.cpuUsage();
const started = performance.now();
const answer = JSON.parse(
  await send(new URL('/upload', address), { method: 'POST', headers: { 'content-type': contentType }, body }),
);
const seconds = (performance.now() - started) / 1000;
const { user, system } = process.cpuUsage(cpu);
if (answer.bytes !== body.contentLength || progress !== body.contentLength)
  throw new Error(`${answer.bytes} bytes came, ${progress} were told`);
process.stdout.write(
  `${JSON.stringify({ seconds, cpuSeconds: (user + system) / 1e6, overIdleMb: (peakKb() - idleKb) / 1024 })}\n`,
);
await stack.close();
