import assert from 'node:assert/strict';
import { DisposableStore } from '../../../src/platform/disposables';
import { loadedOr, once, onceDisposable } from '../../../src/platform/once';

describe('a value loaded once', () => {
  it('is loaded by the first call, for all simultaneous and later calls', async () => {
    let loads = 0;
    const load = onceDisposable(new DisposableStore(), async () => ({ load: ++loads, dispose() {} }));
    assert.equal(loads, 0);
    const [first, meanwhile] = await Promise.all([load(), load()]);
    assert.equal(first, meanwhile);
    assert.equal(await load(), first);
    assert.equal(loads, 1);
  });

  it('is disposed with its store, or immediately if the store is gone by then', async () => {
    const store = new DisposableStore();
    const ended: string[] = [];
    const endable = (name: string) => async () => ({ dispose: () => ended.push(name) });
    await onceDisposable(store, endable('before'))();
    store.dispose();
    await onceDisposable(store, endable('after'))();
    assert.deepEqual(ended, ['before', 'after']);
  });

  it('is loaded again after a failure', async () => {
    let loads = 0;
    const load = onceDisposable(new DisposableStore(), async () => {
      if (++loads === 1) throw new Error('The file is away.');
      return { dispose() {} };
    });
    await assert.rejects(load(), /The file is away/);
    await load();
    assert.equal(loads, 2);
  });

  it('is available synchronously from then on', async () => {
    const texts = once(async () => 'texts');
    assert.equal(texts.loaded, undefined);
    await texts();
    assert.equal(texts.loaded, 'texts');
  });

  it('can be rendered synchronously once it is loaded', async () => {
    const texts = once(async () => 'texts');
    const rendered = await new Promise((resolve) => {
      const render = (): string | undefined => loadedOr(texts, () => resolve(render()), resolve);
      assert.equal(render(), undefined);
    });
    assert.equal(rendered, 'texts');
  });

  it('reports the failure to synchronous code', async () => {
    const texts = once(() => Promise.reject(new Error('The file is missing.')));
    const error = await new Promise((resolve) => {
      loadedOr(texts, () => resolve('loaded'), resolve);
    });
    assert.equal(String(error), 'Error: The file is missing.');
  });
});
