import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Client } from '../../../../src/core/api/client';
import { isApiError } from '../../../../src/core/api/errors';
import type { MessageRequest } from '../../../../src/core/api/messages/messages.schema';
import { countInputTokens, countMessageTokens, tokensPerImage } from '../../../../src/core/tokens/countTokens';
import { estimateTokens } from '../../../../src/core/tokens/estimate';
import { LearnedTokens } from '../../../../src/core/tokens/learnedTokens';
import { expectedCost, expectedRequest } from '../../../../src/core/prices/paidWork';
import { DaySpending } from '../../../../src/core/usage/daySpending';
import { createDayTokens } from '../../../../src/core/usage/dayTokens';
import { meteredClient, type CallUse, type MeterHelp } from '../../../../src/core/usage/meteredClient';
import { dayOf, noUsage, tokensOf } from '../../../../src/core/usage/usage';
import type { Usage, UsageEntry } from '../../../../src/core/usage/usage';
import { createUsageLedger } from '../../../../src/core/usage/usageLedger';
import { toUsage, usageOf } from '../../../../src/core/usage/usageOf';
import type { CallUsage } from '../../../../src/core/usage/usageOf';
import { createTestClient } from '../../../support/apiClient';
import { startFailingService } from '../../../support/failingService';
import type { Failing, FailingService } from '../../../support/failingService';
import { setUpFolder } from '../../../support/temporaryFolder';
import { until } from '../../../support/until';
import { openDemo } from '../../demo/demoService';
import type { TestDemo } from '../../demo/demoService';

const query = 'how to renew a passport';
const documents = ['a recipe for soup', 'passports are renewed at the town hall'];
const messages = [{ role: 'user', content: query }] as const;
const models = {
  chat: 'Qwen/Qwen3-30B-A3B-Instruct-2507',
  completion: 'Qwen/Qwen2.5-Coder-32B-Instruct',
  rerank: 'Qwen/Qwen3-Reranker-8B',
  embedding: 'Qwen/Qwen3-Embedding-8B',
};
const question: MessageRequest = { model: models.chat, messages };
const completion = { model: models.completion, prompt: query };
const chat = { model: models.chat, messages };
const ranking = { model: models.rerank, query, documents };
const vectors = { model: models.embedding, input: documents };

function rethrow(error: unknown): never {
  throw error;
}

async function drained(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const _part of stream);
}

/** Every method of the client that uses tokens. */
const calls: Readonly<Record<string, (client: Client, signal?: AbortSignal) => Promise<unknown>>> = {
  'chat.create': (client, signal) => client.chat.create(question, signal),
  'chat.stream': (client, signal) => drained(client.chat.stream(question, signal)),
  'messages.create': (client, signal) => client.messages.create(question, signal),
  'messages.stream': (client, signal) => drained(client.messages.stream(question, signal)),
  'completions.create': (client, signal) => client.completions.create(completion, signal),
  'completions.stream': (client, signal) => drained(client.completions.stream(completion, signal)),
  'chatCompletions.chunks': (client, signal) => drained(client.chatCompletions.chunks(chat, { signal })),
  'rerank.create': (client, signal) => client.rerank.create(ranking, signal),
  'embeddings.create': (client, signal) => client.embeddings.create(vectors, signal),
};

/** What of the client uses no tokens. A noun that is in neither list has to be thought about. */
const free: Readonly<Record<string, readonly string[]>> = {
  chat: ['written'],
  images: ['generate'],
  videos: ['submit', 'status'],
  voices: ['list', 'upload', 'delete'],
  files: ['list', 'upload', 'content', 'retrieve', 'delete'],
  batches: ['create', 'list', 'retrieve', 'cancel', 'form', 'createInline', 'results', 'delete'],
  models: ['list'],
  account: ['info'],
  speech: ['create'],
  transcriptions: ['create'],
};

const estimateOf = (name: string): Usage => {
  const noun = name.slice(0, name.indexOf('.'));
  const usage: Readonly<Record<string, CallUsage>> = {
    chat: usageOf('messages', question),
    messages: usageOf('messages', question),
    completions: usageOf('completions', completion),
    chatCompletions: usageOf('chatCompletions', chat),
    rerank: usageOf('rerank', ranking),
    embeddings: usageOf('embeddings', vectors),
  };
  return toUsage(usage[noun]!);
};

describe('A metered client', () => {
  const folder = setUpFolder();
  let limit = 0;
  let reported: CallUsage[];
  beforeEach(() => {
    limit = 0;
    reported = [];
  });

  const ledger = () => createUsageLedger(folder.in('usage'), () => undefined);
  const counted = () => ledger().total('mine', Date.now());
  const openMeter = () =>
    createDayTokens({
      ledger: ledger(),
      account: 'mine',
      budget: () => ({ soft: 0, hard: limit }),
      refuse: () => new Error('used up'),
    });
  const metered = (client: Client, meter = openMeter(), use: CallUse = {}) =>
    meteredClient(client, meter, { ...use, onUsage: (usage) => reported.push(usage) });

  describe('at a service that responds', () => {
    let demo: TestDemo;
    let client: Client;
    beforeEach(async () => {
      demo = await openDemo();
      ({ client } = createTestClient(demo.baseUrl, { apiKey: () => Promise.resolve(demo.apiKey) }));
    });
    afterEach(() => demo.close());

    it('records the cost of responses by known prices in the ledger', async () => {
      const meter = openMeter();
      const pricesOf = (model: string) => (model === models.chat ? { input: 0.5, output: 2 } : undefined);
      const priced = meteredClient(client, meter, { onUsage: (usage) => reported.push(usage) }, { pricesOf });
      await priced.messages.create(question);
      await drained(priced.chatCompletions.chunks(chat));
      await priced.rerank.create(ranking);
      await meter.settled();
      const [created, streamed] = reported.map(({ inputTokens, outputTokens }) => inputTokens * 0.5 + outputTokens * 2);
      deepEqual(
        reported.map(({ cost }) => cost),
        [created, streamed, undefined],
      );
      equal((await counted()).cost, created! + streamed!);
    });

    for (const [name, call] of Object.entries(calls))
      it(`reserves the price of ${name} until its charge is counted, and sends no request beyond the cap`, async () => {
        const prices = { ofTokens: () => ({ input: 1, output: 0 }), ofPiece: () => undefined, batchDiscount: 1 };
        const spending = (account: string) =>
          new DaySpending({ path: folder.in('spending.json'), ledger: ledger(), account, onError: rethrow });
        const own = spending('mine');
        let cap = 1e6;
        const held: number[] = [];
        const meter = openMeter();
        const holdMoney: MeterHelp['holdMoney'] = async (request) => {
          const expected = expectedCost(expectedRequest(request), prices);
          const money = await own.hold(
            cap,
            () => new Error('beyond the cap'),
            expected,
            async () => 0,
          );
          held.push(await spending('of another window').held());
          return money;
        };
        const capped = meteredClient(client, meter, {}, { holdMoney, pricesOf: prices.ofTokens });
        await call(capped);
        ok(held[0]! > 0);
        await until(async () => (await own.held()) === 0 || undefined, 'the release');
        ok(((await counted()).cost ?? 0) > 0);
        cap = held[0]! / 2;
        const before = (await demo.control('requests')).body['requests'];
        await rejects(call(capped), /beyond the cap/);
        deepEqual((await demo.control('requests')).body['requests'], before);
        deepEqual([await own.held(), ledger().held('mine')], [0, 0]);
      });

    it("learns the model's token counts from the service", async () => {
      const factors = new LearnedTokens({ read: async () => undefined, write: async () => undefined }, rethrow);
      const long = { ...question, messages: [{ role: 'user' as const, content: '1234567890 '.repeat(40) }] };
      const meter = openMeter();
      const learning = meteredClient(client, meter, { onUsage: (usage) => reported.push(usage) }, { learned: factors });
      for (let times = 0; times < 3; times++) await learning.messages.create(long);
      const counted = reported[0]!.inputTokens;
      equal(Math.round(countInputTokens(long) * factors.factorOf(models.chat)), counted);
      ok(Math.abs(factors.factorOf(models.chat) - 1) > 0.05);
    });

    for (const [name, call] of Object.entries(calls)) {
      it(`records one line for ${name}, reports it once, and releases its reservation`, async () => {
        const meter = openMeter();
        await call(metered(client, meter));
        await meter.settled();
        const file = folder.in(`usage/mine/${dayOf(Date.now())}.jsonl`);
        const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
        equal(lines.length, 1);
        equal(reported.length, 1);
        deepEqual(await counted(), toUsage(reported[0]!));
        ok(reported[0]!.inputTokens > 0);
        equal(ledger().held('mine'), 0);
      });

      // Both have no output, so that what they use is known before.
      const isKnown = /^(rerank|embeddings)/.test(name);
      it(`sends no request for ${name} once the budget is used${isKnown ? ', or if it would exceed it' : ''}`, async () => {
        limit = 1;
        await ledger().add('mine', { at: Date.now(), model: 'm', inputTokens: 1, outputTokens: 0 });
        await rejects(call(metered(client)), /used up/);
        const { body } = await demo.control('requests');
        deepEqual(body['requests'], []);
        deepEqual(await counted(), { inputTokens: 1, outputTokens: 0 });
        equal(ledger().held('mine'), 0);
        limit = 3;
        const sending = call(metered(client));
        await (isKnown ? rejects(sending, /used up/) : sending);
      });
    }

    it('records the purpose with each line', async () => {
      const uses: readonly CallUse[] = [{}, { purpose: 'ghostText' }, { purpose: 'chat' }, { source: 'vsCodeChat' }];
      const meter = openMeter();
      for (const use of uses) {
        await calls['completions.create']!(metered(client, meter, use));
        await meter.settled();
      }
      const text = await readFile(folder.in(`usage/mine/${dayOf(Date.now())}.jsonl`), 'utf8');
      const lines = text.split('\n').filter((line) => line !== '');
      deepEqual(
        lines.map((line) => (JSON.parse(line) as UsageEntry).source),
        ['other', 'inlineSuggestions', 'chat', 'vsCodeChat'],
      );
    });

    it('covers every method that uses tokens', () => {
      const known = (noun: string) => [
        ...(free[noun] ?? []),
        ...Object.keys(calls).flatMap((name) => (name.startsWith(`${noun}.`) ? [name.slice(noun.length + 1)] : [])),
      ];
      const unknown = Object.entries(client)
        .filter(([, noun]) => typeof noun === 'object')
        .flatMap(([name, noun]) =>
          Object.keys(noun as object)
            .filter((method) => method !== 'warnings' && !known(name).includes(method))
            .map((method) => `${name}.${method}`),
        );
      deepEqual(unknown, []);
    });

    it("uses the service's counts", async () => {
      const { usage } = await metered(client).messages.create(question);
      deepEqual(reported, [{ inputTokens: usage.input_tokens, outputTokens: usage.output_tokens }]);
    });

    it('estimates an abandoned response as far as it was read', async () => {
      let text = '';
      for await (const event of metered(client).messages.stream(question)) {
        if (event.type === 'text') text += event.text;
        if (text.length > 20) break;
      }
      equal(reported.length, 1);
      equal(reported[0]!.outputTokens, estimateTokens(text));
      equal(reported[0]!.outputIsEstimate, true);
      equal(reported[0]!.inputIsEstimate, undefined);
    });
  });

  describe('at a service that fails', () => {
    let service: FailingService;
    beforeEach(async () => void (service = await startFailingService()));
    afterEach(() => service.close());
    const client = () => metered(createTestClient(service.baseUrl).client);

    for (const [name, call] of Object.entries(calls)) {
      for (const how of ['cut', 'broken'] as const satisfies readonly Failing[]) {
        it(`estimates ${name} if it may have been charged: ${how}`, async () => {
          service.fail(how);
          await rejects(call(client()), isApiError);
          deepEqual(await counted(), estimateOf(name));
        });
      }

      it(`estimates ${name} if it was abandoned after sending, before another request is sent`, async () => {
        service.fail('silent');
        const leaving = new AbortController();
        limit = tokensOf(estimateOf(name));
        const open = client();
        const arrived = service.arrived();
        const asking = call(open, leaving.signal);
        await arrived;
        leaving.abort();
        await rejects(asking, (error) => isApiError(error) && error.kind === 'aborted');
        await rejects(call(open), /used up/);
        deepEqual(await counted(), estimateOf(name));
      });

      it(`doesn't count ${name} if the service rejected it or nothing was sent, and releases its reservation`, async () => {
        service.fail('refused');
        await rejects(call(client()), isApiError);
        await rejects(call(client(), AbortSignal.abort()));
        deepEqual(await counted(), noUsage);
        deepEqual(reported, []);
        equal(ledger().held('mine'), 0);
      });
    }

    const read = [
      'Passports are renewed at the town hall.',
      'Bring a photograph of yourself, too.',
      'find_opening_hours',
    ];
    const cities = '{"city":"Bonn","country":"Germany"}';
    const deltas = [
      { index: 0, delta: { reasoning_content: read[0] } },
      { index: 1, delta: { content: read[1] } },
      { index: 0, delta: { tool_calls: [{ index: 0, id: 'a', function: { name: read[2], arguments: '' } }] } },
      { index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: cities } }] } },
    ];
    const parts: Readonly<Record<string, readonly (readonly [text: string, choice: object])[]>> = {
      'completions.stream': read.map((text, index) => [text, { index: index % 2, text }]),
      'chatCompletions.chunks': [...read, cities].map((text, index) => [text, deltas[index]!]),
    };
    for (const [name, all] of Object.entries(parts))
      it(`estimates ${name} by all that was read if it breaks off`, async () => {
        service.breakOff(all.map(([, choice]) => ({ id: 'r', choices: [choice] })));
        await calls[name]!(client()).catch(() => undefined);
        equal(reported.length, 1);
        const expected = all.reduce((sum, [text]) => sum + estimateTokens(text), 0);
        const { outputTokens, outputIsEstimate } = reported[0]!;
        ok(outputIsEstimate);
        // Pieces of one choice are joined, which may be a token more or less.
        ok(Math.abs(outputTokens - expected) <= all.length, `${outputTokens} instead of ${expected}`);
      });

    it('treats a count of 0 as missing, and estimates by the texts', async () => {
      service.answer({
        id: 'r',
        results: documents.map((_, index) => ({ index, relevance_score: 0.5 })),
        tokens: { input_tokens: 0, output_tokens: 0 },
      });
      await calls['rerank.create']!(client());
      deepEqual(await counted(), estimateOf('rerank.create'));
      service.answer({
        data: documents.map((_, index) => ({ index, embedding: [1, 0] })),
        usage: { prompt_tokens: 0, total_tokens: 0 },
      });
      await calls['embeddings.create']!(client());
      const { inputTokens } = await counted();
      equal(inputTokens, estimateOf('rerank.create').inputTokens + estimateOf('embeddings.create').inputTokens);
    });
  });
});

describe('The usage of a call', () => {
  const text = 'Because it allocates a string per byte.';
  const asked = { messages, system: 'Be brief.' };
  const input = countInputTokens(asked);
  const estimated = { inputTokens: input, inputIsEstimate: true };
  const of = (usage: object) => usageOf('messages', asked, { content: [{ type: 'text', text }], usage });

  it("is the service's count if available, separately for each part", () => {
    deepEqual(of({ input_tokens: 30, output_tokens: 12 }), { inputTokens: 30, outputTokens: 12 });
    deepEqual(of({ input_tokens: 30 }), {
      inputTokens: 30,
      outputTokens: estimateTokens(text),
      outputIsEstimate: true,
    });
    deepEqual(of({ input_tokens: 0, output_tokens: 3 }), { ...estimated, outputTokens: 3 });
    deepEqual(of({}), { ...estimated, outputTokens: estimateTokens(text), outputIsEstimate: true });
    for (const part of [{ inputIsEstimate: true }, { outputIsEstimate: true }] as const)
      equal(toUsage({ inputTokens: 1, outputTokens: 1, ...part }).isEstimate, true);
    const embeddings = (usage: object) => usageOf('embeddings', vectors, { data: [], usage } as never).inputTokens;
    deepEqual([embeddings({ prompt_tokens: 7, total_tokens: 8 }), embeddings({ total_tokens: 8 })], [7, 8]);
  });

  it('is the input if there was no response', () => {
    deepEqual(usageOf('messages', asked), { ...estimated, outputTokens: 0, outputIsEstimate: true });
  });

  it('estimates an image by its visual tokens, not by its bytes, and tools by their text', () => {
    const estimate = countInputTokens({
      ...asked,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: query },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0K'.repeat(50_000) } },
          ],
        },
      ],
      tools: [{ name: 'look', description: query, input_schema: { type: 'object' } }],
    });
    ok(estimate > input + tokensPerImage && estimate < input + tokensPerImage + 60, String(estimate));
  });

  it('includes the cost reported by the service', () => {
    equal(of({ input_tokens: 30, output_tokens: 12, cost: 0.0125 }).cost, 0.0125);
    equal('cost' in of({ input_tokens: 30, output_tokens: 12 }), false);
    const ranked = usageOf('rerank', { query, documents }, { results: [], tokens: { input_tokens: 3, cost: 0.002 } });
    deepEqual(toUsage(ranked), { inputTokens: 3, outputTokens: 0, cost: 0.002 });
  });

  it("is corrected by the model's earlier counts if it is only estimated", () => {
    const factor = 1.5;
    deepEqual(usageOf('messages', asked, undefined, factor).inputTokens, Math.ceil(input * factor));
    deepEqual(usageOf('messages', asked, { content: [], usage: { input_tokens: 30 } }, factor).inputTokens, 30);
  });

  it("of a completion is the service's count, or else estimated from the request and each choice", () => {
    const sent = { prompt: 'one two three', suffix: 'four five' };
    const choices = [{ index: 0, text: 'six' }];
    deepEqual(usageOf('completions', sent, { choices, usage: { prompt_tokens: 7, completion_tokens: 2 } }), {
      inputTokens: 7,
      outputTokens: 2,
    });
    for (const usage of [{}, { prompt_tokens: 0, completion_tokens: -1 }]) {
      deepEqual(toUsage(usageOf('completions', sent, { choices, usage })), {
        inputTokens: 5,
        outputTokens: 1,
        isEstimate: true,
      });
    }
  });

  it('of a user-written body is estimated from the texts and images of its messages', () => {
    const body = {
      messages: [{ role: 'user', content: [{ type: 'text', text: 'one two three' }, { type: 'image_url' }] }],
    };
    const inputTokens = countMessageTokens('one two three') + tokensPerImage;
    deepEqual(toUsage(usageOf('chatCompletions', body)), { inputTokens, outputTokens: 0, isEstimate: true });
    const choices = [{ reasoning: '', text: 'four five', calls: [], finish: undefined }];
    deepEqual(toUsage(usageOf('chatCompletions', body, { choices, usage: {} })), {
      inputTokens,
      outputTokens: 2,
      isEstimate: true,
    });
  });
});
