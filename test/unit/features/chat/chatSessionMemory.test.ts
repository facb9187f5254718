import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { ApiError } from '../../../../src/core/api/errors';
import { until } from '../../../support/until';
import { catalogue } from '../../../support/engineParts';
import { setUpChat, open, text, ended } from './chatRig';
import { createPage } from './followingPage';

describe('a restored chat session', () => {
  const rig = setUpChat();

  it('shows the earlier state after a restart, including the draft, and a truncated answer as interrupted', async () => {
    const before = rig.openWindow();
    const { id } = await before.ask('Why?', 'm');
    const page = createPage(before, id);
    await rig.service.asked;
    rig.service.say(open(), text('Half'));
    await page.shows('Half');
    await before.setDraft('next question');
    await rig.engine.dispose();
    await page.answer;
    assert.equal(rig.service.aborted, 1);
    const after = await rig.openWindow().snapshot();
    assert.equal(after.draft, 'next question');
    assert.deepEqual(after.turns[0]?.answer, {
      state: 'interrupted',
      model: 'm',
      canContinue: true,
      blocks: [{ kind: 'text', text: 'Half' }],
    });
  });

  it('opens the conversation written last in a window that never showed one', async () => {
    const before = rig.openWindow();
    await before.ask('Why?', 'm');
    await rig.engine.dispose();
    rig.current = undefined;
    assert.equal((await rig.openWindow().snapshot()).turns[0]?.question, 'Why?');
  });

  it('starts a new conversation with the draft, while the current answer continues', async () => {
    const session = rig.openWindow();
    const { id } = await session.ask('Why?', 'm');
    await rig.service.asked;
    rig.service.say(open(), text('Half'));
    await session.setDraft('draft');
    const old = rig.current;
    await session.startNew();
    const { turns, draft, conversationId } = await session.snapshot();
    assert.deepEqual([turns, draft, conversationId !== old, rig.service.aborted], [[], 'draft', true, 0]);
    assert.equal(rig.engine.answers.isAnswering(old!), true);
    rig.service.say(text(' and whole'), ...ended());
    await until(() => (rig.engine.answers.isAnswering(old!) ? undefined : true), 'the end of the answer');
    const answer = (await rig.transcript(old)).turn(id)?.shown;
    assert.deepEqual([answer?.end?.state, answer?.blocks[0]?.text], ['done', 'Half and whole']);
    const same = conversationId;
    await session.startNew();
    assert.equal((await session.snapshot()).conversationId, same);
  });

  it('keeps a late draft with the conversation it was typed in, and restores no deleted one', async () => {
    const session = rig.openWindow();
    await session.ask('Why?', 'm');
    const first = rig.current!;
    await session.setDraft('half', first);
    await session.startNew();
    const { conversationId: second, draftMovedFrom } = await session.snapshot();
    assert.equal(draftMovedFrom, first);
    await session.setDraft('half a question', first);
    assert.equal((await session.snapshot()).draft, 'half a question');
    await session.openConversation(first);
    assert.equal((await session.snapshot()).draft, '');
    await session.setDraft('for the second', second);
    await session.setDraft('for nobody', 'deleted');
    assert.equal((await session.snapshot()).draft, '');
    await session.openConversation('deleted');
    assert.equal((await session.snapshot()).draft, '');
  });

  it('moves a draft to a new conversation whenever it arrives', async () => {
    const session = rig.openWindow();
    await session.ask('Why?', 'm');
    const first = rig.current!;
    for (let turns = 0; turns < 30; turns++) {
      await session.openConversation(first);
      const moved = session.startNew();
      for (let passed = 0; passed < turns; passed++) await turn();
      await Promise.all([moved, session.setDraft(`half ${turns}`, first)]);
      assert.equal((await session.snapshot()).draft, `half ${turns}`);
    }
  });

  it('keeps attachments per conversation after a restart, and moves them to a new one', async () => {
    const attach = (label: string) => ({ kind: 'file', label, language: '', text: label, tokens: 1 }) as const;
    const labels = (session: ReturnType<typeof rig.openWindow>) =>
      session.shown.conversation?.attached.list.map(({ label }) => label);
    const session = rig.openWindow();
    await session.ask('Why?', 'm');
    const first = rig.current!;
    await session.shown.conversation?.attached.set([attach('a'), attach('b')]);
    await session.startNew();
    assert.deepEqual(labels(session), ['a', 'b']);
    await session.openConversation(first);
    assert.deepEqual(labels(session), []);
    await session.shown.conversation?.attached.set([attach('c')]);
    await rig.engine.dispose();
    const after = rig.openWindow();
    await after.snapshot();
    assert.deepEqual(labels(after), ['c']);
  });

  it('moves an unanswered question with its attachments only on request', async () => {
    const session = rig.openWindow();
    const attached = { kind: 'file', label: 'a.ts', language: '', text: 'let a', tokens: 1 } as const;
    await session.ask('Why?', 'm', [attached]);
    await rig.service.asked;
    session.stop();
    await until(() => (rig.engine.answers.isAnswering(rig.current!) ? undefined : true), 'the end of the answer');
    const asked = rig.current!;
    await session.startNew();
    assert.equal((await session.snapshot()).draft, '');
    await session.openConversation(asked);
    await session.startNew(true);
    assert.equal((await session.snapshot()).draft, 'Why?');
    assert.deepEqual(session.shown.conversation?.attached.list, [attached]);
  });

  it('selects the model of the conversation, or else the default, or the first pinned', async () => {
    const session = rig.openWindow();
    assert.equal((await session.snapshot()).model, 'vendor/second');
    rig.catalogue = { ...catalogue, defaults: { chat: 'vendor/first' } };
    assert.equal((await session.snapshot()).model, 'vendor/first');
    await session.chooseModel('vendor/second');
    assert.equal((await session.snapshot()).model, 'vendor/second');
    assert.equal((await rig.openWindow().snapshot()).model, 'vendor/second');
    await session.chooseModel('vendor/gone');
    assert.equal((await session.snapshot()).model, 'vendor/second');
    rig.catalogue = { ...rig.catalogue, isPartial: true };
    assert.equal((await session.snapshot()).model, 'vendor/gone');
  });

  it('uses the last model in a new conversation, also after a restart, while it is available', async () => {
    const session = rig.openWindow();
    await session.ask('Why?', 'vendor/first');
    await rig.service.asked;
    rig.service.say(new ApiError({ kind: 'overloaded', message: 'no' }));
    await session.startNew();
    assert.equal((await session.snapshot()).model, 'vendor/first');
    await rig.engine.dispose();
    assert.equal((await rig.openWindow().snapshot()).model, 'vendor/first');
    rig.lastModel = 'vendor/gone';
    assert.equal((await rig.openWindow().snapshot()).model, 'vendor/second');
  });

  it('uses the last entered model ID if the service lists no models', async () => {
    rig.catalogue = { ...catalogue, models: [], pins: [], defaults: {} };
    assert.equal((await rig.openWindow().snapshot()).model, undefined);
    rig.lastModel = 'typed/model';
    assert.equal((await rig.openWindow().snapshot()).model, 'typed/model');
    rig.catalogue = { ...rig.catalogue, fetchedAt: undefined, loading: true };
    assert.equal((await rig.openWindow().snapshot()).model, undefined);
  });

  it('offers only chat models, pinned ones first, with the state of the list', async () => {
    const session = rig.openWindow();
    const { models, modelsState, account, profileName } = await session.snapshot();
    assert.deepEqual(models, [
      { id: 'vendor/second', pinned: true },
      { id: 'vendor/first', pinned: false, contextTokens: 131_072, tools: true },
    ]);
    assert.deepEqual([modelsState, account, profileName], ['ready', 'ready', 'Work']);
    rig.catalogue = { ...catalogue, models: [], error: new ApiError({ kind: 'network', message: 'no' }) };
    const failed = await session.snapshot();
    assert.deepEqual([failed.modelsState, failed.modelsError?.kind], ['failed', 'network']);
    rig.catalogue = { ...catalogue, models: [], fetchedAt: undefined, session: 'signedOut' };
    const out = await session.snapshot();
    assert.deepEqual([out.modelsState, out.account], ['unknown', 'signedOut']);
  });
});
