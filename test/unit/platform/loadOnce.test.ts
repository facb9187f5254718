import assert from 'node:assert/strict';
import { DisposableStore } from '../../../src/platform/disposables';
import { loadOnce } from '../../../src/platform/loadOnce';

describe('what is loaded once', () => {
  it('is loaded at the first asking, for all who ask meanwhile and later', async () => {
    let loads = 0;
    const load = loadOnce(new DisposableStore(), async () => ({ load: ++loads, dispose() {} }));
    assert.equal(loads, 0);
    const [first, meanwhile] = await Promise.all([load(), load()]);
    assert.equal(first, meanwhile);
    assert.equal(await load(), first);
    assert.equal(loads, 1);
  });

  it('is the store’s, also where the store is gone by then', async () => {
    const store = new DisposableStore();
    const ended: string[] = [];
    const endable = (name: string) => async () => ({ dispose: () => ended.push(name) });
    await loadOnce(store, endable('before'))();
    store.dispose();
    await loadOnce(store, endable('after'))();
    assert.deepEqual(ended, ['before', 'after']);
  });

  it('is loaded anew after a failure', async () => {
    let loads = 0;
    const load = loadOnce(new DisposableStore(), async () => {
      if (++loads === 1) throw new Error('The file is away.');
      return { dispose() {} };
    });
    await assert.rejects(load(), /The file is away/);
    await load();
    assert.equal(loads, 2);
  });
});
