import assert from 'node:assert/strict';
import { withLazyMethods } from '../../../src/platform/lazy';

describe('an object of which a part is loaded on first use', () => {
  class Loaded {
    private count = 0;
    readonly name = 'loaded';
    async add(by: number): Promise<number> {
      return (this.count += by);
    }
    async fail(): Promise<void> {
      throw new Error('no disk');
    }
  }
  const open = () => {
    let loads = 0;
    let loading: Promise<Loaded> | undefined;
    const own = {
      get loads() {
        return loads;
      },
      ready: () => 'at once',
    };
    const load = async () => {
      loads += 1;
      return new Loaded();
    };
    return withLazyMethods(own, () => (loading ??= load()));
  };

  it('has what it has of its own without loading', () => {
    const whole = open();
    assert.deepEqual([whole.ready(), whole.loads], ['at once', 0]);
  });

  it('loads once, and calls the methods of what was loaded', async () => {
    const whole = open();
    assert.deepEqual([await whole.add(2), await whole.add(3), whole.loads], [2, 5, 1]);
    await assert.rejects(whole.fail(), /no disk/);
  });

  it('is not loaded where it is awaited', async () => {
    assert.equal((await Promise.resolve(open())).loads, 0);
  });

  it('is not loaded by what the language itself asks of an object: its text, its JSON, whether it is a list', () => {
    const whole = open();
    assert.equal(`${whole as unknown as string}`, '[object Object]');
    assert.equal(JSON.stringify(whole), '{"loads":0}');
    assert.deepEqual([].concat(whole as never), [whole]);
    assert.throws(() => [...(whole as unknown as Iterable<unknown>)], TypeError);
    assert.equal(Reflect.get(whole, Symbol.asyncIterator), undefined);
    assert.equal(whole.loads, 0);
  });

  it('says of a name that is no method that it is none', async () => {
    const whole = open() as unknown as { name(): Promise<string> };
    await assert.rejects(whole.name(), /no method name/);
  });
});
