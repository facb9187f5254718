import { createEditorStack } from '../../src/core/api/transport/editorTransport';
import { createUndiciStack } from '../../src/core/api/transport/undiciTransport';

/** `node stacksClient.js undici|editor|fetch <address>`: small requests one after the other; prints microseconds of CPU for each. */
const [name, address = ''] = process.argv.slice(2);
const url = new URL('/small', address);
const timers = { connectMs: 10_000, firstByteMs: 60_000, idleMs: 60_000, totalMs: 600_000 };
const headers = { authorization: 'Bearer key', accept: 'application/json' };
const requests = 4000;

async function stackRequest(create: typeof createUndiciStack) {
  const stack = create();
  const once = async () => {
    const response = await stack.send({ method: 'GET', url, headers, timers });
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body) chunks.push(chunk);
    return JSON.parse(String(Buffer.concat(chunks)));
  };
  return { once, close: () => stack.close() };
}

const plainFetch = { once: async () => (await fetch(url, { headers })).json(), close: async () => {} };
const subject =
  name === 'fetch' ? plainFetch : await stackRequest(name === 'editor' ? createEditorStack : createUndiciStack);

const run = async (count: number) => {
  for (let done = 0; done < count; done += 1) {
    if ((await subject.once()).data.length !== 20) throw new Error('not the list');
  }
};
await run(1000);
const before = process.cpuUsage();
await run(requests);
const { user, system } = process.cpuUsage(before);
console.log((user + system) / requests);
await subject.close();
