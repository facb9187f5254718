import assert from 'node:assert/strict';
import { reportedCost } from '../../../../src/core/api/reportedCost';
import { listedPrices } from '../../../../src/core/api/models/listedPrices';
import { addRanges, enteredPrices, priceRange, tokenCost } from '../../../../src/core/prices/prices';
import type { Price } from '../../../../src/core/prices/prices';

const close = (one: number | undefined, other: number) =>
  assert.ok(one !== undefined && Math.abs(one - other) < 1e-12, `${one} instead of ${other}`);

describe('the prices in a model list', () => {
  const million = 1e6;
  const lists: Readonly<Record<string, object>> = {
    OpenRouter: { pricing: { prompt: '0.0000005', completion: '0.0000015', request: '0', image: '0.00048' } },
    Vercel: { pricing: { input: '0.0000005', output: '0.0000015', input_cache_read: '0.0000001' } },
    Together: { pricing: { hourly: 0, input: 0.5, output: 1.5, base: 0, finetune: 0 } },
    DeepInfra: { metadata: { pricing: { input_tokens: 0.5, output_tokens: 1.5 } } },
    Venice: { model_spec: { pricing: { input: { usd: 0.5, diem: 0.5 }, output: { usd: 1.5, diem: 1.5 } } } },
    Chutes: { pricing: { prompt: 0.5, completion: 1.5 } },
    LiteLLM: { model_info: { input_cost_per_token: 5e-7, output_cost_per_token: 1.5e-6 } },
    Novita: { input_token_price_per_m: 5000, output_token_price_per_m: 15_000 },
    'Novita, in its newer form': { pricing: { prompt: { price_per_m: 5000 }, completion: { price_per_m: 15_000 } } },
    xAI: { prompt_text_token_price: 5000, completion_text_token_price: 15_000, prompt_image_token_price: 5000 },
    Requesty: { input_price: 5e-7, output_price: 1.5e-6, cached_price: 5e-8 },
    NanoGPT: { pricing: { prompt: 0.5, completion: 1.5, currency: 'USD', unit: 'per_million_tokens' } },
    'a list per 1K tokens': { pricing: { prompt: 0.0005, completion: 0.0015, unit: '1K tokens' } },
    AIHubMix: { types: 'llm', pricing: { input: 0.5, output: 1.5, cache_read: 0.05 } },
    Synthetic: { pricing: { prompt: '$0.0000005', completion: '$0.0000015' } },
    Glama: { pricePerToken: { input: '0.0000005', output: '0.0000015' } },
    Cortecs: { pricing: { input_token: 0.5, output_token: 1.5, currency: 'USD' } },
  };
  for (const [service, entry] of Object.entries(lists))
    it(`are read from ${service}`, () => {
      const { input, output } = listedPrices({ id: 'm', ...entry }) ?? {};
      close(input! * million, 0.5);
      close(output! * million, 1.5);
    });

  it('may be 0, which is not the same as unknown', () => {
    assert.deepEqual(listedPrices({ pricing: { prompt: '0', completion: '0' } }), { input: 0, output: 0 });
  });

  it('include the price of a request and of a generated image', () => {
    assert.deepEqual(listedPrices({ pricing: { prompt: '0', completion: '0', request: '0.005' } })?.request, 0.005);
    assert.deepEqual(listedPrices({ type: 'image', pricing: { image: '0.04' } }), { image: 0.04 });
    assert.deepEqual(
      listedPrices({ type: 'image', model_spec: { pricing: { generation: { usd: 0.01, diem: 0.01 } } } }),
      {
        image: 0.01,
      },
    );
    const litellm = { mode: 'image_generation', input_cost_per_image: 0.04, input_cost_per_token: 0 };
    assert.deepEqual(listedPrices({ model_info: litellm }), { image: 0.04 });
    const reranker = { mode: 'rerank', input_cost_per_query: 0.002, input_cost_per_token: 0 };
    assert.deepEqual(listedPrices({ model_info: reranker }), { input: 0, request: 0.002 });
  });

  it("don't confuse the price of an input image with that of a generated one", () => {
    assert.equal(
      listedPrices({ pricing: { prompt: '0.000001', completion: '0.000002', image: '0.003' } })?.image,
      undefined,
    );
  });

  for (const [what, odd] of Object.entries({
    'speech by the character': { type: 'tts', model_spec: { pricing: { input: { usd: 3.5 } } } },
    'audio by the minute': { type: 'audio', pricing: { hourly: 0, input: 65, output: 0 } },
    'images by their pixels': { type: 'image', pricing: { hourly: 0, input: 0.0027, output: 0 } },
    'a machine by the hour': { pricing: { hourly: 4.2, input: 0, output: 0 } },
    seconds: { pricing: { input: 0.002, output: 0.002, unit_type: 'SECOND' } },
    'another currency': { pricing: { input_token: 0.5, output_token: 1.5, currency: 'EUR' } },
    'ratios of New API': { model_ratio: 1.25, completion_ratio: 4, quota_type: 0 },
    'several providers': { providers: [{ pricing: { input: 1, output: 2 } }, { pricing: { input: 3, output: 4 } }] },
    'a tier of GitHub Models': { rate_limit_tier: 'high', limits: { max_input_tokens: 8000 } },
  }))
    it(`are unknown for ${what}`, () => assert.equal(listedPrices({ id: 'm', ...odd }), undefined));

  for (const odd of [
    undefined,
    'text',
    {},
    { pricing: null },
    { pricing: 'free' },
    { pricing: { prompt: '-1', completion: '-1' } },
    { pricing: { prompt: 'call us', request: '0' } },
    { pricing: { prompt: {}, completion: [] } },
  ])
    it(`are unknown for ${JSON.stringify(odd)}`, () => assert.equal(listedPrices(odd), undefined));
});

describe('the cost that a response reports', () => {
  it('is read as a number, as a total, and in the ticks of xAI', () => {
    for (const usage of [
      { cost: 0.0038 },
      { cost: '0.0038' },
      { cost: { total_cost: 0.0038 } },
      { cost_in_usd_ticks: 38_000_000 },
    ])
      close(reportedCost(usage), 0.0038);
    for (const odd of [
      undefined,
      {},
      { cost: -1 },
      { cost: 'free' },
      { cost_in_usd_ticks: '12' },
      { cost_in_usd_ticks: -5 },
    ])
      assert.equal(reportedCost(odd), undefined);
  });
});

describe('prices entered by the user', () => {
  const setting = { 'Qwen/*': { input: 2, output: 6 }, '*flux*': { image: 0.03 }, 'exact/one': { input: 0 } };

  it('apply to the models that match the first pattern, in any case', () => {
    const { input, output } = enteredPrices(setting, 'qwen/Qwen3-8B') ?? {};
    close(input! * 1e6, 2);
    close(output! * 1e6, 6);
    assert.deepEqual(enteredPrices(setting, 'black-forest-labs/FLUX.2'), { image: 0.03 });
    assert.deepEqual(enteredPrices(setting, 'exact/one'), { input: 0 });
    assert.equal(enteredPrices(setting, 'exact/one-more'), undefined);
    assert.equal(enteredPrices(setting, 'other'), undefined);
  });

  it("are ignored if they aren't amounts", () => {
    for (const odd of [null, [], { '*': 3 }, { '*': { input: 'x' } }, { '*': { input: -1 } }])
      assert.equal(enteredPrices(odd, 'a'), undefined);
  });

  it('are matched quickly for any pattern', () => {
    assert.equal(enteredPrices({ [`${'*a'.repeat(5000)}b`]: { input: 1 } }, 'a'.repeat(20_000)), undefined);
  });
});

describe('the price of a run', () => {
  const price: Price = { input: 1e-6, output: 4e-6, request: 0.01, source: 'list' };

  it('ranges from the input to responses at their limit', () => {
    const range = priceRange(price, { requests: 2, inputTokens: 1000, outputLimit: 500 });
    close(range?.least, 0.02 + 0.001);
    close(range?.most, 0.02 + 0.001 + 0.002);
  });

  it('has no upper end without limits or earlier responses', () => {
    const range = priceRange(price, { requests: 2, inputTokens: 1000, outputLimit: undefined });
    close(range?.least, 0.02 + 0.001);
    assert.deepEqual([range?.most, range?.mostBy], [undefined, undefined]);
  });

  it('ranges from usual responses to the longest recent one without limits, and includes a discount', () => {
    const output = { usual: 100, longest: 400 };
    const range = priceRange(price, { requests: 2, inputTokens: 1000, outputLimit: undefined, output }, 0.5);
    close(range?.least, (0.02 + 0.001 + 0.0008) / 2);
    close(range?.most, (0.02 + 0.001 + 0.0032) / 2);
    assert.deepEqual([range?.hasUsualOutput, range?.mostBy], [true, 'longest']);
  });

  it('never includes responses beyond their limit', () => {
    const output = { usual: 1000, longest: 4000 };
    const range = priceRange(price, { requests: 2, inputTokens: 1000, outputLimit: 500, output });
    close(range?.least, 0.02 + 0.001 + 0.002);
    close(range?.most, 0.02 + 0.001 + 0.002);
    assert.equal(range?.mostBy, 'limit');
  });

  it('is unknown if one of its prices is unknown', () => {
    assert.equal(priceRange(undefined, { requests: 1, inputTokens: 1, outputLimit: 1 }), undefined);
    assert.equal(priceRange({ output: 1, source: 'list' }, { requests: 1, inputTokens: 1, outputLimit: 1 }), undefined);
    assert.equal(tokenCost({ input: 1 }, { inputTokens: 1, outputTokens: 1 }), undefined);
    close(tokenCost({ input: 2 }, { inputTokens: 3, outputTokens: 0 }), 6);
    assert.equal(addRanges([priceRange(price, { requests: 1, inputTokens: 1, outputLimit: 1 }), undefined]), undefined);
    assert.equal(addRanges([]), undefined);
  });

  it('of several models is their sum, with the least certain source', () => {
    const one = priceRange(price, { requests: 1, inputTokens: 1000, outputLimit: 500 });
    const other = priceRange({ ...price, source: 'learned' }, { requests: 1, inputTokens: 1000, outputLimit: 500 });
    const sum = addRanges([one, other]);
    close(sum?.least, 2 * one!.least);
    close(sum?.most, 2 * one!.most!);
    assert.equal(sum?.source, 'learned');
  });
});
