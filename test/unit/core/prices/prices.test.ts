import assert from 'node:assert/strict';
import { listedPrices } from '../../../../src/core/api/models/listedPrices';
import { addRanges, enteredPrices, priceRange, tokenCost } from '../../../../src/core/prices/prices';
import type { Price } from '../../../../src/core/prices/prices';

const close = (one: number | undefined, other: number) =>
  assert.ok(one !== undefined && Math.abs(one - other) < 1e-12, `${one} instead of ${other}`);

describe('the prices in a list of models', () => {
  const million = 1e6;
  const lists: Readonly<Record<string, object>> = {
    OpenRouter: { pricing: { prompt: '0.0000005', completion: '0.0000015', request: '0', image: '0.00048' } },
    Vercel: { pricing: { input: '0.0000005', output: '0.0000015', input_cache_read: '0.0000001' } },
    Together: { pricing: { hourly: 0, input: 0.5, output: 1.5, base: 0, finetune: 0 } },
    DeepInfra: { metadata: { pricing: { input_tokens: 0.5, output_tokens: 1.5 } } },
    Venice: { model_spec: { pricing: { input: { usd: 0.5, diem: 0.5 }, output: { usd: 1.5, diem: 1.5 } } } },
    Chutes: { pricing: { prompt: 0.5, completion: 1.5 } },
    LiteLLM: { model_info: { input_cost_per_token: 5e-7, output_cost_per_token: 1.5e-6 } },
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

describe('prices that a user entered', () => {
  const setting = { 'Qwen/*': { input: 2, output: 6 }, '*flux*': { image: 0.03 }, 'exact/one': { input: 0 } };

  it('apply to the models that fit the first pattern, in any case of letters', () => {
    const { input, output } = enteredPrices(setting, 'qwen/Qwen3-8B') ?? {};
    close(input! * 1e6, 2);
    close(output! * 1e6, 6);
    assert.deepEqual(enteredPrices(setting, 'black-forest-labs/FLUX.2'), { image: 0.03 });
    assert.deepEqual(enteredPrices(setting, 'exact/one'), { input: 0 });
    assert.equal(enteredPrices(setting, 'exact/one-more'), undefined);
    assert.equal(enteredPrices(setting, 'other'), undefined);
  });

  it('are ignored if they are not amounts', () => {
    for (const odd of [null, [], { '*': 3 }, { '*': { input: 'x' } }, { '*': { input: -1 } }])
      assert.equal(enteredPrices(odd, 'a'), undefined);
  });

  it('are matched quickly whatever the pattern', () => {
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

  it('has no end without limits if nothing is known of earlier responses', () => {
    const range = priceRange(price, { requests: 2, inputTokens: 1000, outputLimit: undefined });
    close(range?.least, 0.02 + 0.001);
    assert.deepEqual([range?.most, range?.mostBy], [undefined, undefined]);
  });

  it('ranges from usual responses to the longest recent one without limits, and is less with a discount', () => {
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

  it('is unknown if a price that it takes is unknown', () => {
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
