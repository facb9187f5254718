import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MessageEvent } from '../../../../src/core/api/messages/messageEvents';
import { createConversationBin } from '../../../../src/core/conversation/conversationBin';
import { createConversationFolder } from '../../../../src/core/conversation/conversationFolder';
import { createConversationIndex } from '../../../../src/core/conversation/conversationIndex';
import { ChatSession } from '../../../../src/features/chat/chatSession';
import { ConversationShelf } from '../../../../src/features/chat/conversationShelf';
import type { CatalogueState } from '../../../../src/platform/modelCatalogue';
import { until } from '../../../support/until';
import { createHandFedService } from './handFedService';
import { createParameters } from '../../../support/parametersHost';

const catalogue: CatalogueState = {
  session: 'signedIn',
  profileId: 'p',
  models: [],
  fetchedAt: 1,
  loading: false,
  error: undefined,
  pins: [],
  defaults: {},
  changes: { appeared: new Set(), vanished: [] },
};
const open: MessageEvent = { type: 'blockStart', index: 0, block: { type: 'text' } };
const text = (value: string): MessageEvent => ({ type: 'text', index: 0, text: value });
const ended: readonly [MessageEvent, undefined] = [{ type: 'end', message: { content: [], usage: {} } }, undefined];

describe('several conversations and their branches', () => {
  let folder: string;
  let clock: number;
  let count: number;
  let current: string | undefined;
  let session: ChatSession;
  let shelf: ConversationShelf;
  let service: ReturnType<typeof createHandFedService>;

  const start = () => {
    const error = (name: string) => () => new Error(name);
    const wire = (kind: string) => ({ kind, title: kind, detail: '', actions: [] });
    const state = async () => catalogue;
    session = new ChatSession({
      folder: createConversationFolder(folder, () => clock),
      currentId: { get: () => current, set: async (id) => void (current = id) },
      client: async () => ({ messages: service }),
      models: { state: catalogue, ready: state, ensureFresh: state, refresh: state },
      activity: { start: () => ({ dispose: () => undefined }) },
      parameters: createParameters().desk,
      profileName: () => 'Work',
      locale: 'en',
      describe: () => wire('error'),
      words: {
        answering: 'Answering',
        emptyAnswer: () => wire('emptyAnswer'),
        waiting: () => '',
        tooManyMessages: () => wire('tooMany'),
        withoutParameter: () => ({ id: '', label: '' }),
        cannotContinue: error('cannotContinue'),
        nothingAsked: error('nothingAsked'),
        noModel: error('noModel'),
        stillAnswering: error('stillAnswering'),
        turnGone: error('turnGone'),
        noSuchTurn: error('noSuchTurn'),
        conversationGone: error('conversationGone'),
        notWritten: error('notWritten'),
      },
      onTrouble: (trouble) => assert.fail(String(trouble)),
      onRunningChange: () => undefined,
      newId: () => `id-${++count}`,
      now: () => clock++,
      gatherMs: 1,
      messageLimit: () => 10,
    });
    shelf = new ConversationShelf({
      session,
      index: createConversationIndex(folder),
      bin: createConversationBin(folder, { keepMs: 1000, now: () => clock }),
      age: (at) => `${at}`,
      gone: error('conversationGone'),
    });
  };
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'shelf-'));
    [clock, count, current] = [1000, 0, undefined];
    service = createHandFedService();
    start();
  });
  afterEach(async () => {
    await session.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  const finish = async (value: string) => {
    await service.asked;
    const id = session.open.currentId!;
    service.say(open, text(value), ...ended);
    await until(() => (session.isRunningIn(id) ? undefined : true), 'the end of the answer');
    service.awaitNext();
  };
  const shown = async () =>
    (await session.snapshot()).turns.map(({ question, answer, questions, tries }) => {
      const place = (of: typeof tries) => (of ? ` ${of.index + 1}/${of.count}` : '');
      return `${question}${place(questions)}: ${answer.blocks.map((block) => block.text).join('')}${place(tries)}`;
    });
  const list = async (query = '') =>
    (await shelf.list(query, new AbortController().signal)).conversations.map(
      ({ title, pinned, running, current: isCurrent }) =>
        `${title}${pinned ? ' pinned' : ''}${running ? ' running' : ''}${isCurrent ? ' current' : ''}`,
    );

  it('edits, asks again and walks; what is shown stays so after a restart, and nothing is lost', async () => {
    const first = await session.ask('One', 'm');
    await finish('1');
    await session.ask('Two', 'm');
    await finish('2');
    await session.edit(first.id, 'Uno', 'm');
    await finish('I');
    assert.deepEqual(await shown(), ['Uno 2/2: I']);
    assert.deepEqual(
      service.requests.at(-1)?.messages.map(({ content }) => content),
      ['Uno'],
    );
    const uno = (await session.snapshot()).turns[0]!.id;
    await session.walk(uno, 'questions', 0);
    assert.deepEqual(await shown(), ['One 1/2: 1', 'Two: 2']);
    await session.retry(first.id, 'm');
    await finish('one');
    assert.deepEqual(await shown(), ['One 1/2: one 2/2']);
    await session.walk(first.id, 'tries', 0);
    await session.dispose();
    start();
    assert.deepEqual(await shown(), ['One 1/2: 1 1/2', 'Two: 2']);
    await assert.rejects(session.walk(first.id, 'tries', 7), /turnGone/);
    await assert.rejects(session.walk('nobody', 'questions', 0), /turnGone/);
    await assert.rejects(session.edit('nobody', 'x', 'm'), /turnGone/);
    await assert.rejects(session.edit(first.id, '  ', 'm'), /nothingAsked/);
  });

  it('lets an answer go on while another conversation is shown, and shows it whole on the way back', async () => {
    const { id } = await session.ask('Slow one', 'm');
    await service.asked;
    service.say(open, text('Half'));
    const slow = session.open.currentId!;
    await session.startNew();
    await session.setDraft('meanwhile');
    assert.deepEqual(await list(), ['Slow one running']);
    service.say(text(' and whole'), ...ended);
    await until(() => (session.isRunningIn(slow) ? undefined : true), 'the end of the answer');
    await session.openConversation(slow);
    assert.deepEqual(await shown(), ['Slow one: Half and whole']);
    const followed = await session.follow(id, [], { signal: new AbortController().signal, emit: () => undefined });
    assert.equal(followed.state, 'done');
    await assert.rejects(session.openConversation('../x'), /conversationGone/);
  });

  it('names, pins, finds, deletes and restores; the shown one gives way to another', async () => {
    await session.ask('About limits', 'm');
    await finish('Tokens per minute.');
    const limits = session.open.currentId!;
    await session.startNew();
    await session.ask('About loops', 'm');
    await finish('Slow.');
    const loops = session.open.currentId!;
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
    clock += 5000;
    const absent = [() => shelf.delete('nobody'), () => shelf.restore('nobody'), () => shelf.pin('nobody', true)];
    for (const act of absent) await assert.rejects(act, /conversationGone/);
    assert.deepEqual(await list(), ['About limits pinned', 'My loops']);
  });

  it('ends the answer of a conversation that is deleted while it comes', async () => {
    await session.ask('Going', 'm');
    await service.asked;
    service.say(open, text('Half'));
    const id = session.open.currentId!;
    await shelf.delete(id);
    assert.equal(service.aborted, 1);
    assert.deepEqual(await list(), []);
    await shelf.restore(id);
    await session.openConversation(id);
    assert.equal((await session.snapshot()).turns[0]?.answer.state, 'stopped');
  });
});
