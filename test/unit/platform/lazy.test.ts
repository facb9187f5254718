import assert from 'node:assert/strict';
import { lazy } from '../../../src/platform/lazy';

describe('what is loaded lazily', () => {
  const told: string[] = [];
  const options = {
    onLoaded: () => void told.push('loaded'),
    onTrouble: (error: unknown) => void told.push(String(error)),
  };
  beforeEach(() => void told.splice(0));

  it('is loaded once, at the first asking, and then there at once', async () => {
    let loads = 0;
    const words = lazy(async () => ({ load: ++loads }), options);
    assert.equal(loads, 0);
    assert.equal(words.now(), undefined);
    assert.equal(words.now(), undefined);
    assert.deepEqual(await words.load(), { load: 1 });
    assert.deepEqual(words.now(), { load: 1 });
    assert.equal(loads, 1);
    assert.deepEqual(told, ['loaded']);
  });

  it('has told to draw anew before whoever waits goes on, and can draw with it then', async () => {
    const words = lazy(async () => 'words', { ...options, onLoaded: () => void told.push(String(words.now())) });
    await words.load();
    assert.deepEqual(told, ['words']);
  });

  it('tells once that it cannot be loaded', async () => {
    const words = lazy(() => Promise.reject(new Error('gone')), options);
    words.now();
    await assert.rejects(words.load(), /gone/);
    assert.equal(words.now(), undefined);
    assert.deepEqual(told, ['Error: gone']);
  });
});
