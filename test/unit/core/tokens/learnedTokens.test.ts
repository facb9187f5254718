import assert from 'node:assert/strict';
import { LearnedTokens, readLearnedTokens } from '../../../../src/core/tokens/learnedTokens';
import type { StoredTokens } from '../../../../src/core/tokens/learnedTokens';

describe('learned token counts of a model', () => {
  let stored: StoredTokens | undefined;
  const open = () =>
    new LearnedTokens(
      { read: async () => stored, write: async (factors) => void (stored = JSON.parse(JSON.stringify(factors))) },
      (error) => assert.fail(String(error)),
    );
  const learned = async (ratios: readonly number[], estimated = 1000, model = 'a') => {
    const factors = open();
    await factors.load();
    for (const ratio of ratios) factors.learnInput(model, estimated, estimated * ratio);
    await new Promise(setImmediate);
    return factors;
  };
  beforeEach(() => (stored = undefined));

  it('change no estimate before three responses', async () => {
    assert.equal((await learned([1.3, 1.3])).factorOf('a'), 1);
    assert.equal((await learned([1.3, 1.3, 1.3])).factorOf('a'), 1.3);
  });

  it('are stored per model, and loaded after a restart', async () => {
    await learned([1.2, 1.2, 1.2]);
    await learned([0.8, 0.8, 0.8], 1000, 'b');
    const factors = open();
    await factors.load();
    assert.deepEqual([factors.factorOf('a'), factors.factorOf('b'), factors.factorOf('c')], [1.2, 0.8, 1]);
  });

  it('ignore unusual responses, short inputs, and counts of something else', async () => {
    assert.equal((await learned([1.2, 1.2, 1.9, 1.2, 0.6])).factorOf('a'), 1.2);
    assert.equal((await learned([1.2, 1.2, 1.2], 10, 'short')).factorOf('short'), 1);
    assert.equal((await learned([0.01, 0.01, 0.01, 50, 50, 50, NaN], 1000, 'cached')).factorOf('cached'), 1);
  });

  it('follow a model that counts differently from now on', async () => {
    const ratios = [...Array.from({ length: 15 }, () => 1.1), ...Array.from({ length: 8 }, () => 1.4)];
    assert.equal((await learned(ratios)).factorOf('a'), 1.4);
  });

  it('survive special model names and a damaged file', async () => {
    const factors = await learned([1.2, 1.2, 1.2], 1000, '__proto__');
    assert.deepEqual([factors.factorOf('__proto__'), factors.factorOf('constructor')], [1.2, 1]);
    assert.equal(readLearnedTokens([1]), undefined);
    assert.deepEqual(readLearnedTokens({ a: [1.1, 'x', 99, null], b: 3 }), {
      a: { factors: [1.1], outputs: {} },
      b: { factors: [], outputs: {} },
    });
    assert.deepEqual(readLearnedTokens({ a: { factors: [1.2], outputs: { chat: [7, -1, 'x', 1e12], tools: 3 } } }), {
      a: { factors: [1.2], outputs: { chat: [7], tools: [] } },
    });
  });

  it('include the usual and the longest response for a purpose, after three of them and after a restart', async () => {
    const first = await learned([]);
    for (const tokens of [90, 400]) first.learnOutput('a', 'chat', tokens);
    assert.equal(first.outputOf('a', 'chat'), undefined);
    first.learnOutput('a', 'chat', 100);
    for (const tokens of [1000, 1100, 1200]) first.learnOutput('a', 'batchLines', tokens);
    await new Promise(setImmediate);
    const again = open();
    await again.load();
    assert.deepEqual(again.outputOf('a', 'chat'), { usual: 100, longest: 400, responses: 3 });
    assert.equal(again.outputOf('a', 'batchLines')?.usual, 1100);
    assert.equal(again.outputOf('b', 'chat'), undefined);
  });

  it('use responses for other purposes as usual if there are too few for this one', async () => {
    const factors = await learned([]);
    for (const tokens of [10, 20, 30]) factors.learnOutput('a', 'chat', tokens);
    assert.equal(factors.outputOf('a', 'tools')?.usual, 20);
    assert.equal(factors.outputOf('a', 'constructor')?.usual, 20);
  });

  it('keep only the latest responses, and no impossible lengths', async () => {
    const factors = await learned([]);
    for (let count = 0; count < 1000; count++) factors.learnOutput('a', `purpose ${count % 50}`, 500);
    for (let count = 0; count < 15; count++) factors.learnOutput('a', 'chat', 30);
    for (const odd of [0, -1, NaN, Infinity, 1.5, 1e9]) factors.learnOutput('a', 'chat', odd);
    await new Promise(setImmediate);
    assert.deepEqual(factors.outputOf('a', 'chat'), { usual: 30, longest: 30, responses: 15 });
    const { outputs = {} } = stored?.['a'] ?? {};
    assert.ok(Object.keys(outputs).length <= 12);
  });
});
