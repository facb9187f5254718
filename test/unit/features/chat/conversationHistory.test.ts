import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Leases } from '../../../../src/core/storage/leases';
import type { ChatSession } from '../../../../src/features/chat/logic/chatSession';
import { ConversationHistory } from '../../../../src/features/chat/logic/conversationHistory';
import { until } from '../../../support/until';
import { ended, open, setUpChat, text } from './chatRig';

describe('several conversations and their branches', () => {
  const rig = setUpChat();
  let session: ChatSession;
  let shelf: ConversationHistory;
  /** The conversations that tabs show. */
  const elsewhere = new Set<string>();
  const renamed: string[] = [];

  const start = () => {
    const leases = new Leases(join(rig.folder, 'open'), () => '');
    rig.openLeases = () => leases;
    session = rig.openWindow();
    shelf = new ConversationHistory(session, {
      kindWith: (id) => (id === session.shown.currentId ? 'sideBar' : elsewhere.has(id) ? 'editor' : undefined),
      reveal: async (id) => elsewhere.has(id),
      leave: async (id) => void elsewhere.delete(id),
      changed: (id) => renamed.push(id),
    });
  };
  beforeEach(() => {
    rig.now = () => rig.clock++;
    start();
  });
  afterEach(() => assert.deepEqual(rig.errors, []));

  const finish = async (value: string) => {
    await rig.service.asked;
    const id = session.shown.currentId!;
    rig.service.say(open(), text(value), ...ended());
    await until(() => (rig.engine.answers.isAnswering(id) ? undefined : true), 'the end of the answer');
    rig.service.awaitNext();
  };
  const shown = async () =>
    (await session.snapshot()).turns.map(({ question, answer, questions, tries }) => {
      const place = (of: typeof tries) => (of ? ` ${of.index + 1}/${of.count}` : '');
      return `${question}${place(questions)}: ${answer.blocks.map((block) => block.text).join('')}${place(tries)}`;
    });
  const list = async (query = '') =>
    (await shelf.list(query, new AbortController().signal)).conversations.map(
      ({ title, pinned, running, draft, current: isCurrent }) =>
        `${title}${pinned ? ' pinned' : ''}${running ? ' running' : ''}${draft ? ' draft' : ''}${isCurrent ? ' current' : ''}`,
    );

  it('edits, regenerates, and switches branches, and restores all of them after a restart', async () => {
    const first = await session.ask('One', 'm');
    await finish('1');
    await session.ask('Two', 'm');
    await finish('2');
    await session.edit(first.id, 'Uno', 'm');
    await finish('I');
    assert.deepEqual(await shown(), ['Uno 2/2: I']);
    assert.deepEqual(
      rig.service.requests.at(-1)?.messages.map(({ content }) => content),
      ['Uno'],
    );
    const uno = (await session.snapshot()).turns[0]!.id;
    await session.walk(uno, 'questions', 0);
    assert.deepEqual(await shown(), ['One 1/2: 1', 'Two: 2']);
    await session.retry(first.id, 'm');
    await finish('one');
    assert.deepEqual(await shown(), ['One 1/2: one 2/2']);
    await session.walk(first.id, 'tries', 0);
    await rig.engine.dispose();
    start();
    assert.deepEqual(await shown(), ['One 1/2: 1 1/2', 'Two: 2']);
    await assert.rejects(session.walk(first.id, 'tries', 7), /The conversation has changed/);
    await assert.rejects(session.walk('nobody', 'questions', 0), /The conversation has changed/);
    await assert.rejects(session.edit('nobody', 'x', 'm'), /The conversation has changed/);
    await assert.rejects(session.edit(first.id, '  ', 'm'), /No question/);
  });

  it('continues an answer while another conversation is open, and shows it completely afterward', async () => {
    const { id } = await session.ask('Slow one', 'm');
    await rig.service.asked;
    rig.service.say(open(), text('Half'));
    const slow = session.shown.currentId!;
    await session.startNew();
    await session.setDraft('meanwhile');
    assert.deepEqual(await list(), ['Slow one running']);
    rig.service.say(text(' and whole'), ...ended());
    await until(() => (rig.engine.answers.isAnswering(slow) ? undefined : true), 'the end of the answer');
    await session.openConversation(slow);
    assert.deepEqual(await shown(), ['Slow one: Half and whole']);
    const followed = await session.follow(
      { turnId: id, have: [] },
      { signal: new AbortController().signal, emit: () => undefined },
    );
    assert.equal(followed.state, 'done');
    await assert.rejects(session.openConversation('../x'), /Couldn't open the conversation/);
  });

  it('renames, pins, finds, deletes, and restores, and opens another after deleting the open one', async () => {
    await session.ask('About limits', 'm');
    await finish('Tokens per minute.');
    const limits = session.shown.currentId!;
    await session.startNew();
    await session.ask('About loops', 'm');
    await finish('Slow.');
    const loops = session.shown.currentId!;
    await shelf.pin(limits, true);
    await shelf.rename(loops, '  My \n loops ');
    assert.deepEqual(await list(), ['About limits pinned', 'My loops current']);
    assert.deepEqual(await list('tokens'), ['About limits pinned']);
    assert.equal(await shelf.delete(loops), true);
    assert.deepEqual(await shown(), ['About limits: Tokens per minute.']);
    assert.equal(await shelf.delete(limits), true);
    assert.deepEqual([await list(), await shown()], [[], []]);
    await shelf.restore(limits);
    assert.deepEqual(await list(), ['About limits pinned']);
    await shelf.restore(loops);
    rig.clock += 5000;
    const absent = [() => shelf.delete('nobody'), () => shelf.restore('nobody'), () => shelf.pin('nobody', true)];
    for (const act of absent) await assert.rejects(act, /Couldn't open the conversation/);
    assert.deepEqual(await list(), ['About limits pinned', 'My loops']);
  });

  it('lists an unsent conversation as a draft', async () => {
    await session.ask('One', 'm');
    await finish('1');
    const one = session.shown.currentId!;
    await session.startNew();
    const unsent = session.shown.currentId!;
    await session.setDraft('Half a question\nabout sharks');
    assert.deepEqual(await list(), ['One']);
    await session.openConversation(one);
    assert.deepEqual(await list(), ['Half a question draft', 'One current']);
    assert.deepEqual(await list('sharks'), ['Half a question draft']);
    await shelf.pin(unsent, true);
    await shelf.rename(unsent, 'Fish');
    assert.deepEqual(await list(), ['Fish pinned draft', 'One current']);
    await rig.engine.dispose();
    start();
    await shelf.open(unsent);
    assert.equal((await session.snapshot()).draft, 'Half a question\nabout sharks');
    await session.ask('Half a question about sharks', 'm');
    await finish('Teeth');
    assert.deepEqual(await list(), ['Fish pinned current', 'One']);
  });

  it('saves a draft that arrives late, or has only attachments or instructions, and removes an emptied one', async () => {
    await session.ask('One', 'm');
    await finish('1');
    const one = session.shown.currentId!;
    await session.startNew();
    const late = session.shown.currentId!;
    await session.openConversation(one);
    await session.setDraft('typed just before', late);
    assert.deepEqual(await list(), ['typed just before draft', 'One current']);
    await session.openConversation(late);
    await session.setDraft('');
    await session.openConversation(one);
    assert.deepEqual(await list(), ['One current']);
    await session.startNew();
    await session.shown.conversation?.attached.set([
      { kind: 'file', label: 'a\u202E.ts', language: '', text: 'let a', tokens: 1 },
    ]);
    const attached = session.shown.currentId!;
    await session.openConversation(one);
    assert.deepEqual(await list(), ['a .ts draft', 'One current']);
    await shelf.delete(attached);
    assert.equal((await shelf.list('', new AbortController().signal)).deleted?.title, 'a .ts');
    await shelf.restore(attached);
    await session.startNew();
    await session.parameters.set({ system: 'Answer as a pirate.' });
    await session.openConversation(one);
    assert.deepEqual((await list()).toSorted(), ['Answer as a pirate. draft', 'One current', 'a .ts draft']);
  });

  it('deletes and restores a draft, and opens no draft instead of a deleted one', async () => {
    await session.ask('One', 'm');
    await finish('1');
    const one = session.shown.currentId!;
    await session.startNew();
    const unsent = session.shown.currentId!;
    await session.setDraft('Half a question');
    await session.openConversation(one);
    await shelf.delete(unsent);
    const { conversations, deleted } = await shelf.list('', new AbortController().signal);
    assert.deepEqual([conversations.length, deleted], [1, { id: unsent, title: 'Half a question' }]);
    for (const text of ['Half a question, late', 'Half a question, later']) await session.setDraft(text, unsent);
    assert.deepEqual(await list(), ['One current']);
    await shelf.restore(unsent);
    await shelf.delete(one);
    assert.deepEqual(await list(), ['Half a question draft']);
    assert.equal((await session.snapshot()).draft, '');
  });

  it('cancels the answer of a conversation that is deleted', async () => {
    await session.ask('Going', 'm');
    await rig.service.asked;
    rig.service.say(open(), text('Half'));
    const id = session.shown.currentId!;
    await shelf.delete(id);
    assert.equal(rig.service.aborted, 1);
    assert.deepEqual(await list(), []);
    await shelf.restore(id);
    await session.openConversation(id);
    assert.equal((await session.snapshot()).turns[0]?.answer.state, 'stopped');
  });

  it('deletes a conversation with a streaming answer while another is shown', async () => {
    await session.ask('Going', 'm');
    await rig.service.asked;
    rig.service.say(open(), text('Half'));
    const id = session.shown.currentId!;
    await session.startNew();
    await shelf.delete(id);
    assert.equal(rig.service.aborted, 1);
    assert.deepEqual(await list(), []);
  });
});
