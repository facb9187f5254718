import assert from 'node:assert/strict';
import { lstat, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Client } from '../../../../src/core/api/client';
import { createLearnedStore } from '../../../../src/core/api/learned';
import { listedCapabilities } from '../../../../src/core/capabilities/modelCapabilities';
import type { OverrideSetting } from '../../../../src/core/capabilities/modelOverrides';
import type { CatalogueModel } from '../../../../src/core/catalogue/model';
import type { Connections, Profiles } from '../../../../src/services/account/account';
import type { ModelInfo, ModelListRequest } from '../../../../src/core/api/models/models.schema';
import { lackingModels } from '../../../../src/services/models/lackingModels';
import { createModelCatalogue } from '../../../../src/services/models/modelCatalogue';
import type { ModelCatalogue } from '../../../../src/services/models/modelCatalogue';
import { until } from '../../../support/until';

/** The public service, whose list has filters. */
const one = { id: 'one', baseUrl: 'https://api.siliconflow.com/v1' };
const two = { id: 'two', baseUrl: 'https://two.example/v1' };

/** A world of profiles and services that the test turns. */
function createWorld(folder: string) {
  const listeners = new Set<() => void>();
  const world = {
    now: 1_000_000,
    active: one as typeof one | undefined,
    keys: new Map([
      ['one', 'key'],
      ['two', 'key'],
    ]),
    ids: ['a/one', 'b/two'],
    /** Whether the service has more models than can be read. */
    isCutOff: false,
    asked: 0,
    learned: createLearnedStore(),
    overrides: {} as OverrideSetting,
    onOverrides: () => {},
    setOverrides(overrides: OverrideSetting) {
      world.overrides = overrides;
      world.onOverrides();
    },
    failure: undefined as Error | undefined,
    problems: [] as unknown[],
    /** The names of files that were set aside. */
    aside: [] as string[],
    gate: Promise.resolve() as Promise<void>,
    changed() {
      for (const listener of listeners) listener();
    },
    open(): ModelCatalogue {
      return createModelCatalogue({
        folder,
        now: () => world.now,
        onError: (error) => world.problems.push(error),
        onSetAside: (_path, aside) => world.aside.push(basename(aside)),
        profiles: {
          get active() {
            return world.active;
          },
          onDidChange(listener: () => void) {
            listeners.add(listener);
            return { dispose: () => listeners.delete(listener) };
          },
          key: async (id: string) => world.keys.get(id),
        } as unknown as Profiles,
        overrides: {
          get: () => world.overrides,
          onDidChange(listener) {
            world.onOverrides = listener;
            return { dispose: () => undefined };
          },
        },
        connections: {
          client: async () => ({ models: world.models }),
          learned: async () => world.learned,
        } as unknown as Connections,
      });
    },
    models: {
      async list(
        { type, sub_type }: ModelListRequest,
        _signal?: AbortSignal,
        onCutOff?: () => void,
      ): Promise<readonly ModelInfo[]> {
        if (!type && !sub_type) world.asked++;
        const { failure } = world;
        await world.gate;
        if (failure) throw failure;
        if (world.isCutOff) onCutOff?.();
        return sub_type || type ? [] : world.ids.map((id) => ({ id }));
      },
    } satisfies Client['models'],
  };
  return world;
}

describe('the model catalogue', () => {
  let folder: string;
  let world: ReturnType<typeof createWorld>;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'catalogue-'));
    world = createWorld(folder);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const idsOf = (state: { readonly models: readonly { readonly id: string }[] }) => state.models.map(({ id }) => id);

  it('is empty and sends no request before it is used', async () => {
    const catalogue = world.open();
    assert.equal(catalogue.state.session, 'starting');
    assert.equal((await catalogue.ready()).session, 'signedIn');
    assert.equal(world.asked, 0);
  });

  it('shares one load among simultaneous requests, and reloads only when the list is old', async () => {
    const catalogue = world.open();
    const states = await Promise.all([catalogue.ensureFresh(), catalogue.refresh(), catalogue.ensureFresh()]);
    assert.equal(world.asked, 1);
    assert.deepEqual(idsOf(states[0]), ['a/one', 'b/two']);
    await catalogue.ensureFresh();
    assert.equal(world.asked, 1);
    world.now += 11 * 60_000;
    await catalogue.ensureFresh();
    assert.equal(world.asked, 2);
  });

  it('has the list of the last session immediately, with its age', async () => {
    await world.open().refresh();
    const fetchedAt = world.now;
    world.now += 5 * 3_600_000;
    const state = await world.open().ready();
    assert.deepEqual(idsOf(state), ['a/one', 'b/two']);
    assert.equal(state.fetchedAt, fetchedAt);
  });

  it('keeps the list when the service fails, reports the error, and recovers', async () => {
    const catalogue = world.open();
    await catalogue.refresh();
    world.failure = new Error('503');
    const failed = await catalogue.refresh();
    assert.deepEqual(idsOf(failed), ['a/one', 'b/two']);
    assert.equal(failed.error, world.failure);
    assert.equal(failed.loading, false);
    world.failure = undefined;
    assert.equal((await catalogue.ensureFresh()).error, undefined);
  });

  it('marks added and removed models since the last load, across restarts, but none of the first list', async () => {
    assert.equal((await world.open().refresh()).changes.appeared.size, 0);
    world.ids = ['b/two', 'c/three'];
    const catalogue = world.open();
    const { changes } = await catalogue.refresh();
    assert.deepEqual([...changes.appeared], ['c/three']);
    assert.deepEqual(changes.vanished, ['a/one']);
    await catalogue.markLooked();
    assert.deepEqual(catalogue.state.changes, { appeared: new Set(), vanished: [] });
    assert.deepEqual((await world.open().ready()).changes.vanished, []);
  });

  it("shows results of a check instead of the list's", async () => {
    const catalogue = world.open();
    await catalogue.refresh();
    const shown: unknown[] = [];
    catalogue.onDidChange(({ models }) => shown.push(models[0]?.tools));
    world.learned.learn('a/one', { checked: { at: 1, tools: false, contextTokens: 8192 } });
    catalogue.noteChecked();
    assert.deepEqual(shown, [false]);
    const [checked, other] = catalogue.state.models;
    assert.deepEqual([checked?.tools, checked?.contextLength], [false, 8192]);
    assert.equal(other?.tools, undefined);
  });

  it("applies the user's settings for a model of the account first, as soon as they change", async () => {
    world.learned.learn('a/one', {
      checked: { at: 1, tools: false, jsonMode: false, logProbabilities: true, outputTokens: 1000 },
    });
    const catalogue = world.open();
    await catalogue.refresh();
    const seen: unknown[] = [];
    catalogue.onDidChange(({ models: [first] }) => seen.push(first?.tools));
    const read = () => {
      const [{ tools, jsonMode, logProbabilities, maxOutputTokens, contextLength }] = catalogue.state.models as [
        CatalogueModel,
      ];
      return { tools, jsonMode, logProbabilities, maxOutputTokens, contextLength };
    };
    const found = { jsonMode: false, logProbabilities: true, maxOutputTokens: 1000 };
    assert.deepEqual(read(), { ...found, tools: false, contextLength: undefined });
    world.setOverrides({ one: { 'a/one': { tools: true, contextTokens: 4096 } }, two: { 'a/one': { tools: false } } });
    assert.deepEqual(seen, [true]);
    assert.deepEqual(read(), { ...found, tools: true, contextLength: 4096 });
    const [first] = catalogue.state.models;
    // A pattern that fits many models counts less.
    assert.equal(listedCapabilities(first!, { 'a/*': { contextTokens: 100_000 } }).contextTokens, 4096);
    assert.equal(catalogue.state.models[1]?.own, undefined);
  });

  it('rules out a model only by a complete list that was just loaded', async () => {
    const first = world.open();
    assert.deepEqual(await lackingModels(first, ['a/one', 'c/new']), ['c/new']);
    assert.equal(world.asked, 1);
    assert.deepEqual(await lackingModels(first, ['a/one', 'b/two']), []);
    assert.equal(world.asked, 1);
    world.ids.push('c/new');
    assert.deepEqual(await lackingModels(first, ['c/new']), []);
    assert.equal(world.asked, 2);
    world.failure = new Error('offline');
    assert.deepEqual(await lackingModels(first, ['d/none']), []);
    world.failure = undefined;
    assert.deepEqual(await lackingModels(first, ['d/none']), ['d/none']);
    for (const id of ['a/one', 'd/none']) await first.allowUnlisted(id);
    assert.deepEqual(await lackingModels(first, ['d/none', 'e/none']), ['e/none']);
    world.isCutOff = true;
    assert.deepEqual(await lackingModels(first, ['e/none']), []);
    first.dispose();
    const second = world.open();
    const { isPartial, unlisted } = await second.ready();
    assert.deepEqual([isPartial, unlisted], [true, ['d/none']]);
    second.dispose();
  });

  it('keeps pins and defaults across restarts, and keeps those of another window', async () => {
    const here = world.open();
    const there = world.open();
    await here.refresh();
    await here.setPinned('b/two', true);
    await there.setPinned('a/one', true);
    await here.setDefault('chat', 'b/two');
    const { pins, defaults } = await world.open().ready();
    assert.deepEqual(pins, ['b/two', 'a/one']);
    assert.deepEqual(defaults, { chat: 'b/two' });
    await here.setPinned('b/two', false);
    await here.setDefault('chat', undefined);
    assert.deepEqual([here.state.pins, here.state.defaults], [['a/one'], {}]);
  });

  it('shows another profile its own list, and drops the response for the earlier one', async () => {
    const catalogue = world.open();
    let release = () => {};
    world.gate = new Promise((resolve) => (release = resolve));
    const late = catalogue.refresh();
    await catalogue.ready();
    world.active = two;
    world.changed();
    await catalogue.ready();
    const states: unknown[] = [];
    catalogue.onDidChange((state) => states.push(state));
    release();
    await late;
    assert.deepEqual(states, []);
    assert.equal(catalogue.state.profileId, 'two');
    assert.deepEqual(idsOf(await catalogue.ready()), []);
  });

  it('is loaded for the account that became active just after the request', async () => {
    const catalogue = world.open();
    const asked = catalogue.ensureFresh();
    world.active = two;
    world.changed();
    assert.deepEqual([(await asked).profileId, world.asked], ['two', 1]);
  });

  it('is loaded for each account that becomes active while it has listeners', async () => {
    const catalogue = world.open();
    const read = (id: string) =>
      until(() => {
        const { profileId, fetchedAt } = catalogue.state;
        return (profileId === id && fetchedAt !== undefined) || undefined;
      }, id);
    const following = catalogue.follow();
    await read('one');
    world.active = two;
    world.changed();
    await read('two');
    following.dispose();
    world.active = one;
    world.changed();
    await catalogue.ready();
    assert.equal(world.asked, 2);
  });

  it('waits for the service only if no models are known', async () => {
    const catalogue = world.open();
    assert.deepEqual(idsOf(await catalogue.listed()), ['a/one', 'b/two']);
    world.now += 3_600_000;
    world.gate = new Promise(() => {});
    assert.deepEqual(idsOf(await catalogue.listed()), ['a/one', 'b/two']);
    await until(() => world.asked === 2 || undefined, 'a request for the next time');
  });

  it('stores nothing of a list interrupted by a profile change', async () => {
    const { models } = world;
    const cutOff: (() => void)[] = [];
    world.models = {
      list: async (request) =>
        request.sub_type
          ? new Promise((_, reject) => cutOff.push(() => reject(new Error('cut off'))))
          : models.list(request),
    };
    const catalogue = world.open();
    const refreshing = catalogue.refresh();
    await until(() => (world.asked > 0 ? true : undefined), 'the request');
    world.active = two;
    world.changed();
    for (const end of cutOff) end();
    await refreshing;
    world.models = models;
    world.active = one;
    world.changed();
    assert.deepEqual(idsOf(await catalogue.ready()), []);
    assert.deepEqual(idsOf(await catalogue.ensureFresh()), ['a/one', 'b/two']);
  });

  it("doesn't show a list of another URL under the same profile", async () => {
    await world.open().refresh();
    world.active = { ...one, baseUrl: 'https://elsewhere.example/v1' };
    const state = await world.open().ready();
    assert.deepEqual(idsOf(state), []);
    assert.equal(state.fetchedAt, undefined);
  });

  it('is empty while signed out and restored after sign-in, without a request in between', async () => {
    const catalogue = world.open();
    await catalogue.refresh();
    await catalogue.setPinned('b/two', true);
    const changed = new Promise<void>((resolve) => {
      const listening = catalogue.onDidChange(({ session }) => {
        if (session !== 'signedOut') return;
        listening.dispose();
        resolve();
      });
    });
    world.keys.delete('one');
    world.changed();
    await changed;
    const { models, pins, fetchedAt } = await catalogue.refresh();
    // Else a view would say of what is pinned that the service no longer offers it, or that it lists nothing.
    assert.deepEqual([models, pins, fetchedAt], [[], [], undefined]);
    assert.equal(world.asked, 1);
    world.keys.set('one', 'new');
    world.changed();
    assert.deepEqual(idsOf(await catalogue.ready()), ['a/one', 'b/two']);
    assert.deepEqual(catalogue.state.pins, ['b/two']);
  });

  it("loads from the service although the disk can't be used", async () => {
    await rm(folder, { recursive: true });
    await writeFile(folder, 'in the way');
    const catalogue = world.open();
    assert.deepEqual(idsOf(await catalogue.refresh()), ['a/one', 'b/two']);
    assert.ok(world.problems.length > 0);
  });

  for (const [what, text] of [
    ['truncated', '{"version":1,"pins":["b/two"'],
    ['in another format', '["b/two"]'],
    ['from a newer version', '{"version":2,"pins":["b/two"]}'],
  ] as const)
    it(`moves selections aside that are ${what}, and starts over`, async () => {
      await writeFile(join(folder, 'one.picks.json'), text);
      const catalogue = world.open();
      await catalogue.refresh();
      assert.deepEqual(catalogue.state.pins, []);
      await catalogue.setPinned('a/one', true);
      const aside = (await readdir(folder)).find((name) => name.startsWith('one.picks.json.unreadable-'));
      assert.equal(await readFile(join(folder, aside ?? ''), 'utf8'), text);
      assert.deepEqual(world.aside, [aside]);
      assert.deepEqual((await world.open().ready()).pins, ['a/one']);
    });

  it("doesn't overwrite unreadable selections", async () => {
    const path = join(folder, 'one.picks.json');
    await symlink(path, path);
    await world.open().setPinned('a/one', true);
    assert.ok((await lstat(path)).isSymbolicLink());
    assert.match(String(world.problems[0]), /ELOOP/);
  });

  it('writes two small files per profile, and no others', async () => {
    const catalogue = world.open();
    await catalogue.refresh();
    await catalogue.setPinned('a/one', true);
    assert.deepEqual((await readdir(folder)).toSorted(), ['one.models.json', 'one.picks.json']);
  });
});
