import { deepEqual, equal, throws } from 'node:assert/strict';
import { DisposableStore } from '../../../src/platform/disposables';

function recorded() {
  const order: string[] = [];
  const item = (name: string, error?: Error) => ({
    dispose() {
      order.push(name);
      if (error) throw error;
    },
  });
  return { order, item };
}

describe('a disposable store', () => {
  it('disposes in reverse order', () => {
    const { order, item } = recorded();
    const store = new DisposableStore();
    for (const name of ['a', 'b', 'c']) store.add(item(name));
    store.dispose();
    deepEqual(order, ['c', 'b', 'a']);
  });

  it('disposes all others when one throws, then throws that error', () => {
    const { order, item } = recorded();
    const store = new DisposableStore();
    const error = new Error('b is stuck');
    store.add(item('a'));
    store.add(item('b', error));
    store.add(item('c'));
    throws(() => store.dispose(), error);
    deepEqual(order, ['c', 'b', 'a']);
  });

  it('throws all errors together when several throw', () => {
    const { item } = recorded();
    const store = new DisposableStore();
    store.add(item('a', new Error('a')));
    store.add(item('b', new Error('b')));
    throws(
      () => store.dispose(),
      (thrown: unknown) =>
        thrown instanceof AggregateError && thrown.errors.map(({ message }) => message).join() === 'b,a',
    );
  });

  it('immediately disposes what is added after it was disposed', () => {
    const { order, item } = recorded();
    const store = new DisposableStore();
    store.dispose();
    store.add(item('late'));
    deepEqual(order, ['late']);
  });

  it('disposes each item once, however often it is disposed itself', () => {
    const { order, item } = recorded();
    const store = new DisposableStore();
    store.add(item('a'));
    store.dispose();
    store.dispose();
    deepEqual(order, ['a']);
  });

  it('returns the added item', () => {
    const { item } = recorded();
    const mine = item('a');
    equal(new DisposableStore().add(mine), mine);
  });
});
