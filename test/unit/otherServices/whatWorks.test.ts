import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Client } from '../../../src/core/api/client';
import type { MessageEvent } from '../../../src/core/api/messages/messageEvents';
import type { MessageRequest } from '../../../src/core/api/messages/messages.schema';
import { createOfferStore } from '../../../src/core/api/offers';
import { isLoopback } from '../../../src/core/profiles/baseUrl';
import { knownGapsOf } from '../../../src/core/profiles/knownGaps';
import { knownServices } from '../../../src/core/profiles/knownServices';
import { createTestClient, failureOf, type TestClient } from '../../support/apiClient';
import { startFilledDemo } from '../../support/filledDemo';
import { startAnthropicService } from '../../support/otherServices/anthropicService';
import { startLlamaCppService } from '../../support/otherServices/llamaCppService';
import { startLmStudioService, startOllamaService, startVllmService } from '../../support/otherServices/localServices';
import { startOpenAiService } from '../../support/otherServices/openAiService';
import { startOpenRouterService } from '../../support/otherServices/openRouterService';
import { triedServices, type TriedJob, type Works } from '../../support/otherServices/whatWorks';
import { until } from '../../support/until';

interface Running {
  readonly baseUrl: string;
  readonly key: string;
  /** How many requests it had. */
  count(): Promise<number>;
  close(): Promise<void>;
}

/** The models to try it with; absent where it has none for that. */
interface Models {
  readonly chat: string;
  readonly complete?: string;
  readonly rerank?: string;
  readonly vectors?: string;
  readonly images?: string;
  readonly speech?: string;
}

interface Trial {
  /** The id of the known service, which its address would tell. */
  readonly service: string;
  readonly keyHeader?: 'x-api-key';
  readonly models: Models;
  readonly start: () => Promise<Running>;
  /** Servers of other models, for what the first does not do. */
  readonly others?: Readonly<Partial<Record<TriedJob, () => Promise<Running>>>>;
}

type Other = Awaited<ReturnType<typeof startOpenAiService>>;
const other = (start: () => Promise<Other>) => async (): Promise<Running> => {
  const service = await start();
  return { ...service, count: () => Promise.resolve(service.asked.length) };
};

async function demo(): Promise<Running> {
  const started = await startFilledDemo({ pace: 'fast' });
  const { baseUrl, apiKey: key } = started;
  return { baseUrl, key, count: async () => (await started.requests()).length, close: () => started.close() };
}
/** SiliconFlow's too: it is what the demo service is written from. */
const demoTrial: Trial = {
  service: 'demo',
  start: demo,
  models: {
    chat: 'Qwen/Qwen3-30B-A3B-Instruct-2507',
    complete: 'Qwen/Qwen2.5-Coder-32B-Instruct',
    rerank: 'BAAI/bge-reranker-v2-m3',
    vectors: 'BAAI/bge-m3',
    images: 'Qwen/Qwen-Image',
    speech: 'FunAudioLLM/CosyVoice2-0.5B',
  },
};

const trials: Readonly<Record<string, Trial>> = {
  SiliconFlow: demoTrial,
  OpenAI: {
    service: 'openai',
    start: other(startOpenAiService),
    models: {
      chat: 'gpt-4o-mini',
      vectors: 'text-embedding-3-small',
      images: 'gpt-image-1',
      speech: 'gpt-4o-mini-tts',
    },
  },
  Anthropic: {
    service: 'anthropic',
    keyHeader: 'x-api-key',
    start: other(startAnthropicService),
    models: { chat: 'claude-haiku-4-5-20251001' },
  },
  OpenRouter: {
    service: 'openrouter',
    start: other(startOpenRouterService),
    models: {
      chat: 'qwen/qwen3-8b',
      complete: 'qwen/qwen3-8b',
      rerank: 'cohere/rerank-v3.5',
      vectors: 'baai/bge-m3',
      speech: 'openai/gpt-4o-mini-tts',
    },
  },
  Ollama: {
    service: 'ollama',
    start: other(startOllamaService),
    models: { chat: 'qwen3:8b', complete: 'qwen3:8b', vectors: 'nomic-embed-text:latest' },
  },
  'LM Studio': {
    service: 'lmStudio',
    start: other(startLmStudioService),
    models: {
      chat: 'qwen/qwen3-8b',
      complete: 'qwen/qwen3-8b',
      vectors: 'text-embedding-nomic-embed-text-v1.5',
    },
  },
  'llama.cpp': {
    service: 'llamaCpp',
    start: other(startLlamaCppService),
    models: {
      chat: 'qwen3-8b',
      complete: 'qwen3-8b',
      rerank: 'bge-reranker-v2-m3',
      vectors: 'nomic-embed-text-v1.5',
    },
  },
  vLLM: {
    service: 'vllm',
    start: other(startVllmService),
    others: {
      rerank: other(() => startVllmService('rerank')),
      vectors: other(() => startVllmService('vectors')),
    },
    models: {
      chat: 'Qwen/Qwen3-8B',
      complete: 'Qwen/Qwen3-8B',
      rerank: 'BAAI/bge-reranker-v2-m3',
      vectors: 'BAAI/bge-m3',
    },
  },
};

type Attempt = (client: Client, models: Models) => Promise<void>;

const ask = 'Use lookUp for "Ghent".';
const tool = {
  name: 'lookUp',
  description: 'Tells what a place is.',
  input_schema: { type: 'object', properties: { of: { type: 'string' } }, required: ['of'] },
};

async function ended(events: AsyncIterable<MessageEvent>) {
  let last: MessageEvent | undefined;
  for await (const event of events) last = event;
  ok(last?.type === 'end', `the stream ended with ${last?.type}`);
  return last.message;
}

const textOf = (content: Awaited<ReturnType<typeof ended>>['content']): string =>
  content.map((block) => (block.type === 'text' ? block.text : '')).join('');

const batchLine = (model: string): string => {
  const body = { model, messages: [{ role: 'user', content: 'Hello' }] };
  return `${JSON.stringify({ custom_id: 'one', method: 'POST', url: '/v1/chat/completions', body })}\n`;
};

async function runBatch(client: Client, models: Models): Promise<void> {
  const { files, batches } = client;
  const { chat } = models;
  if (batches.form !== 'file') return runInline(client, models);
  const folder = mkdtempSync(path.join(tmpdir(), 'batch-'));
  try {
    const file = path.join(folder, 'requests.jsonl');
    writeFileSync(file, batchLine(chat));
    const { id } = await files.upload({ path: file });
    const options = { input_file_id: id, endpoint: '/v1/chat/completions', completion_window: '24h' };
    const batch = await batches.create(options);
    await until(
      async () => ((await batches.retrieve({ id: batch.id })).status === 'completed' ? true : undefined),
      'it',
    );
    equal((await batches.list({})).batches[0]?.id, batch.id);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runInline({ batches }: Client, { chat: model }: Models): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'batch-'));
  try {
    const file = path.join(folder, 'requests');
    const asked = { model, max_tokens: 50, messages: [{ role: 'user', content: 'Hello' }] };
    const isMessages = batches.form === 'anthropic';
    writeFileSync(file, JSON.stringify({ custom_id: 'one', [isMessages ? 'params' : 'body']: asked }));
    const all = isMessages ? {} : { endpoint: '/v1/chat/completions', model };
    const { id } = await batches.createInline({ path: file, ...all });
    const end = await until(async () => {
      const batch = await batches.retrieve({ id });
      return batch.status === 'completed' ? batch : undefined;
    }, 'it');
    deepEqual([end.requestCounts, end.hasOwnResults], [{ total: 1, completed: 1, failed: 0 }, true]);
    equal((await batches.list({})).batches[0]?.id, id);
    const results = path.join(folder, 'results.jsonl');
    await batches.results({ id, toPath: results, maxBytes: 1_000_000 });
    match(readFileSync(results, 'utf8'), /^\{[^\n]*"custom_id":"one"[^\n]*\}\n$/);
    await batches.delete({ id });
    equal((await failureOf(batches.retrieve({ id }))).kind, 'notFound');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Each asks for one thing as the product does, and looks at what came. */
const attempts: Readonly<Record<TriedJob, Attempt>> = {
  async models({ models }, { chat }) {
    const listed = await models.list({});
    ok(listed.some(({ id }) => id === chat));
  },
  async chat({ chat }, { chat: model }) {
    const request: MessageRequest = { model, max_tokens: 200, messages: [{ role: 'user', content: 'Hello there' }] };
    const { content, usage } = await ended(chat.stream(request));
    match(textOf(content), /\w{2}/);
    ok((usage.output_tokens ?? 0) > 0);
    match(textOf((await chat.create(request)).content), /\w{2}/);
  },
  async tools({ chat }, { chat: model }) {
    const question = { role: 'user', content: ask } as const;
    const request: MessageRequest = { model, max_tokens: 400, messages: [question], tools: [tool] };
    const { content } = await ended(chat.stream({ ...request, tool_choice: { type: 'tool', name: 'lookUp' } }));
    const calls = content.flatMap((block) => (block.type === 'tool_use' ? [block] : []));
    equal(calls[0]?.name, 'lookUp');
    const said = calls.map(({ id, name, input }) => ({
      type: 'tool_use' as const,
      id,
      name,
      input: input as Record<string, unknown>,
    }));
    const results = calls.map(({ id }) => ({ type: 'tool_result' as const, tool_use_id: id, content: 'a city' }));
    const messages = [
      question,
      { role: 'assistant' as const, content: said },
      { role: 'user' as const, content: results },
    ];
    match(textOf((await ended(chat.stream({ ...request, messages }))).content), /city/);
  },
  async complete({ completions }, { chat, complete: model = chat }) {
    let text = '';
    for await (const event of completions.stream({ model, prompt: 'Once upon a time', max_tokens: 20 })) {
      if (event.type === 'text') text += event.text;
    }
    match(text, /\w{2}/);
  },
  async rerank({ rerank }, { rerank: model = 'any' }) {
    const { results } = await rerank.create({
      model,
      query: 'money back',
      documents: ['a door', 'get your money back'],
    });
    deepEqual([results[0]?.index, results[0]?.text], [1, 'get your money back']);
  },
  async vectors({ embeddings }, { vectors: model = 'any' }) {
    const { vectors } = await embeddings.create({ model, input: ['a', 'b'] });
    deepEqual([vectors.length, (vectors[0]?.length ?? 0) > 4], [2, true]);
  },
  async images({ images }, { images: model = 'any' }) {
    // Each has sizes of its own.
    const size = model.includes('/') ? '512x512' : '1024x1024';
    const made = await images.generate({ model, prompt: 'A pier', image_size: size });
    equal(made.images.length, 1);
  },
  async speech({ speech }, { speech: model = 'any' }) {
    const isVendor = model.startsWith('FunAudioLLM/');
    const asked = isVendor
      ? ({ voice: `${model}:alex`, response_format: 'wav' } as const)
      : ({ voice: 'alloy', response_format: 'mp3' } as const);
    const { body } = await speech.create({ model, input: 'Good morning', ...asked });
    let bytes = 0;
    for await (const chunk of body) bytes += chunk.length;
    ok(bytes > 500);
  },
  async 'videos, voices'({ voices }) {
    ok(Array.isArray(await voices.list()));
  },
  batches: runBatch,
  async balance({ account }) {
    match((await account.info()).totalBalance ?? '', /^-?\d/);
  },
};

/** What a cell promises, held against the service. `isKnown`: nothing is asked that it is known not to have. */
async function hold(works: Works, attempt: () => Promise<void>, service: Running, isKnown: boolean): Promise<void> {
  if (works === 'yes') return attempt();
  const atFirst = await service.count();
  const { kind, message } = await failureOf(attempt());
  // A service that completes with other models says it of this one.
  if (works === 'chat' && /is a chat model/.test(message)) return;
  equal(kind, 'notOffered');
  const before = await service.count();
  if (isKnown) equal(before, atFirst, 'it was asked');
  equal((await failureOf(attempt())).kind, 'notOffered');
  equal(await service.count(), before, 'it was asked again');
}

describe('the table of services', () => {
  it('has a test for each row', () => {
    const [first, second, ...rest] = triedServices;
    deepEqual(
      Object.keys(trials),
      [first, ...rest].map((row) => row?.name),
    );
    deepEqual(second?.works, first?.works, 'SiliconFlow’s row is tried by the demo service');
  });

  for (const { name, works } of triedServices) {
    const trial = trials[name];
    if (!trial) continue;
    const address = knownServices.find(({ id }) => id === trial.service)?.baseUrl ?? '';
    const gaps = address === '' ? [] : knownGapsOf(address);
    const isOnInternet = address !== '' && !isLoopback(new URL(address).hostname);
    const clientOf = ({ baseUrl, key }: Running): TestClient => {
      const { service, keyHeader } = trial;
      const offers = createOfferStore({}, undefined, gaps);
      return createTestClient(baseUrl, { service, keyHeader, offers, apiKey: () => Promise.resolve(key) });
    };
    describe(name, () => {
      let service: Running;
      let tried: TestClient;
      before(async () => {
        service = await trial.start();
        tried = clientOf(service);
      });
      after(async () => {
        await tried.client.close();
        await service.close();
      });

      for (const gap of gaps) {
        it(`excludes ${gap}`, async () => {
          const [method = '', path] = gap.split(' ');
          const headers = {
            ...(trial.keyHeader ? { 'x-api-key': service.key } : { authorization: `Bearer ${service.key}` }),
            'anthropic-version': '2023-06-01',
          };
          const { status } = await fetch(`${service.baseUrl}${path}`, { method, headers });
          // LM Studio says it with status 200.
          ok([404, 405].includes(status) || trial.service === 'lmStudio', String(status));
        });
      }

      for (const [job, value] of Object.entries(works) as [TriedJob, Works][]) {
        const words = {
          yes: 'has',
          no: 'has no',
          chat: 'has by chat',
          now: 'has by single requests',
          other: 'has with another model',
        };
        it(`${words[value]} ${job}`, () =>
          hold(value, () => attempts[job](tried.client, trial.models), service, isOnInternet));
        const start = trial.others?.[job];
        if (value !== 'other' || !start) continue;
        it(`includes ${job} if the server was started for it`, async () => {
          const another = await start();
          const { client } = clientOf(another);
          await attempts[job](client, trial.models);
          await client.close();
          await another.close();
        });
      }
    });
  }
});
