import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { startLlamaCppService } from '../../support/otherServices/llamaCppService';
import { startLmStudioService, startOllamaService, startVllmService } from '../../support/otherServices/localServices';
import type { OtherService } from '../../support/otherServices/loopbackService';
import { startOpenRouterService } from '../../support/otherServices/openRouterService';
import { ask, at, eventsIn, jsonIn, listAt, textAt, reported } from './asking';

const messages = [{ role: 'user', content: 'Hello' }];

describe("the server written from llama.cpp's sources", () => {
  let service: OtherService;
  before(async () => void (service = await startLlamaCppService()));
  after(() => service.close());
  const post = (path: string, body: object) => ask(service, `POST ${path}`, body, {});

  it('requires no key, and lists its models', async () => {
    const list = jsonIn(await ask(service, 'GET /models', undefined, {}));
    deepEqual(
      listAt(list, 'data').map((model) => at(model, 'id')),
      ['bge-reranker-v2-m3', 'nomic-embed-text-v1.5', 'qwen3-8b'],
    );
    const alone = await startLlamaCppService([{ id: '/models/qwen3.gguf', startedFor: 'text' }]);
    const own = jsonIn(await ask(alone, 'GET /models', undefined, {}));
    deepEqual([at(own, 'data.0.id'), at(own, 'data.0.meta.n_ctx_train')], ['/models/qwen3.gguf', 4096]);
    await alone.close();
  });

  for (const [path, body, words] of [
    [
      '/rerank',
      { model: 'qwen3-8b', query: 'a', documents: ['a'] },
      /^501 .*"code":501.*Start it with `--reranking`.*not_supported_error/,
    ],
    ['/embeddings', { model: 'qwen3-8b', input: 'a' }, /^501 .*Start it with `--embeddings`/],
    ['/chat/completions', { model: 'bge-reranker-v2-m3', messages }, /^501 .*Start it without `--embeddings`/],
    [
      '/messages',
      { model: 'qwen3-8b', messages, max_tokens: 5 },
      /^404 .*"message":"File Not Found","type":"not_found_error"/,
    ],
    ['/images/generations', { model: 'qwen3-8b', prompt: 'a' }, /^404 .*File Not Found/],
    ['/completions', { model: 'qwen3-8b', prompt: 'a', suffix: 'b' }, /^400 .*Unsupported param: suffix/],
    ['/completions', { model: 'qwen3-8b', prompt: 'a', n: 2 }, /^400 .*Only one completion choice is allowed/],
    [
      '/completions',
      { model: 'qwen3-8b', prompt: 'word '.repeat(9000) },
      /^400 .*exceed_context_size_error.*"n_ctx":8192/,
    ],
    ['/rerank', { model: 'bge-reranker-v2-m3', query: 'a', documents: [] }, /^400 .*must be a non-empty string array/],
    ['/chat/completions', { model: 'other', messages }, /^400 \{"error":"could not find real modelID for other"\}/],
  ] as const) {
    it(`rejects ${path} with its own message: ${words.source}`, async () =>
      match(reported(await post(path, body)), words));
  }

  it('ignores unknown parameters, streams reasoning, and returns its timings', async () => {
    const body = { model: 'qwen3-8b', messages, stream: true, stream_options: { include_usage: true }, own_member: 1 };
    const events = eventsIn(await post('/chat/completions', body));
    const [first, last] = [events[0], events.at(-2)];
    deepEqual(at(first, 'choices.0.delta'), { role: 'assistant', content: null });
    ok(events.some((event) => at(event, 'choices.0.delta.reasoning_content')));
    deepEqual([at(last, 'choices'), typeof at(last, 'timings.predicted_ms')], [[], 'number']);
  });

  it('returns the logprobs of a completion in the format of chat, in each chunk too', async () => {
    const body = { model: 'qwen3-8b', prompt: 'Once', max_tokens: 3, logprobs: 2 };
    const whole = jsonIn(await post('/completions', body));
    const tokens = listAt(whole, 'choices.0.logprobs.content');
    deepEqual([tokens.length, at(tokens[0], 'token'), at(tokens[0], 'logprob')], [3, ' and', -0.0625]);
    const events = eventsIn(await post('/completions', { ...body, stream: true }));
    equal(at(events[1], 'choices.0.logprobs.content.0.token'), ' so');
    deepEqual(
      [at(events.at(-2), 'choices.0.finish_reason'), at(events.at(-2), 'usage.completion_tokens')],
      ['length', 3],
    );
  });

  it('ranks without texts, best first, by scores that can be negative', async () => {
    const body = {
      model: 'bge-reranker-v2-m3',
      query: 'money back',
      documents: ['a door', 'get your money back'],
      top_n: 1,
    };
    const ranked = jsonIn(await post('/rerank', body));
    deepEqual(at(ranked, 'results'), [{ index: 1, relevance_score: 6 }]);
  });
});

describe('local model servers', () => {
  const kinds = {
    Ollama: [startOllamaService, '404 404 page not found'],
    'LM Studio': [startLmStudioService, '200 {"error":"Unexpected endpoint or method. (POST /v1/rerank)"}'],
    vLLM: [startVllmService, '404 {"detail":"Not Found"}'],
  } as const;
  for (const [name, [start, missing]] of Object.entries(kinds)) {
    it(`${name} chats in both formats, and reports missing endpoints in its own way`, async () => {
      const service = await start();
      const model = at(jsonIn(await ask(service, 'GET /models', undefined, {})), 'data.0.id');
      const chat = jsonIn(await ask(service, 'POST /chat/completions', { model, messages }, {}));
      match(textAt(chat, 'choices.0.message.content'), /^You asked: Hello/);
      const message = jsonIn(await ask(service, 'POST /messages', { model, messages, max_tokens: 100 }, {}));
      match(textAt(message, 'content.0.text'), /^You asked: Hello/);
      const completed = jsonIn(await ask(service, 'POST /completions', { model, prompt: 'Once', max_tokens: 5 }, {}));
      match(textAt(completed, 'choices.0.text'), /^ and so/);
      equal(reported(await ask(service, 'POST /rerank', {}, {})), missing);
      match(reported(await ask(service, 'POST /chat/completions', { model: 'other', messages }, {})), /^404 .*other/);
      await service.close();
    });
  }
});

describe("the server written from OpenRouter's documentation", () => {
  let service: OtherService;
  before(async () => void (service = await startOpenRouterService()));
  after(() => service.close());

  it('lists models without a key, and requires one for responses', async () => {
    const list = jsonIn(await ask(service, 'GET /models', undefined, {}));
    equal(at(list, 'data.0.architecture.output_modalities.0'), 'text');
    match(reported(await ask(service, 'POST /chat/completions', {}, {})), /^401 .*No auth credentials found/);
    match(
      reported(await ask(service, 'POST /chat/completions', {}, { authorization: 'Bearer x' })),
      /^401 .*User not found\./,
    );
    match(
      reported(await ask(service, 'POST /chat/completions', { model: 'a' })),
      /^400 .*a is not a valid model ID.*user_id/,
    );
    match(reported(await ask(service, 'GET /nowhere')), /^404 <!DOCTYPE html>/);
  });

  it('streams with comments, reasoning, and the cost at the end', async () => {
    const answer = await ask(service, 'POST /chat/completions', { model: 'qwen/qwen3-8b', messages, stream: true });
    ok(answer.text.startsWith(': OPENROUTER PROCESSING'));
    const events = eventsIn(answer);
    ok(events.some((event) => at(event, 'choices.0.delta.reasoning_details')));
    equal(at(events.at(-2), 'usage.cost'), 0.00042);
  });

  it("ranks with a model that isn't in its list", async () => {
    const body = { model: 'cohere/rerank-v3.5', query: 'money', documents: ['a door', 'your money'] };
    const ranked = jsonIn(await ask(service, 'POST /rerank', body));
    deepEqual(at(ranked, 'results.0.document'), { text: 'your money' });
  });
});
