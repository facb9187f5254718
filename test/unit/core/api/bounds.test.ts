import assert from 'node:assert/strict';
import type { Client } from '../../../../src/core/api/client';
import type { ParameterIssue } from '../../../../src/core/api/parameters';
import { createTestClient, drain, failureOf } from '../../../support/apiClient';
import { type FixtureServer, startFixtureServer } from '../../../support/fixtureServer';

type Call = (client: Client, change: Record<string, unknown>) => Promise<unknown>;

const message = { role: 'user' as const, content: 'x' };
const calls = {
  messages: (client, change) => client.messages.create({ model: 'm', messages: [message], ...change }),
  completions: (client, change) => client.completions.create({ model: 'm', prompt: 'x', ...change }),
  rerank: (client, change) => client.rerank.create({ model: 'm', query: 'x', documents: ['y'], ...change }),
  images: (client, change) => client.images.generate({ model: 'm', prompt: 'x', ...change }),
  videos: (client, change) => client.videos.submit({ model: 'm', prompt: 'x', image_size: '960x960', ...change }),
  speech: (client, change) => client.speech.create({ model: 'm', input: 'x', ...change }),
  embeddings: (client, change) => client.embeddings.create({ model: 'm', input: 'x', ...change }),
} satisfies Record<string, Call>;

/** Call, what is set, and the issue it must raise. */
const table: readonly (readonly [keyof typeof calls, Record<string, unknown>, ParameterIssue])[] = [
  ['messages', { messages: [] }, { parameter: 'messages', rule: 'minItems', bound: 1, actual: 0 }],
  ['messages', { model: '' }, { parameter: 'model', rule: 'minLength', bound: 1, actual: 0 }],
  ['messages', { max_tokens: 0 }, { parameter: 'max_tokens', rule: 'min', bound: 1, actual: 0 }],
  ['messages', { max_tokens: 1.5 }, { parameter: 'max_tokens', rule: 'integer', bound: undefined, actual: 1.5 }],
  ['messages', { temperature: 2.01 }, { parameter: 'temperature', rule: 'max', bound: 2, actual: 2.01 }],
  ['messages', { temperature: -0.1 }, { parameter: 'temperature', rule: 'min', bound: 0, actual: -0.1 }],
  ['messages', { top_p: 1.01 }, { parameter: 'top_p', rule: 'max', bound: 1, actual: 1.01 }],
  ['messages', { top_k: -1 }, { parameter: 'top_k', rule: 'min', bound: 0, actual: -1 }],
  ['messages', { top_k: 2.5 }, { parameter: 'top_k', rule: 'integer', bound: undefined, actual: 2.5 }],
  ['messages', { temperature: '1' }, { parameter: 'temperature', rule: 'type', bound: 'number' }],
  ['messages', { best_of: 2 }, { parameter: 'best_of', rule: 'unknown' }],
  ['messages', { messages: undefined }, { parameter: 'messages', rule: 'required' }],
  [
    'messages',
    { messages: [message, { role: 'robot', content: 'x' }] },
    { parameter: 'messages[1].role', rule: 'oneOf', bound: ['user', 'assistant', 'system'] },
  ],
  [
    'messages',
    { messages: [{ role: 'user', content: [{ type: 'tool_result', content: 'x' }] }] },
    { parameter: 'messages[0].content[0].tool_use_id', rule: 'required' },
  ],
  ['messages', { tools: [{ name: 'f' }] }, { parameter: 'tools[0].input_schema', rule: 'required' }],
  [
    'messages',
    { thinking: { type: 'adaptive' } },
    { parameter: 'thinking.type', rule: 'oneOf', bound: ['enabled', 'disabled'] },
  ],
  ['completions', { temperature: 1.5 }, { parameter: 'temperature', rule: 'max', bound: 1, actual: 1.5 }],
  ['completions', { n: 0 }, { parameter: 'n', rule: 'min', bound: 1, actual: 0 }],
  ['completions', { n: 129 }, { parameter: 'n', rule: 'max', bound: 128, actual: 129 }],
  ['completions', { presence_penalty: 2.5 }, { parameter: 'presence_penalty', rule: 'max', bound: 2, actual: 2.5 }],
  [
    'completions',
    { frequency_penalty: -2.5 },
    { parameter: 'frequency_penalty', rule: 'min', bound: -2, actual: -2.5 },
  ],
  ['completions', { logit_bias: { '5': 'much' } }, { parameter: 'logit_bias.5', rule: 'type', bound: 'number' }],
  ['completions', { prompt: undefined }, { parameter: 'prompt', rule: 'required' }],
  ['completions', { seed: 1.5 }, { parameter: 'seed', rule: 'integer', bound: undefined, actual: 1.5 }],
  ['rerank', { documents: [] }, { parameter: 'documents', rule: 'minItems', bound: 1, actual: 0 }],
  ['rerank', { documents: [{ text: 'x' }] }, { parameter: 'documents[0]', rule: 'type', bound: 'string' }],
  ['rerank', { query: '' }, { parameter: 'query', rule: 'minLength', bound: 1, actual: 0 }],
  ['rerank', { top_n: 0 }, { parameter: 'top_n', rule: 'min', bound: 1, actual: 0 }],
  ['rerank', { overlap_tokens: 81 }, { parameter: 'overlap_tokens', rule: 'max', bound: 80, actual: 81 }],
  ['rerank', { max_chunks_per_doc: 0 }, { parameter: 'max_chunks_per_doc', rule: 'min', bound: 1, actual: 0 }],
  [
    'images',
    { seed: 10_000_000_000 },
    { parameter: 'seed', rule: 'max', bound: 9_999_999_999, actual: 10_000_000_000 },
  ],
  ['images', { seed: -1 }, { parameter: 'seed', rule: 'min', bound: 0, actual: -1 }],
  [
    'images',
    { output_format: 'webp' },
    { parameter: 'output_format', rule: 'oneOf', bound: ['png', 'jpeg'], actual: 'webp' },
  ],
  ['images', { prompt: '' }, { parameter: 'prompt', rule: 'minLength', bound: 1, actual: 0 }],
  [
    'videos',
    { image_size: '1x1' },
    { parameter: 'image_size', rule: 'oneOf', bound: ['1280x720', '720x1280', '960x960'], actual: '1x1' },
  ],
  ['speech', { speed: 0.2 }, { parameter: 'speed', rule: 'min', bound: 0.25, actual: 0.2 }],
  ['speech', { gain: 11 }, { parameter: 'gain', rule: 'max', bound: 10, actual: 11 }],
  [
    'speech',
    { response_format: 'flac' },
    { parameter: 'response_format', rule: 'oneOf', bound: ['mp3', 'opus', 'wav', 'pcm'] },
  ],
  ['embeddings', { dimensions: 0 }, { parameter: 'dimensions', rule: 'min', bound: 1, actual: 0 }],
];

describe('limits', () => {
  let server: FixtureServer;
  before(async () => void (server = await startFixtureServer()));
  after(() => server.close());

  for (const [name, change, issue] of table) {
    it(`${name} with ${JSON.stringify(change)} is rejected before sending: ${issue.parameter} ${issue.rule}`, async () => {
      const { client, exchanges } = createTestClient(server.baseUrl);
      const call: Call = calls[name];
      const error = await failureOf(call(client, change));
      assert.equal(error.kind, 'invalidParameter');
      assert.deepEqual({ ...error.details.issue }, issue);
      assert.equal(error.details.parameter, issue.parameter);
      assert.equal(error.details.sent, false);
      assert.ok(error.message.startsWith(issue.parameter), error.message);
      if (typeof issue.bound === 'number') assert.ok(error.message.includes(String(issue.bound)), error.message);
      assert.equal(server.seen.length, 0);
      assert.equal(exchanges.length, 0);
    });
  }

  it('accept their exact values', async () => {
    const atBounds: readonly (readonly [keyof typeof calls, Record<string, unknown>])[] = [
      ['messages', { temperature: 2, top_p: 1, top_k: 50, max_tokens: 1 }],
      ['messages', { temperature: 0, top_p: 0.1, top_k: 0 }],
      ['completions', { temperature: 1, n: 128, presence_penalty: 2, frequency_penalty: -2 }],
      ['rerank', { overlap_tokens: 80, top_n: 1 }],
      ['images', { seed: 9_999_999_999, output_format: 'png' }],
    ];
    server.answer({ status: 400, body: 'reached' });
    for (const [name, change] of atBounds) {
      const call: Call = calls[name];
      assert.equal((await failureOf(call(createTestClient(server.baseUrl).client, change))).message, 'reached');
    }
  });

  for (const service of ['siliconFlow', 'anthropic', 'openrouter'] as const)
    it(`exclude an empty ID, with which a request would be about everything there is: ${service}`, async () => {
      const { client, exchanges } = createTestClient(server.baseUrl, { service });
      const { batches, files, videos } = client;
      const seen = server.seen.length;
      const place = { toPath: 'none', partTo: 'none', maxBytes: 1, isPrivate: true };
      const asked: readonly Promise<unknown>[] = [
        ...(['retrieve', 'cancel', 'delete'] as const).map((name) => batches[name]({ id: '' })),
        ...(['retrieve', 'delete'] as const).map((name) => files[name]({ id: '' })),
        batches.results({ id: '', ...place }),
        files.content({ file: '', ...place }),
        videos.status({ requestId: '' }),
      ];
      for (const call of asked) assert.equal((await failureOf(call)).details.sent, false);
      assert.deepEqual([server.seen.length, exchanges.length], [seen, 0]);
    });

  it('apply to streams too', async () => {
    const { client } = createTestClient(server.baseUrl);
    const { error } = await drain(client.messages.stream({ model: 'm', messages: [message], temperature: 9 }));
    assert.equal(error?.kind, 'invalidParameter');
  });
});

describe('warnings', () => {
  const { client } = createTestClient('http://127.0.0.1:9/v1');

  it('report image sizes that not every model supports', () => {
    const request = { model: 'm', prompt: 'x' };
    assert.deepEqual(client.images.warnings({ ...request, image_size: '512x512' }), []);
    assert.deepEqual(
      client.images
        .warnings({ ...request, image_size: '1328x1328', batch_size: 5 })
        .map(({ parameter, rule }) => [parameter, rule]),
      [
        ['image_size', 'oneOf'],
        ['batch_size', 'max'],
      ],
    );
  });

  it('report rerank parameters that only some models support', () => {
    const request = { query: 'x', documents: ['y'], overlap_tokens: 5, instruction: 'z' };
    const parameters = (model: string) =>
      client.rerank.warnings({ ...request, model }).map(({ parameter }) => parameter);
    assert.deepEqual(parameters('Pro/BAAI/bge-reranker-v2-m3'), ['instruction']);
    assert.deepEqual(parameters('netease-youdao/bce-reranker-base_v1'), ['instruction']);
    assert.deepEqual(parameters('Qwen/Qwen3-Reranker-8B'), ['overlap_tokens']);
  });

  it('ignore unset parameters and null', () => {
    assert.deepEqual(client.messages.warnings({ model: 'm', messages: [message], top_p: null }), []);
    assert.deepEqual(client.completions.warnings({ model: 'm', prompt: 'x' }), []);
  });
});
