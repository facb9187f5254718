import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import type { Account } from '../../../../src/services/account/account';
import { createLastModel } from '../../../../src/services/models/lastModel';

/** What a workspace stores, with the account that is active. */
function memoryOf(stored: Readonly<Record<string, unknown>>) {
  const values = new Map<string, unknown>(Object.entries(stored));
  const account = { current: { id: 'one' } };
  const memento = {
    keys: () => [...values.keys()],
    get: (key: string, usual?: unknown) => values.get(key) ?? usual,
    update: async (key: string, value: unknown) => {
      if (value === undefined) values.delete(key);
      else values.set(key, value);
    },
  } as vscode.Memento;
  return {
    stored: () => Object.fromEntries(values),
    last: createLastModel(memento, 'page.model', account as unknown as Account),
    use: (id: string | undefined) => (account.current = { id: id ?? '' }),
  };
}

describe('the last model of a page', () => {
  it('is stored per account', async () => {
    const { last, use, stored } = memoryOf({});
    assert.equal(last.get(), undefined);
    await last.set('a/one');
    use('two');
    assert.equal(last.get(), undefined);
    await last.set('b/two');
    use('one');
    assert.equal(last.get(), 'a/one');
    await last.set('a/other');
    use('two');
    assert.equal(last.get(), 'b/two');
    assert.deepEqual(stored(), { 'page.modelByAccount': { one: 'a/other', two: 'b/two' } });
  });

  it('is that of an earlier version until an account uses its own', async () => {
    const { last, use, stored } = memoryOf({ 'page.model': 'a/earlier' });
    assert.equal(last.get(), 'a/earlier');
    await last.set('a/earlier');
    assert.deepEqual(stored(), { 'page.modelByAccount': { one: 'a/earlier' } });
    use('two');
    assert.equal(last.get(), undefined);
  });

  it('ignores values of another type, and inherited properties', () => {
    const { last, use } = memoryOf({ 'page.model': 5 });
    assert.equal(last.get(), undefined);
    use('constructor');
    assert.equal(last.get(), undefined);
  });

  it('is stored for the latest fifty accounts', async () => {
    const { last, use, stored } = memoryOf({});
    for (let count = 0; count < 60; count++) {
      use(`account${count}`);
      await last.set('m');
    }
    assert.equal(Object.keys(stored()['page.modelByAccount'] as object).length, 50);
    use('account59');
    assert.equal(last.get(), 'm');
  });
});
