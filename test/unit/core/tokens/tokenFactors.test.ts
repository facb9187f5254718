import assert from 'node:assert/strict';
import { TokenFactors, readFactors } from '../../../../src/core/tokens/tokenFactors';
import type { StoredFactors } from '../../../../src/core/tokens/tokenFactors';

describe('what is learned of the token counts of a model', () => {
  let stored: StoredFactors | undefined;
  const open = () =>
    new TokenFactors(
      { read: async () => stored, write: async (factors) => void (stored = JSON.parse(JSON.stringify(factors))) },
      (error) => assert.fail(String(error)),
    );
  const learned = async (ratios: readonly number[], estimated = 1000, model = 'a') => {
    const factors = open();
    await factors.load();
    for (const ratio of ratios) factors.learn(model, estimated, estimated * ratio);
    await new Promise(setImmediate);
    return factors;
  };
  beforeEach(() => (stored = undefined));

  it('changes no estimate before three responses', async () => {
    assert.equal((await learned([1.3, 1.3])).of('a'), 1);
    assert.equal((await learned([1.3, 1.3, 1.3])).of('a'), 1.3);
  });

  it('is kept per model, and known again after a restart', async () => {
    await learned([1.2, 1.2, 1.2]);
    await learned([0.8, 0.8, 0.8], 1000, 'b');
    const factors = open();
    await factors.load();
    assert.deepEqual([factors.of('a'), factors.of('b'), factors.of('c')], [1.2, 0.8, 1]);
  });

  it('ignores odd responses, short inputs and counts of something else', async () => {
    assert.equal((await learned([1.2, 1.2, 1.9, 1.2, 0.6])).of('a'), 1.2);
    assert.equal((await learned([1.2, 1.2, 1.2], 10, 'short')).of('short'), 1);
    assert.equal((await learned([0.01, 0.01, 0.01, 50, 50, 50, NaN], 1000, 'cached')).of('cached'), 1);
  });

  it('follows a model that counts differently from now on', async () => {
    const ratios = [...Array.from({ length: 15 }, () => 1.1), ...Array.from({ length: 8 }, () => 1.4)];
    assert.equal((await learned(ratios)).of('a'), 1.4);
  });

  it('is not confused by the names of models or by a damaged file', async () => {
    const factors = await learned([1.2, 1.2, 1.2], 1000, '__proto__');
    assert.deepEqual([factors.of('__proto__'), factors.of('constructor')], [1.2, 1]);
    assert.equal(readFactors([1]), undefined);
    assert.deepEqual(readFactors({ a: [1.1, 'x', 99, null], b: 3 }), { a: [1.1], b: [] });
  });
});
