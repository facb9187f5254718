import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { createEditorStack } from '../../src/core/api/transport/editorTransport';
import { createUndiciStack } from '../../src/core/api/transport/undiciTransport';

/**
 * `node stacksClient.js undici|editor|fetch|openai|anthropic <url>`: sends small requests one after another, and prints microseconds of CPU
 * for each.
 */
const [name, address = ''] = process.argv.slice(2);
const url = new URL('/small', address);
const timers = { connectMs: 10_000, firstByteMs: 60_000, idleMs: 60_000, totalMs: 600_000 };
const headers = { authorization: 'Bearer key', accept: 'application/json' };
const requests = 2000;

async function stackRequest(create: typeof createUndiciStack) {
  const stack = create();
  const once = async (): Promise<List> => {
    const response = await stack.send({ method: 'GET', url, headers, timers });
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body) chunks.push(chunk);
    return JSON.parse(String(Buffer.concat(chunks)));
  };
  return { once, close: () => stack.close() };
}

interface List {
  readonly data: readonly unknown[];
}

const nothing = async () => {};
const openai = () => {
  const sdk = new OpenAI({ apiKey: 'key', baseURL: address });
  return { once: (): Promise<List> => sdk.get('/small'), close: nothing };
};
const anthropic = () => {
  const sdk = new Anthropic({ apiKey: 'key', baseURL: address });
  return { once: (): Promise<List> => sdk.get('/small'), close: nothing };
};
const subjects = {
  undici: () => stackRequest(createUndiciStack),
  editor: () => stackRequest(createEditorStack),
  fetch: () => ({ once: async () => (await fetch(url, { headers })).json() as Promise<List>, close: nothing }),
  openai,
  anthropic,
};
const subject = await subjects[name as keyof typeof subjects]();

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
