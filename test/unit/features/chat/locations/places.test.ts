import assert from 'node:assert/strict';
import type { Conversation, ConversationFolder } from '../../../../../src/core/conversation/conversationFolder';
import { ChatSession } from '../../../../../src/features/chat/logic/chatSession';
import { ConversationPool } from '../../../../../src/features/chat/logic/conversationPool';
import { ConversationHistory } from '../../../../../src/features/chat/logic/conversationHistory';
import { until } from '../../../../support/until';
import { ended, open, setUpChat, text } from '../chatRig';

describe('the conversations that are open in a window', () => {
  /** A folder that tells what is opened and closed; closing waits until the test lets it. */
  const openPool = () => {
    const did: string[] = [];
    let letClose = () => {};
    const closing = new Promise<void>((resolve) => (letClose = resolve));
    const folder: ConversationFolder = {
      newestId: async () => undefined,
      open: async (id: string) => {
        did.push(`open ${id}`);
        if (id === 'broken') throw new Error('unreadable');
        const close = () => closing.then(() => void did.push(`close ${id}`));
        return id === 'later' ? undefined : ({ id, close, onDidChangeUnsaved() {} } as unknown as Conversation);
      },
    };
    return { did, letClose, pool: new ConversationPool(folder) };
  };

  it('are opened once for simultaneous requests, and stay open for the last', async () => {
    const { did, pool, letClose } = openPool();
    letClose();
    const [first, second] = await Promise.all([pool.take('a'), pool.take('a')]);
    assert.equal(first, second);
    await pool.release('a');
    assert.equal(await pool.use('a', async (conversation) => conversation), first);
    assert.deepEqual(did, ['open a']);
    await pool.release('a');
    assert.deepEqual(did, ['open a', 'close a']);
  });

  it('are reopened only when their file is closed', async () => {
    const { did, pool, letClose } = openPool();
    await pool.take('a');
    const released = pool.release('a');
    const again = pool.take('a');
    letClose();
    await Promise.all([released, again]);
    assert.deepEqual(did, ['open a', 'close a', 'open a']);
  });

  it('are released to the next window after pending work ends', async () => {
    const { did, pool, letClose } = openPool();
    letClose();
    const early = pool.take('early');
    await pool.close();
    await early;
    await assert.rejects(pool.take('late'), /closed/);
    assert.deepEqual(did, ['open early', 'close early']);
  });

  it("aren't locked if they can't be read", async () => {
    const { did, pool } = openPool();
    assert.equal(await pool.take('later'), undefined);
    assert.equal(await pool.use('later', async () => 'done'), undefined);
    await assert.rejects(pool.take('broken'), /unreadable/);
    await assert.rejects(pool.take('broken'), /unreadable/);
    assert.deepEqual(did, ['open later', 'open later', 'open broken', 'open broken']);
  });
});

describe('two chat views of a window', () => {
  const rig = setUpChat();
  let sideBar: ChatSession;
  let tab: ChatSession;
  let reported: string[];

  beforeEach(() => {
    rig.now = () => rig.clock++;
    reported = [];
    sideBar = rig.openWindow();
    tab = new ChatSession(rig.engine, {
      get: () => undefined,
      set: async () => {},
      isTaken: (id) => id === sideBar.shown.currentId,
    });
  });
  afterEach(() => assert.deepEqual(rig.errors, []));

  const finish = async ({ shown }: ChatSession, value: string) => {
    await rig.service.asked;
    rig.service.say(open(), text(value), ...ended());
    await until(() => (rig.engine.answers.isAnswering(shown.currentId!) ? undefined : true), 'the end of the answer');
    rig.service.awaitNext();
  };
  const questions = async (place: ChatSession) => (await place.snapshot()).turns.map(({ question }) => question);
  /** The list as the side bar shows it. */
  const createShelf = () =>
    new ConversationHistory(sideBar, {
      kindWith: (id) =>
        id === sideBar.shown.currentId ? 'sideBar' : id === tab.shown.currentId ? 'editor' : undefined,
      reveal: async (id) => id === tab.shown.currentId && reported.push(`reveal ${id}`) > 0,
      leave: async (id) => {
        if (id !== tab.shown.currentId) return;
        reported.push(`leave ${id}`);
        await tab.shown.showNew();
      },
      changed: (id) => reported.push(`changed ${id}`),
    });

  it("don't show the same conversation", async () => {
    await sideBar.ask('One', 'm');
    await finish(sideBar, '1');
    assert.deepEqual(await questions(tab), []);
    assert.notEqual(tab.shown.currentId, sideBar.shown.currentId);
  });

  it('get responses at the same time, and keep their conversations open until both release them', async () => {
    await sideBar.ask('One', 'first');
    await rig.service.asked;
    rig.service.awaitNext();
    await tab.ask('Two', 'second');
    await rig.service.asked;
    await assert.rejects(sideBar.ask('More', 'first'), /A response is in progress/);
    const [one, two] = [sideBar.shown.currentId!, tab.shown.currentId!];
    rig.service.sayTo('second', open(), text('2'), ...ended());
    await until(() => (rig.engine.answers.isAnswering(two) ? undefined : true), 'the end of the second');
    assert.equal(rig.engine.answers.isAnswering(one), true);
    await tab.shown.close();
    rig.service.sayTo('first', open(), text('1'), ...ended());
    await until(() => (rig.engine.answers.isAnswering(one) ? undefined : true), 'the end of the first');
    assert.equal((await rig.transcript(one)).turns()[0]?.shown?.end?.state, 'done');
    assert.equal((await rig.transcript(two)).turns()[0]?.shown?.end?.state, 'done');
  });

  it('are shown in the list, which goes to the location of a conversation', async () => {
    await sideBar.ask('One', 'm');
    await finish(sideBar, '1');
    await tab.ask('Two', 'm');
    await finish(tab, '2');
    const shelf = createShelf();
    const { conversations } = await shelf.list('', new AbortController().signal);
    assert.deepEqual(
      conversations.map(({ title, current, location: place }) => [title, current, place]),
      [
        ['Two', false, 'editor'],
        ['One', true, 'sideBar'],
      ],
    );
    const two = tab.shown.currentId!;
    await shelf.open(two);
    assert.deepEqual(await questions(sideBar), ['One']);
    await shelf.rename(two, 'Second');
    assert.equal((await tab.shown.current()).transcript.title, 'Second');
    // What is deleted here gives way to nothing that is shown elsewhere.
    await shelf.delete(sideBar.shown.currentId!);
    assert.deepEqual(await questions(sideBar), []);
    await shelf.delete(two);
    assert.deepEqual(reported, [`reveal ${two}`, `changed ${two}`, `leave ${two}`]);
  });

  it('release a conversation once, for any number of requests for another one', async () => {
    await sideBar.ask('One', 'm');
    await finish(sideBar, '1');
    const one = sideBar.shown.currentId!;
    await tab.openConversation(one);
    await Promise.all([sideBar.openConversation('two'), sideBar.openConversation('two')]);
    assert.equal(rig.engine.pool.isOpen(one), true);
    assert.equal(await tab.shown.current(), await rig.engine.pool.take(one));
    await rig.engine.pool.release(one);
    await Promise.all([sideBar.openConversation('three'), sideBar.openConversation('four')]);
    assert.deepEqual(
      ['two', 'three', 'four'].map((id) => rig.engine.pool.isOpen(id)),
      [false, false, true],
    );
  });

  it('start one new conversation with the draft for two simultaneous requests', async () => {
    await sideBar.ask('One', 'm');
    await finish(sideBar, '1');
    await sideBar.setDraft('And then?');
    const one = sideBar.shown.currentId!;
    await Promise.all([sideBar.startNew(), sideBar.startNew()]);
    assert.equal((await sideBar.snapshot()).draft, 'And then?');
    await sideBar.openConversation(one);
    const { conversations } = await createShelf().list('', new AbortController().signal);
    assert.deepEqual(
      conversations.map(({ title }) => title),
      ['And then?', 'One'],
    );
  });

  it('show changes made in the other one', async () => {
    await sideBar.ask('One', 'm');
    await finish(sideBar, '1');
    await tab.openConversation(sideBar.shown.currentId!);
    assert.equal(await tab.shown.current(), await sideBar.shown.current());
    await sideBar.startNew();
    assert.deepEqual(await questions(tab), ['One']);
    await tab.ask('Two', 'm');
    await finish(tab, '2');
    assert.equal((await rig.transcript(tab.shown.currentId)).turns().length, 2);
  });
});
