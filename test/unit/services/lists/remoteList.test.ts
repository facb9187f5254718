import assert from 'node:assert/strict';
import { createRemoteList } from '../../../../src/services/lists/remoteList';
import { until } from '../../../support/until';

function createWorld() {
  const listeners = new Set<() => void>();
  const world = {
    now: 0,
    active: { id: 'one', baseUrl: 'u' } as { id: string; baseUrl: string } | undefined,
    key: 'key' as string | undefined,
    asked: [] as number[],
    failure: undefined as Error | undefined,
    changed() {
      for (const listener of listeners) listener();
    },
    list: () =>
      createRemoteList<string>({
        now: () => world.now,
        profiles: {
          get active() {
            return world.active;
          },
          onDidChange(listener) {
            listeners.add(listener);
            return { dispose: () => listeners.delete(listener) };
          },
          key: async () => world.key,
        },
        async load(rounds) {
          world.asked.push(rounds);
          if (world.failure) throw world.failure;
          return { items: [`${world.active?.id}`, `round ${rounds}`], hasMore: rounds < 1 };
        },
      }),
  };
  return world;
}

describe('a list loaded from the service', () => {
  it('is loaded once for simultaneous requests, and again after a minute', async () => {
    const world = createWorld();
    const list = world.list();
    await Promise.all([list.ensureFresh(), list.ensureFresh(), list.refresh()]);
    await list.ensureFresh();
    assert.deepEqual(world.asked, [0]);
    world.now += 61_000;
    await list.ensureFresh();
    assert.deepEqual(world.asked, [0, 0]);
  });

  it("keeps its items when it can't be reloaded, and reloads immediately the next time", async () => {
    const world = createWorld();
    const list = world.list();
    await list.refresh();
    world.failure = new Error('no');
    const { items, error } = await list.refresh();
    assert.deepEqual([items.length, error], [2, world.failure]);
    world.failure = undefined;
    assert.equal((await list.ensureFresh()).error, undefined);
  });

  it('loads more only if there is more', async () => {
    const world = createWorld();
    const list = world.list();
    await list.refresh();
    assert.deepEqual((await list.showMore()).items, ['one', 'round 1']);
    await list.showMore();
    assert.deepEqual(world.asked, [0, 1]);
  });

  it('sends no request while signed out, and drops its items with the key', async () => {
    const world = createWorld();
    world.key = undefined;
    const list = world.list();
    assert.equal((await list.ensureFresh()).session, 'signedOut');
    assert.deepEqual(world.asked, []);
    world.key = 'key';
    world.changed();
    assert.equal((await list.ensureFresh()).items.length, 2);
    world.key = undefined;
    world.changed();
    assert.deepEqual((await list.refresh()).items, []);
  });

  it('starts over for another profile', async () => {
    const world = createWorld();
    const list = world.list();
    await list.refresh();
    world.active = { id: 'two', baseUrl: 'u' };
    world.changed();
    assert.equal(list.state.items.length, 0);
    assert.deepEqual((await list.ensureFresh()).items, ['two', 'round 0']);
  });

  it('is loaded for the account that became active just after the request', async () => {
    const world = createWorld();
    const list = world.list();
    await list.refresh();
    const asked = list.ensureFresh();
    world.active = { id: 'two', baseUrl: 'u' };
    world.changed();
    assert.deepEqual((await asked).items, ['two', 'round 0']);
  });

  it('is loaded for each account that becomes active, and after a sign-in, while it has listeners', async () => {
    const world = createWorld();
    const list = world.list();
    const items = (requested: string) => until(() => list.state.items.includes(requested) || undefined, requested);
    const following = list.follow();
    await items('one');
    world.active = { id: 'two', baseUrl: 'u' };
    world.changed();
    await items('two');
    world.key = undefined;
    world.active = { id: 'three', baseUrl: 'u' };
    world.changed();
    await until(() => list.state.session === 'signedOut' || undefined, 'no key');
    world.key = 'key';
    world.changed();
    await items('three');
    assert.deepEqual(world.asked, [0, 0, 0]);
    following.dispose();
    world.active = { id: 'four', baseUrl: 'u' };
    world.changed();
    await until(() => list.state.session === 'signedIn' || undefined, 'the key');
    assert.deepEqual(world.asked, [0, 0, 0]);
  });
});
