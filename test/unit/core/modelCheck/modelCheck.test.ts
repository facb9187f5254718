import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { createLearnedStore, type LearnedStore } from '../../../../src/core/api/learned';
import type { CheckResult, Findings, ModelToCheck } from '../../../../src/core/modelCheck/checkRun';
import type { ChoosableModels } from '../../../../src/core/catalogue/jobs';
import type { CatalogueModel } from '../../../../src/core/catalogue/model';
import { checkCost, checkIds, checkModel, modelWorthChecking } from '../../../../src/core/modelCheck/modelCheck';
import { publicHosts } from '../../../../src/core/profiles/publicHosts';
import { createTestClient, testKey } from '../../../support/apiClient';
import { startAnthropicService } from '../../../support/otherServices/anthropicService';
import { startLlamaCppService } from '../../../support/otherServices/llamaCppService';
import { startOllamaService, startVllmService } from '../../../support/otherServices/localServices';
import {
  eventsOf,
  jsonOf,
  recordsOf,
  startLoopbackService,
  streamHeaders,
  type OtherService,
  type Reply,
} from '../../../support/otherServices/loopbackService';
import { startOpenAiService } from '../../../support/otherServices/openAiService';
import { firstModel, openDemo } from '../../demo/demoService';

interface Subject extends Partial<Pick<ModelToCheck, 'kind' | 'known' | 'service'>> {
  readonly baseUrl: string;
  readonly key?: string;
  readonly model: string;
  readonly keyHeader?: 'x-api-key';
}

async function check({ baseUrl, key = testKey, model, keyHeader, kind = 'chat', known = {}, service }: Subject) {
  const learned: LearnedStore = createLearnedStore();
  const { client, exchanges } = createTestClient(baseUrl, {
    apiKey: async () => key,
    keyHeader,
    service,
    bounds: undefined,
    learned,
  });
  const steps: Findings[] = [];
  const subject = { client, exchanges: () => exchanges, learned, model, kind, service, known, language: 'en' };
  const outcome = await checkModel(
    { ...subject, now: () => 5 },
    (findings) => steps.push(findings),
    new AbortController().signal,
  );
  await client.close();
  const results = Object.fromEntries(Object.entries(outcome.findings).map(([id, { result }]) => [id, result]));
  return { ...outcome, results, steps, exchanges, learned: learned.of(model) };
}

/** What a model of the stand-in servers can do: it repeats the question instead of continuing, and knows no JSON. */
const scripted: Readonly<Record<string, CheckResult>> = {
  answers: 'works',
  streams: 'works',
  ends: 'works',
  continues: 'fails',
  reasoning: 'works',
  toolCall: 'works',
  toolResult: 'works',
  jsonMode: 'fails',
  images: 'limited',
  logProbabilities: 'works',
  context: 'notChecked',
  responseLength: 'notChecked',
};

const kinds: Readonly<
  Record<string, { readonly start: () => Promise<OtherService>; readonly results: object } & Omit<Subject, 'baseUrl'>>
> = {
  'llama.cpp': {
    start: () => startLlamaCppService([{ id: 'qwen3-8b', startedFor: 'text', contextTokens: 8192 }]),
    model: 'qwen3-8b',
    results: { images: 'notOffered', context: 'works' },
  },
  vLLM: { start: startVllmService, model: 'Qwen/Qwen3-8B', results: { context: 'works' } },
  Ollama: { start: startOllamaService, model: 'qwen3:8b', results: {} },
  OpenAI: { start: startOpenAiService, model: 'gpt-4o-mini', service: 'openai', results: { reasoning: 'notOffered' } },
  Anthropic: {
    start: startAnthropicService,
    model: 'claude-haiku-4-5',
    keyHeader: 'x-api-key',
    service: 'anthropic',
    results: { jsonMode: 'notOffered', logProbabilities: 'notOffered' },
  },
};

describe('Check Model', () => {
  const services: OtherService[] = [];
  after(() => Promise.all(services.map((service) => service.close())));
  const started = async (starting: Promise<OtherService>) => {
    const service = await starting;
    services.push(service);
    return service;
  };

  for (const [name, { start, results: own, ...subject }] of Object.entries(kinds)) {
    it(`detects the features of a model at the server of ${name}, with a request for each row`, async () => {
      const service = await started(start());
      const { results, findings, exchanges, requests } = await check({
        ...subject,
        baseUrl: service.baseUrl,
        ...(service.key && { key: service.key }),
      });
      deepEqual(results, { ...scripted, ...own }, JSON.stringify(findings, undefined, 1));
      const known = new Set(exchanges.map(({ id }) => id));
      for (const { exchangeId } of Object.values(findings)) ok(exchangeId === undefined || known.has(exchangeId));
      equal(requests, exchanges.filter(({ method }) => method === 'POST').length);
      match(findings.answers?.evidence ?? '', /^"You asked: .*", \d+ tokens, \/(chat\/completions|messages)$/);
    });
  }

  it('fills the rows in order, and stores the results', async () => {
    const service = await started(startLlamaCppService([{ id: 'qwen3-8b', startedFor: 'text', contextTokens: 8192 }]));
    const { steps, learned, tokens } = await check({
      baseUrl: service.baseUrl,
      model: 'qwen3-8b',
      known: { contextTokens: 40_960, thinking: 'asked' },
    });
    deepEqual(Object.keys(steps[0] ?? {}), ['answers', 'streams', 'ends']);
    deepEqual(Object.keys(steps.at(-1) ?? {}), [...checkIds('chat')]);
    ok(tokens > 0);
    deepEqual(learned.checked, {
      at: 5,
      tools: true,
      images: false,
      jsonMode: false,
      logProbabilities: true,
      contextTokens: 8192,
    });
    equal(learned.way?.prefills, false);
  });

  it('stays within the stated number of requests', async () => {
    const service = await started(startOpenAiService());
    const { baseUrl, key } = service;
    await check({ baseUrl, key, model: 'gpt-4o-mini', service: 'openai' });
    const sent = service.asked.filter(({ method }) => method === 'POST').length;
    ok(sent <= checkCost.chat.requests, String(sent));
  });

  it('checks a model of the demo service', async () => {
    const demo = await openDemo();
    try {
      const model = firstModel;
      const { findings } = await check({ baseUrl: demo.baseUrl, key: demo.apiKey, model, service: 'demo' });
      for (const id of ['answers', 'streams', 'ends', 'continues', 'toolCall', 'toolResult'] as const)
        equal(findings[id]?.result, 'works', `${id}: ${findings[id]?.evidence}`);
      equal(findings.answers?.evidence, '"Paris", 1 token, /messages');
    } finally {
      await demo.close();
    }
  });

  it('detects whether a reranker ranks', async () => {
    const service = await started(startLlamaCppService());
    const { baseUrl } = service;
    const { results } = await check({ baseUrl, model: 'bge-reranker-v2-m3', kind: 'rerank' });
    deepEqual(results, { ranks: 'works', scores: 'works' });
    const chat = await check({ baseUrl, model: 'qwen3-8b', kind: 'rerank' });
    equal(chat.findings.ranks?.result, 'notOffered');
    match(chat.findings.ranks?.evidence ?? '', /does not support reranking/);
  });

  it("leaves the other rows unchecked if the model doesn't respond", async () => {
    const service = await started(startOpenAiService());
    const { results, findings, error, requests } = await check({
      baseUrl: service.baseUrl,
      key: 'sk-wrong',
      model: 'gpt-4o-mini',
    });
    equal(error?.kind, 'auth');
    deepEqual([...new Set(Object.values(results))], ['notChecked']);
    for (const id of ['streams', 'ends', 'toolCall'] as const)
      equal(findings[id]?.evidence, 'An earlier request failed', id);
    ok(requests <= 3, String(requests));
  });

  it('is offered for chat models at custom servers and gateways', () => {
    const models: readonly CatalogueModel[] = [
      { id: 'bge-m3', types: [], subTypes: [], jobs: ['embedding'] },
      { id: 'm', types: [], subTypes: [] },
      { id: 'qwen3-8b', types: [], subTypes: [], jobs: ['chat'] },
    ];
    const offered = (baseUrl: string, part: Partial<ChoosableModels> = {}) =>
      modelWorthChecking(baseUrl, { models, pins: [], defaults: {}, ...part });
    for (const url of ['http://localhost:11434/v1', 'http://192.168.0.9:8080/v1', 'https://gateway.example.com/v1'])
      equal(offered(url), 'qwen3-8b');
    equal(offered('https://gateway.example.com/v1', { defaults: { chat: 'm' } }), 'm');
    equal(offered('https://gateway.example.com/v1', { models: models.slice(0, 2) }), 'm');
    equal(offered('https://gateway.example.com/v1', { models: models.slice(0, 1) }), undefined);
    for (const url of [...Object.values(publicHosts), 'https://api.openai.com/v1', 'http://127.0.0.1:5/demo/v1'])
      equal(offered(url), undefined);
  });

  it('stops between two checks', async () => {
    const service = await started(startOllamaService());
    const abort = new AbortController();
    const learned = createLearnedStore();
    const { client, exchanges } = createTestClient(service.baseUrl, { learned, service: undefined });
    const subject: ModelToCheck = {
      client,
      exchanges: () => exchanges,
      learned,
      model: 'qwen3:8b',
      kind: 'chat',
      service: undefined,
      known: {},
      language: 'en',
      now: () => 5,
    };
    await rejects(checkModel(subject, () => abort.abort(), abort.signal));
    equal(learned.of('qwen3:8b').checked, undefined);
    await client.close();
  });

  describe('on a faulty server', () => {
    type Answer = (body: Readonly<Record<string, unknown>>) => Reply;
    const list = {
      object: 'list',
      data: [{ id: 'qwen3-8b', owned_by: 'llamacpp', meta: { n_ctx: 8192, n_ctx_train: 40_960 } }],
    };
    const broken = (answer: Answer) =>
      started(
        startLoopbackService({
          root: '/v1',
          routes: {
            'GET /models': () => ({ json: list }),
            'POST /chat/completions': (asked) => answer(jsonOf(asked) ?? {}),
          },
          missing: () => ({ status: 404, json: { error: { message: 'File Not Found' } } }),
          failed: (error) => ({ status: 500, json: { error: { message: String(error) } } }),
        }),
      );
    const chunk = (content: string, finish: string | null = null) => ({
      choices: [{ index: 0, delta: { content }, finish_reason: finish }],
    });
    const stream = (parts: readonly object[], end = 'data: [DONE]\n\n'): Reply => ({
      headers: streamHeaders,
      raw: eventsOf(parts, end),
    });
    const run = (service: OtherService) =>
      check({ baseUrl: service.baseUrl, model: 'qwen3-8b', service: 'llamaCpp', known: { contextTokens: 40_960 } });

    it('reports streams without an end', async () => {
      const service = await broken(() => stream([chunk('Par'), chunk('is')], ''));
      const { findings } = await run(service);
      equal(findings.answers?.result, 'works');
      equal(findings.ends?.result, 'fails');
      equal(findings.ends?.evidence, 'No finish_reason or end marker');
    });

    it('reports tool calls as text, with the option to set', async () => {
      const call = '<tool_call>{"name": "get_weather", "arguments": {"city": "Paris"}}</tool_call>';
      const service = await broken(({ tools }) =>
        stream([chunk(recordsOf(tools).length > 0 ? call : 'Paris'), chunk('', 'stop')]),
      );
      const { findings } = await run(service);
      equal(findings.toolCall?.result, 'fails');
      equal(findings.toolCall?.evidence, 'The tool call was returned as text');
      equal(findings.toolCall?.option, '--jinja');
      equal(findings.toolResult?.evidence, 'Requires a structured tool call');
    });

    it('distinguishes a complete answer in one event from a single token', async () => {
      const usage = { choices: [], usage: { prompt_tokens: 20, completion_tokens: 2 } };
      const single = await broken(() => stream([chunk('Paris'), chunk('', 'stop'), usage]));
      equal((await run(single)).findings.streams?.result, 'works');
      const whole = await broken(() => stream([chunk('Paris is the capital of France.'), chunk('', 'stop')]));
      const { streams } = (await run(whole)).findings;
      deepEqual([streams?.result, streams?.evidence], ['limited', 'The complete text arrived in one event']);
    });

    it('reports that JSON requires a schema', async () => {
      const service = await broken(({ response_format: format }) => {
        const { type } = (format ?? {}) as { readonly type?: string };
        return stream(
          type === 'json_schema' ? [chunk('{"capital":'), chunk('"x"}', 'stop')] : [chunk('Paris', 'stop')],
        );
      });
      const { findings, learned } = await run(service);
      deepEqual([findings.jsonMode?.result, findings.jsonMode?.evidence], ['limited', 'Requires a JSON schema']);
      equal(learned.checked?.jsonMode, false);
    });

    it('suggests no option if the model answered without a call, because none would help', async () => {
      const service = await broken(() => stream([chunk('Par'), chunk('is', 'stop')]));
      const { findings } = await run(service);
      deepEqual(
        [findings.toolCall?.result, findings.toolCall?.evidence, findings.toolCall?.option],
        ['fails', 'The model responded without calling the tool', undefined],
      );
    });

    it('reports reasoning in the text and a smaller context, with the options to set', async () => {
      const service = await broken(() =>
        stream([chunk('<think>'), chunk('France?'), chunk('</think>'), chunk('Paris', 'stop')]),
      );
      const { findings } = await run(service);
      deepEqual(
        [findings.reasoning?.result, findings.reasoning?.evidence, findings.reasoning?.option],
        ['fails', 'The response text contains <think>', '--reasoning-format deepseek'],
      );
      deepEqual(
        [findings.context?.result, findings.context?.evidence, findings.context?.option],
        ['limited', 'Server: 8,192 tokens. Model: 40,960 tokens.', '--ctx-size 40960'],
      );
    });

    it('evaluates other features by the text if streams have no end', async () => {
      const service = await broken(({ response_format: format }) =>
        stream(format ? [chunk('{"capital":'), chunk('"Paris"}')] : [chunk('Par'), chunk('is')], ''),
      );
      const { findings } = await run(service);
      deepEqual(
        [findings.reasoning?.result, findings.toolCall?.evidence, findings.toolCall?.option, findings.images?.evidence],
        ['notOffered', 'The model responded without calling the tool', undefined, 'Described a red image as "Paris"'],
      );
      equal(findings.jsonMode?.result, 'works');
    });

    it('shows the beginning of a long description of an image', async () => {
      const service = await broken(() => stream([chunk('The picture shows a very large square.')], ''));
      const { findings } = await run(service);
      equal(findings.images?.evidence, 'Described a red image as "The picture shows a very large…"');
    });

    it('checks JSON mode without a stream if the server rejects streams', async () => {
      const rejected: Reply = { status: 400, json: { error: { message: 'Streaming is not supported.' } } };
      const service = await broken(({ stream: streams, response_format: format }) =>
        streams === true
          ? rejected
          : { json: { choices: [{ message: { content: format ? '{}' : 'Paris' }, finish_reason: 'stop' }] } },
      );
      const { findings, requests } = await run(service);
      deepEqual(
        [findings.jsonMode?.result, findings.logProbabilities?.evidence],
        ['works', 'The response contains no log probabilities'],
      );
      ok(requests <= checkCost.chat.requests, String(requests));
    });

    it('reports that a server neither streams nor ends', async () => {
      const service = await broken(() => ({
        json: { choices: [{ index: 0, message: { content: 'Paris' }, finish_reason: null }] },
      }));
      const { findings } = await run(service);
      equal(findings.streams?.result, 'fails');
      equal(findings.ends?.result, 'fails');
    });
  });

  describe('on a server that rejects requests', () => {
    const failure = (status: number, message: string, more: object = {}): Reply => ({
      status,
      json: { error: { message, type: 'error', param: null, code: null, ...more } },
    });
    const template = 'Jinja Exception: Conversation roles must alternate user/assistant/user/assistant/...';
    /** What a request is answered with, and the results of a row that a model must have and of one that it need not have. */
    const cases: Readonly<Record<string, readonly [reply: Reply, needed: CheckResult, extra: CheckResult]>> = {
      'a region': [
        failure(403, 'Country, region, or territory not supported', { code: 'unsupported_country_region_territory' }),
        'notChecked',
        'notChecked',
      ],
      'a permission': [failure(403, 'Your project may not use this model'), 'notChecked', 'notChecked'],
      'an identity': [
        failure(403, 'Your organization must be verified to use this model.'),
        'notChecked',
        'notChecked',
      ],
      'an identity, as a bad request': [
        failure(400, 'Your organization must be verified to use this model.', { type: 'invalid_request_error' }),
        'notChecked',
        'notChecked',
      ],
      moderation: [failure(400, 'The prompt was flagged by the content filter'), 'notChecked', 'notChecked'],
      'a balance': [failure(402, 'Insufficient credits'), 'notChecked', 'notChecked'],
      'a quota': [
        failure(429, 'You exceeded your current quota', { code: 'insufficient_quota' }),
        'notChecked',
        'notChecked',
      ],
      'a rate limit': [failure(429, 'Rate limit reached for requests'), 'notChecked', 'notChecked'],
      'an overload': [failure(503, 'The server is overloaded'), 'notChecked', 'notChecked'],
      'a model that is loading': [failure(503, 'Loading model'), 'notChecked', 'notChecked'],
      'a gateway': [
        { status: 502, headers: { 'content-type': 'text/html' }, raw: '<html>Bad Gateway</html>' },
        'notChecked',
        'notChecked',
      ],
      'a gateway that stopped waiting': [failure(504, 'upstream request timeout'), 'notChecked', 'notChecked'],
      'a web page': [
        { headers: { 'content-type': 'text/html' }, raw: '<!doctype html><title>Log in</title>' },
        'notChecked',
        'notChecked',
      ],
      'a key': [failure(401, 'Invalid API key'), 'notChecked', 'notChecked'],
      'an unknown model': [
        failure(404, 'The model `m` does not exist', { code: 'model_not_found' }),
        'notChecked',
        'notChecked',
      ],
      'the size of the body': [failure(413, 'Request entity too large'), 'notChecked', 'notChecked'],
      'the context': [failure(400, "This model's maximum context length is 8 tokens", {}), 'fails', 'fails'],
      'the chat template': [failure(500, template), 'fails', 'notOffered'],
      'a parameter': [failure(400, 'This is not supported', { type: 'invalid_request_error' }), 'fails', 'notOffered'],
      'a server error': [failure(500, 'Internal error'), 'fails', 'fails'],
      'an invalid response': [{ json: { status: 'fine' } }, 'fails', 'fails'],
    };
    const chunk = (content: string, finish: string | null = null) => ({
      choices: [{ index: 0, delta: { content }, finish_reason: finish }],
    });
    const serverWith = (answer: (body: Readonly<Record<string, unknown>>) => Reply, owner = 'vllm') =>
      started(
        startLoopbackService({
          root: '/v1',
          routes: {
            'GET /models': () => ({ json: { object: 'list', data: [{ id: 'm', owned_by: owner }] } }),
            'POST /chat/completions': (asked) => answer(jsonOf(asked) ?? {}),
          },
          missing: () => failure(404, 'Not Found'),
          failed: (error) => failure(500, String(error)),
        }),
      );

    for (const [name, [reply, needed, extra]] of Object.entries(cases)) {
      it(`counts a rejection because of ${name} as ${needed} and ${extra}`, async () => {
        const rejects = await serverWith(() => reply);
        const { results, findings, error, learned } = await check({
          baseUrl: rejects.baseUrl,
          model: 'm',
          service: 'vllm',
        });
        equal(results['answers'], needed, JSON.stringify(error));
        ok((findings.answers?.evidence ?? '') !== '');
        deepEqual(learned.checked, { at: 5 });

        const answers = await serverWith((body) =>
          body['response_format'] || body['tools']
            ? reply
            : { headers: streamHeaders, raw: eventsOf([chunk('Par'), chunk('is', 'stop')], 'data: [DONE]\n\n') },
        );
        const later = await check({ baseUrl: answers.baseUrl, model: 'm', service: 'vllm' });
        equal(later.results['answers'], 'works');
        equal(later.results['toolCall'], needed);
        equal(later.results['jsonMode'], extra);
        equal(later.learned.checked?.jsonMode, extra === 'notChecked' ? undefined : false);
      });
    }

    it('counts a tool that an engine without an option for it rejects as not offered', async () => {
      const service = await serverWith(
        (body) =>
          body['tools']
            ? failure(400, 'registry.ollama.ai/library/gemma:2b does not support tools')
            : { headers: streamHeaders, raw: eventsOf([chunk('Par'), chunk('is', 'stop')], 'data: [DONE]\n\n') },
        'library',
      );
      const { findings } = await check({ baseUrl: service.baseUrl, model: 'm', service: 'ollama' });
      equal(findings.toolCall?.result, 'notOffered');
    });

    it('leaves the end of a stream unchecked if the connection broke', async () => {
      const service = await serverWith(() => ({
        headers: streamHeaders,
        raw: eventsOf([chunk('Par'), { error: { message: 'Rate limit reached', code: 'rate_limit_exceeded' } }]),
      }));
      const { findings } = await check({ baseUrl: service.baseUrl, model: 'm', service: 'vllm' });
      deepEqual([findings.answers?.result, findings.ends?.result], ['works', 'notChecked']);
    });
  });
});
