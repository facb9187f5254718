import assert from 'node:assert/strict';
import { createClient } from '../../../../src/core/api/client';
import { createOfferStore } from '../../../../src/core/api/offers';
import { createUndiciStack } from '../../../../src/core/api/transport/undiciTransport';
import { readParameterText } from '../../../../src/core/completion/parameterText';
import { acceptedAt } from '../../../../src/core/parameters/parameterTable';
import { rulesOf, vendorRules } from '../../../../src/core/profiles/vendorRules';
import { readPrompt } from '../../../../src/core/prompts/readPrompt';
import { failureOf } from '../../../support/apiClient';
import { startFixtureServer } from '../../../support/fixtureServer';
import type { FixtureServer } from '../../../support/fixtureServer';

describe('the rules of the public service', () => {
  it('apply only at its two hosts, at the demo service, and while signed out', () => {
    for (const address of [
      'https://api.siliconflow.com/v1',
      'https://api.siliconflow.cn/v1',
      'http://127.0.0.1:4711/demo/v1',
      undefined,
    ]) {
      assert.equal(rulesOf(address), vendorRules, address);
    }
    for (const address of [
      'https://api.openai.com/v1',
      'https://openrouter.ai/api/v1',
      'http://localhost:11434/v1',
      'http://127.0.0.1:8080/v1',
      'https://api.siliconflow.com.example/v1',
      'https://gateway.example/siliconflow/v1',
    ]) {
      const rules = rulesOf(address);
      assert.deepEqual([rules.bounds, rules.messageLimit, rules.voiceModel], [{}, undefined, undefined], address);
      assert.deepEqual([rules.hasModelFilters, rules.batch.isPaidFromCharge], [false, false]);
      // An unknown service is asked once whether it tells a balance.
      assert.equal(rules.hasBalance, address.includes('siliconflow'), address);
    }
  });

  it('limit the completion window and the size of a batch, unlike those of OpenAI and unknown services', () => {
    const { hours, requests, bytes, isHalfPrice } = vendorRules.batch;
    assert.deepEqual([hours, requests, bytes, isHalfPrice], [{ least: 24, most: 336 }, 5000, 1024 ** 3, true]);
    const openAi = rulesOf('https://api.openai.com/v1').batch;
    assert.deepEqual(
      [openAi.hours, openAi.requests, openAi.bytes, openAi.isHalfPrice],
      [{ least: 24, most: 24 }, 50_000, 200_000_000, true],
    );
    const other = rulesOf('http://localhost:8000/v1').batch;
    assert.deepEqual(
      [other.hours, other.requests, other.bytes, other.isHalfPrice],
      [undefined, undefined, undefined, false],
    );
  });

  it('report as errors what only it rejects in a batch file, while leaked keys and invalid lines are errors everywhere', () => {
    assert.deepEqual(vendorRules.batch.severities, {});
    const [openAi, other] = ['https://api.openai.com/v1', 'http://localhost:8000/v1'].map(
      (address) => rulesOf(address).batch.severities,
    );
    const codes = [
      'file.too-many-requests',
      'file.too-large',
      'body.unknown-member',
      'parameter.out-of-bounds',
    ] as const;
    // OpenAI's limits and members are known.
    assert.deepEqual(
      [openAi, other].map((severities) => codes.map((code) => severities?.[code])),
      [
        ['error', 'error', 'warning', 'error'],
        ['off', 'off', 'hint', 'warning'],
      ],
    );
    for (const severities of [openAi, other]) {
      const everywhere = ['line.secret', 'line.not-json', 'custom-id.duplicate', 'url.unknown', 'file.bom'] as const;
      assert.ok(everywhere.every((code) => severities?.[code] === undefined));
    }
    // OpenAI takes one model a file, too. https://platform.openai.com/docs/guides/batch
    assert.deepEqual([openAi?.['model.mixed'], other?.['model.mixed']], [undefined, 'warning']);
  });

  it('limit parameters on its pages and in prompt files, and others follow OpenAI', () => {
    const own = vendorRules.bounds;
    const range = (bounds: typeof own) => {
      const { min, max, advised } = acceptedAt('completions', 'temperature', bounds);
      return [min, max, advised];
    };
    assert.deepEqual(range(own), [0, 1, undefined]);
    assert.deepEqual(range({}), [0, 2, undefined]);
    const faults = (bounds: typeof own) => readParameterText('{"temperature":1.5,"n":129}', bounds).issues.length;
    assert.deepEqual([faults(own), faults({})], [2, 1]);
    const file = '---\nparameters: { top_k: 80, top_p: 0.05, temperature: 3 }\n---\nHello';
    const codes = (bounds: typeof own) => readPrompt(file, bounds).problems.map(({ code, name }) => `${code} ${name}`);
    assert.deepEqual(codes(own), [
      'parameter.unusual top_k',
      'parameter.unusual top_p',
      'parameter.out-of-bounds temperature',
    ]);
    assert.deepEqual(codes({}), ['parameter.out-of-bounds temperature']);
  });
});

describe('a client with the rules of a service', () => {
  let server: FixtureServer;
  beforeEach(async () => void (server = await startFixtureServer()));
  afterEach(() => server.close());

  const clientOf = (address: string) => {
    const { bounds, hasBalance } = rulesOf(address);
    const options = { apiKey: async () => 'sk-1', stack: createUndiciStack(), offers: createOfferStore() };
    return createClient({ baseUrl: server.baseUrl, bounds, hasBalance, ...options });
  };
  const completion = { model: 'm', prompt: 'x', temperature: 1.5 };
  const body = JSON.stringify({ id: 'c', choices: [{ text: 'y', finish_reason: 'stop' }] });

  it('rejects unsupported requests before sending, and sends the same to another service', async () => {
    server.answer({ body });
    const vendor = clientOf('https://api.siliconflow.com/v1');
    assert.equal((await failureOf(vendor.completions.create(completion))).kind, 'invalidParameter');
    const video = { model: 'm', prompt: 'x', image_size: '640x480' };
    assert.equal((await failureOf(vendor.videos.submit(video))).kind, 'invalidParameter');
    assert.equal(server.seen.length, 0);
    const other = clientOf('https://api.openai.com/v1');
    assert.equal((await other.completions.create(completion)).choices[0]?.text, 'y');
    assert.equal(
      (await failureOf(other.completions.create({ ...completion, temperature: 2.5 }))).kind,
      'invalidParameter',
    );
    assert.equal(server.seen.length, 1);
    await Promise.all([vendor.close(), other.close()]);
  });

  it('requests no balance from another service', async () => {
    const other = clientOf('http://localhost:11434/v1');
    assert.equal((await failureOf(other.account.info())).kind, 'notOffered');
    assert.equal(server.seen.length, 0);
    await other.close();
  });
});
