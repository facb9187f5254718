import assert from 'node:assert/strict';
import { lazy, withLazyMethods } from '../../../src/platform/lazy';

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
