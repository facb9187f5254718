import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Client } from '../../../../src/core/api/client';
import type { Timers, Work } from '../../../../src/core/api/transport/transport';
import { type EndpointName, streamingEndpoints } from '../../../../src/demo/endpointNames';
import { faults } from '../../../../src/demo/faults';
import type { Fault } from '../../../../src/demo/faults/fault';
import { type Demo, startDemo } from '../../../../src/demo/server';
import {
  type TestClient,
  atChatCompletions,
  createTestClient,
  drain,
  everythingIn,
  failureOf,
} from '../../../support/apiClient';
import { readAll } from '../../../support/originServer';
import { expectationOf, freeEndpoints, readingEndpoints, tellingEndpoints } from './faultTable';
import { runs } from '../../../support/runs';

type Mode = 'whole' | 'stream';
type Call = (client: Client, mode: Mode) => Promise<unknown>;

const chatModel = 'zai-org/GLM-4.6';
const messages = [{ role: 'user' as const, content: 'What is the weather in Paris? Use the tool.' }];
const tools = [{ name: 'weather', input_schema: { type: 'object', properties: { city: { type: 'string' } } } }];

/** The one that is to fire is short; none of the others could fire by chance. */
const patient: Timers = { connectMs: 20_000, firstByteMs: 20_000, idleMs: 20_000, totalMs: 20_000 };
const firing: Readonly<Record<string, Partial<Timers>>> = {
  'never-answers': { firstByteMs: 100 },
  stall: { idleMs: 100 },
  'stall-stream': { idleMs: 100 },
};
const works: readonly Work[] = ['read', 'poll', 'text', 'rerank', 'paid', 'upload', 'change'];
const timersOf = (timers: Timers) => Object.fromEntries(works.map((work) => [work, timers]));

const endpointsOf = (fault: Fault) => runs(tellingEndpoints(fault), fault.endpoints);
/** How many faults an endpoint meets. */
const meets = (endpoint: EndpointName) => faults.filter((fault) => endpointsOf(fault).includes(endpoint)).length;

/** All events of a stream; throws what it throws. */
async function whole(stream: AsyncIterable<unknown>): Promise<void> {
  const { error } = await drain(stream);
  if (error) throw error;
}

describe('every fault of the demo service', function () {
  this.timeout(60_000);
  let demo: Demo;
  let folder: string;
  let calls: Readonly<Record<EndpointName, Call>>;

  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'faults-'));
    const instant = { firstTokenMs: 0, tokenMs: 0, workMs: 0, batchLineMs: 0, batchFinalizeMs: 0 };
    // Batches and clips wait for their turn for longer than the test takes.
    const pace = { ...instant, batchQueueMs: 3_600_000, videoQueueMs: 3_600_000, videoWorkMs: 0, clipFrames: 1 };
    demo = await startDemo({ dataDir: path.join(folder, 'data'), apiKey: 'sk-demo-key-that-must-not-leak', pace });
    calls = await prepareCalls(clientOf().client, clientOf(patient, 'anthropic').client, folder);
  });
  after(async () => {
    await demo.close();
    rmSync(folder, { recursive: true });
  });

  const clientOf = (timers = patient, service = 'siliconFlow'): TestClient =>
    createTestClient(demo.baseUrl, {
      ...atChatCompletions,
      apiKey: () => Promise.resolve(demo.apiKey),
      timers: timersOf(timers),
      service,
    });

  const arm = async (fault: string, endpoint: EndpointName): Promise<void> => {
    const response = await fetch(new URL('/_control/arm', demo.baseUrl), {
      method: 'POST',
      headers: { authorization: `Bearer ${demo.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ fault, endpoint, times: 20, delayMs: 50 }),
    });
    assert.equal(response.status, 200, await response.text());
  };
  const disarm = () =>
    fetch(new URL('/_control/reset', demo.baseUrl), {
      method: 'POST',
      headers: { authorization: `Bearer ${demo.apiKey}`, 'content-type': 'application/json' },
      body: '{}',
    });

  const judge = async (fault: Fault, endpoint: EndpointName, mode: Mode): Promise<void> => {
    const title = `${fault.name} at ${endpoint}, ${mode}`;
    const expected = expectationOf(fault.name, endpoint);
    assert.ok(expected, `${title}: the table has no word for it`);
    const isAnthropic = endpoint.includes('/messages/batches');
    const test = clientOf({ ...patient, ...firing[fault.name] }, isAnthropic ? 'anthropic' : undefined);
    const call = calls[endpoint](test.client, mode);
    const isReading = readingEndpoints.has(endpoint);
    if (expected.kind === undefined) {
      await call.catch((error: unknown) => assert.fail(`${title}: ${everythingIn(error)}`));
    } else {
      const error = await failureOf(call);
      assert.deepEqual(
        { kind: error.kind, maybeBilled: error.details.maybeBilled },
        { kind: expected.kind, maybeBilled: expected.billed && !isReading && !freeEndpoints.has(endpoint) },
        `${title}: ${error.message}`,
      );
      assert.ok(!everythingIn(error).includes(demo.apiKey), `${title}: the key is in the error`);
      if (endpoint !== 'GET asset') assert.equal(error.details.exchangeId, test.exchanges[0]?.id, title);
    }
    if (endpoint === 'GET asset') return;
    assert.equal(test.exchanges.length, 1, title);
    assert.equal(test.exchanges[0]?.attempts.length, isReading ? expected.reads : expected.starts, title);
    assert.ok(!JSON.stringify(test.exchanges).includes(demo.apiKey), `${title}: the key is in the log`);
  };

  for (const fault of faults) {
    const met = endpointsOf(fault);
    it(`${fault.name}: ends as documented at ${met.length} endpoints`, async () => {
      // A download's own waits are too long to wait for here.
      const endpoints = met.filter((name) => name !== 'GET asset' || !(fault.name in firing));
      await Promise.all(endpoints.map((endpoint) => arm(fault.name, endpoint)));
      try {
        await Promise.all(
          endpoints.map(async (endpoint) => {
            if (!fault.streamOnly) await judge(fault, endpoint, 'whole');
            if (streamingEndpoints.includes(endpoint)) await judge(fault, endpoint, 'stream');
          }),
        );
      } finally {
        await disarm();
      }
    });
  }
});

async function prepareCalls(
  client: Client,
  anthropic: Client,
  folder: string,
): Promise<Readonly<Record<EndpointName, Call>>> {
  const lines = path.join(folder, 'lines.jsonl');
  const body = { model: 'deepseek-ai/DeepSeek-V3', messages: [{ role: 'user', content: 'x' }] };
  writeFileSync(lines, `${JSON.stringify({ custom_id: 'a', method: 'POST', url: '/v1/chat/completions', body })}\n`);
  const audio = path.join(folder, 'sample.wav');
  writeFileSync(audio, wave());
  const file = await client.files.upload({ path: lines });
  const batch = { input_file_id: file.id, endpoint: '/v1/chat/completions', completion_window: '24h' };
  const { id } = await client.batches.create(batch);
  const video = { model: 'Wan-AI/Wan2.2-T2V-A14B', prompt: 'waves', image_size: '960x960' };
  const { requestId } = await client.videos.submit(video);
  const { images } = await client.images.generate({
    model: 'black-forest-labs/FLUX.2-pro',
    prompt: 'cat',
    image_size: '512x512',
  });
  const [picture] = images;
  assert.ok(picture && 'url' in picture);
  const voice = { model: 'FunAudioLLM/CosyVoice2-0.5B', customName: 'mine', text: 'hello' };
  // One for each fault: made beforehand, because making them would meet the faults too.
  const cancellable = await Promise.all(
    Array.from({ length: meets('POST /batches/{id}/cancel') }, async () => (await client.batches.create(batch)).id),
  );
  const deletable = await Promise.all(
    Array.from(
      { length: meets('POST /audio/voice/deletions') },
      async () => (await client.voices.upload({ ...voice, sample: { path: audio } })).uri,
    ),
  );
  const deletableFiles = await Promise.all(
    Array.from({ length: meets('DELETE /files/{id}') }, async () => (await client.files.upload({ path: lines })).id),
  );
  const inline = { path: path.join(folder, 'params.jsonl') };
  const params = { model: chatModel, max_tokens: 10, messages: [{ role: 'user', content: 'x' }] };
  writeFileSync(inline.path, JSON.stringify({ custom_id: 'a', params }));
  const cancellableInline = await Promise.all(
    Array.from(
      { length: meets('POST /messages/batches/{id}/cancel') + 1 },
      async () => (await anthropic.batches.createInline(inline)).id,
    ),
  );
  const inlineId = cancellableInline.pop() ?? '';
  const saved = (name: string) => ({ toPath: path.join(folder, `${name}-${Math.random()}`), maxBytes: 10_000_000 });
  return {
    'GET /user/info': ({ account }) => account.info(),
    'GET /models': ({ models }) => models.list({}),
    'POST /files': ({ files }) => files.upload({ path: lines }),
    'GET /files': ({ files }) => files.list({}),
    'GET /files/{id}/content': ({ files }) => files.content({ file: file.id, ...saved('content') }),
    'POST /batches': ({ batches }) => batches.create(batch),
    'GET /batches': ({ batches }) => batches.list(),
    'GET /batches/{id}': ({ batches }) => batches.retrieve({ id }),
    'POST /batches/{id}/cancel': ({ batches }) => batches.cancel({ id: cancellable.pop() ?? '' }),
    'DELETE /files/{id}': ({ files }) => files.delete({ id: deletableFiles.pop() ?? '' }),
    'DELETE /batches/{id}': ({ batches }) => batches.delete({ id }),
    'POST /messages/batches': ({ batches }) => batches.createInline(inline),
    'GET /messages/batches': ({ batches }) => batches.list(),
    'GET /messages/batches/{id}': ({ batches }) => batches.retrieve({ id: inlineId }),
    'POST /messages/batches/{id}/cancel': ({ batches }) => batches.cancel({ id: cancellableInline.pop() ?? '' }),
    'GET /messages/batches/{id}/results': ({ batches }) => batches.results({ id: inlineId, ...saved('results') }),
    'DELETE /messages/batches/{id}': ({ batches }) => batches.delete({ id: inlineId }),
    'POST /messages': (provided, mode) => {
      const request = { model: chatModel, messages, tools, thinking: { type: 'enabled' as const } };
      return mode === 'whole' ? provided.messages.create(request) : whole(provided.messages.stream(request));
    },
    'POST /chat/completions': (provided, mode) => {
      const request = { model: chatModel, messages };
      return mode === 'whole' ? provided.chat.create(request) : whole(provided.chat.stream(request));
    },
    'POST /completions': (provided, mode) => {
      const request = { model: chatModel, prompt: 'Once' };
      return mode === 'whole' ? provided.completions.create(request) : whole(provided.completions.stream(request));
    },
    'POST /rerank': ({ rerank }) =>
      rerank.create({ model: 'BAAI/bge-reranker-v2-m3', query: 'x', documents: ['x', 'y'] }),
    'POST /embeddings': ({ embeddings }) => embeddings.create({ model: 'BAAI/bge-m3', input: 'x' }),
    'POST /images/generations': (provided) =>
      provided.images.generate({ model: 'black-forest-labs/FLUX.2-pro', prompt: 'cat', image_size: '512x512' }),
    'POST /video/submit': ({ videos }) => videos.submit(video),
    'POST /video/status': ({ videos }) => videos.status({ requestId }),
    'POST /uploads/audio/voice': ({ voices }) => voices.upload({ ...voice, sample: { path: audio } }),
    'GET /audio/voice/list': ({ voices }) => voices.list(),
    'POST /audio/voice/deletions': ({ voices }) => voices.delete({ uri: deletable.pop() ?? '' }),
    'POST /audio/speech': async ({ speech }) =>
      readAll((await speech.create({ model: voice.model, input: 'hello', voice: `${voice.model}:alex` })).body),
    'POST /audio/transcriptions': ({ transcriptions }) =>
      transcriptions.create({ model: 'FunAudioLLM/SenseVoiceSmall', path: audio }),
    'GET asset': (provided) => provided.download({ url: picture.url, ...saved('picture') }),
  };
}

/** A tenth of a second of silence. */
function wave(): Buffer {
  const samples = Buffer.alloc(1600);
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + samples.length, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(8000, 24);
  header.writeUInt32LE(16_000, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(samples.length, 40);
  return Buffer.concat([header, samples]);
}
