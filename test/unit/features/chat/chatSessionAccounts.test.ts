import assert from 'node:assert/strict';
import { catalogue } from '../../../support/engineParts';
import { ended, open, setUpChat, text } from './chatRig';

const chatModel = (id: string) => ({ id, types: ['text'], subTypes: ['chat'] }) as const;
const other = {
  ...catalogue,
  profileId: 'other',
  models: [chatModel('other/first'), chatModel('other/second'), chatModel('shared/model')],
  pins: [],
};

describe('a conversation after an account switch', () => {
  const rig = setUpChat();

  const say = async (words: string) => {
    await rig.service.asked;
    rig.service.awaitNext();
    rig.service.say(open(), text(words), ...ended({ stop_reason: 'end_turn' }));
  };
  /** A question was answered by the model, and the other account is active now. */
  async function switched(model = 'vendor/first') {
    const session = rig.openWindow();
    rig.catalogue = catalogue;
    const { id } = await session.ask('Why?', model);
    const answer = session.follow({ turnId: id, have: [] }, { signal: new AbortController().signal, emit: () => {} });
    await say('Because.');
    await answer;
    rig.catalogue = other;
    rig.lastModel = undefined;
    return { session, id };
  }
  const next = async (session: Awaited<ReturnType<typeof switched>>['session']) => {
    const { model, notOffered } = await session.snapshot();
    return [model, notOffered];
  };

  it('uses the last model of the account, and its own again after switching back', async () => {
    const { session } = await switched();
    rig.lastModel = 'other/second';
    assert.deepEqual(await next(session), ['other/second', ['vendor/first']]);
    assert.equal((await session.snapshot()).turns[0]?.answer.model, 'vendor/first');
    rig.catalogue = catalogue;
    rig.lastModel = 'vendor/second';
    assert.deepEqual(await next(session), ['vendor/first', []]);
    rig.catalogue = other;
    await session.ask('And then?', 'other/second');
    await say('Then.');
    assert.deepEqual(await next(session), ['other/second', []]);
    rig.catalogue = catalogue;
    assert.deepEqual(await next(session), ['vendor/first', ['other/second']]);
  });

  it('has no model if none was selected for the account, and keeps one that both have', async () => {
    const { session } = await switched();
    assert.deepEqual(await next(session), [undefined, ['vendor/first']]);
    rig.lastModel = 'gone/model';
    assert.deepEqual(await next(session), [undefined, ['vendor/first']]);
    rig.catalogue = { ...other, defaults: { chat: 'other/first' } };
    assert.deepEqual(await next(session), ['other/first', ['vendor/first']]);
    rig.catalogue = { ...catalogue, models: [...catalogue.models, chatModel('shared/model')] };
    await session.chooseModel('shared/model');
    rig.catalogue = other;
    assert.deepEqual(await next(session), ['shared/model', []]);
  });

  it('keeps its model if the list is unknown, empty, or incomplete', async () => {
    const { session } = await switched();
    rig.lastModel = 'other/second';
    for (const unknown of [
      { ...other, models: [], fetchedAt: undefined, session: 'starting' as const },
      { ...other, models: [] },
      { ...other, isPartial: true as const },
    ]) {
      rig.catalogue = unknown;
      assert.deepEqual(await next(session), ['vendor/first', []]);
    }
  });

  it('starts a new conversation without the model of another account', async () => {
    const session = rig.openWindow();
    rig.catalogue = catalogue;
    await session.chooseModel('vendor/first');
    rig.catalogue = other;
    rig.lastModel = undefined;
    assert.deepEqual(await next(session), ['other/first', []]);
  });

  it("sends no request to a model that the account doesn't have, and keeps the question", async () => {
    const { session, id } = await switched();
    const sent = rig.service.requests.length;
    await session.setDraft('And then?');
    const refused = { title: "Work doesn't offer vendor/first", detail: /^Choose another model/ };
    const bound = { title: "Work doesn't offer vendor/first", detail: /^Only the same model/ };
    await assert.rejects(session.ask('And then?', 'vendor/first'), refused);
    await assert.rejects(session.edit(id, 'Why not?', 'vendor/first'), refused);
    await assert.rejects(session.retry(id, 'vendor/first'), refused);
    await assert.rejects(session.continue(id), bound);
    await assert.rejects(session.comparisons.ask('And then?', ['other/first', 'vendor/first'], []), refused);
    const { draft, turns } = await session.snapshot();
    assert.deepEqual([draft, turns.length, turns[0]?.tries], ['And then?', 1, undefined]);
    assert.equal(rig.service.requests.length, sent);
    assert.equal(rig.lastModel, undefined);
    rig.catalogue = { ...other, error: new Error('offline') };
    await session.ask('And then?', 'vendor/first');
    await rig.service.asked;
    assert.equal(rig.service.requests.at(-1)?.model, 'vendor/first');
  });

  it('names each of the compared models that the account does not have', async () => {
    const { session } = await switched();
    await session.comparisons.choose({ models: ['vendor/first', 'shared/model', 'vendor/second'], on: true });
    assert.deepEqual((await session.snapshot()).notOffered, ['vendor/first', 'vendor/second']);
    rig.catalogue = { ...catalogue, models: [...catalogue.models, chatModel('shared/model')] };
    const { notOffered, comparing } = await session.snapshot();
    assert.deepEqual([notOffered, comparing.models.length], [[], 3]);
  });
});

describe('an answer that runs tools', () => {
  const rig = setUpChat();
  let ran: number;
  beforeEach(() => {
    ran = 0;
    const group = { id: 'x', kind: 'extension', label: 'X' } as const;
    rig.tools = {
      list: () => [{ name: 'look', label: 'Look', input_schema: { type: 'object' }, group }],
      run: async () => {
        ran++;
        rig.catalogue = other;
        return { text: 'seen', isError: false };
      },
      mayRun: true,
      maxRounds: 25,
    };
  });

  async function begin() {
    const session = rig.openWindow();
    rig.catalogue = catalogue;
    await session.parameters.set({ tools: [{ source: 'editor', name: 'look' }] });
    const turn = await session.ask('Look it up', 'vendor/first');
    await rig.service.asked;
    rig.service.awaitNext();
    const waits = session.follow(
      { turnId: turn.id, have: [] },
      { signal: new AbortController().signal, emit: () => {} },
    );
    rig.service.say(
      { type: 'blockStart', index: 0, block: { type: 'tool_use', id: 't', name: 'look' } },
      { type: 'blockStop', index: 0, block: { type: 'tool_use', id: 't', name: 'look', input: {} } },
      ...ended({ stop_reason: 'tool_use' }),
    );
    await waits;
    const decide = () =>
      session.tools.decide({ turnId: turn.id, block: 0, decision: { type: 'allow', always: false } });
    return { session, decide };
  }

  it('continues with the account it started with', async () => {
    const { decide } = await begin();
    await decide();
    await rig.service.asked;
    assert.deepEqual([ran, rig.accounts], [1, ['p', 'p']]);
  });

  it("runs and decides no tool calls if the account doesn't have its model", async () => {
    const { session, decide } = await begin();
    rig.catalogue = other;
    await assert.rejects(decide(), { title: "Work doesn't offer vendor/first", detail: /^Only the same model/ });
    const [block] = (await session.snapshot()).turns[0]?.answer.blocks ?? [];
    assert.deepEqual([ran, block?.kind === 'toolUse' && block.call?.state], [0, 'asking']);
    rig.catalogue = catalogue;
    await decide();
    await rig.service.asked;
    assert.equal(ran, 1);
  });
});
