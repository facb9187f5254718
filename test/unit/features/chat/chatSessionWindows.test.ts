import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Leases } from '../../../../src/core/storage/leases';
import { ConversationHistory } from '../../../../src/features/chat/logic/conversationHistory';
import { ended, open, setUpChat, text } from './chatRig';
import { createPage } from './followingPage';

describe('a conversation in two windows', () => {
  const rig = setUpChat();
  const opened: Leases[] = [];
  beforeEach(() => {
    rig.openLeases = () => {
      const where = `window ${opened.length + 1}`;
      const leases = new Leases(join(rig.folder, 'open'), () => where);
      opened.push(leases);
      return leases;
    };
  });
  afterEach(() => {
    for (const leases of opened.splice(0)) leases.dispose();
    assert.deepEqual(rig.errors, []);
  });

  const newTitle = 'Started a new conversation because the previous one is open in another window';
  const inWindow = (number: number) =>
    `The conversation is open in the window of "window ${number}". Continue there, or open it here.`;
  const ask = async (session: ReturnType<typeof rig.openWindow>, question: string, answer: string) => {
    rig.service.awaitNext();
    const { id } = await session.ask(question, 'm');
    await rig.service.asked;
    rig.service.say(open(), text(answer), ...ended());
    await createPage(session, id).answer;
    return session.shown.currentId!;
  };
  const questions = async (session: ReturnType<typeof rig.openWindow>) =>
    (await session.snapshot()).turns.map(({ question }) => question);

  it('is written by one window, and the other starts a new one and names the first', async () => {
    const one = rig.openWindow();
    const id = await ask(one, 'One', '1');
    const two = rig.openWindow();
    const { turns, notice } = await two.snapshot();
    assert.deepEqual(turns, []);
    assert.deepEqual([notice?.title, notice?.detail], [newTitle, inWindow(1)]);
    assert.deepEqual(notice?.actions, [{ id: `openHere:${id}`, label: 'Open Here' }]);
    await assert.rejects(two.openConversation(id), {
      title: 'The conversation is open in another window',
      detail: inWindow(1),
    });
    await ask(two, 'Two', '2');
    assert.equal((await two.snapshot()).notice?.title, newTitle);
    await two.startNew();
    assert.equal((await two.snapshot()).notice, undefined);
    assert.deepEqual(await questions(one), ['One']);
  });

  it('is found by a reloaded window while the previous one is still closing', async () => {
    await ask(rig.openWindow(), 'One', '1');
    const before = rig.engine;
    const after = rig.openWindow();
    const shown = questions(after);
    await before.dispose();
    assert.deepEqual(await shown, ['One']);
    assert.equal((await after.snapshot()).notice, undefined);
  });

  it('is taken over completely, and the other window reports that before it writes, and can take it back', async () => {
    const one = rig.openWindow();
    const id = await ask(one, 'One', '1');
    const two = rig.openWindow();
    await two.takeOver(id);
    assert.deepEqual(await questions(two), ['One']);
    await ask(two, 'Two', '2');
    await assert.rejects(one.ask('Lost?', 'm'), {
      title: 'The conversation is open in another window',
      detail: inWindow(2),
    });
    await one.takeOver(id);
    assert.deepEqual(await questions(one), ['One', 'Two']);
    await ask(one, 'Three', '3');
    assert.deepEqual(
      (await rig.transcript(id)).turns().map(({ question }) => question),
      ['One', 'Two', 'Three'],
    );
  });

  it('is left with its draft, while another window waits for it', async () => {
    const one = rig.openWindow();
    const other = rig.openLeases!();
    for (let round = 0; round < 5; round++) {
      const id = await ask(one, 'One', '1');
      await one.setDraft('Next');
      const taking = (async () => {
        for (;;) {
          const lease = await other.take(id).catch(() => undefined);
          if (lease) return lease;
        }
      })();
      await one.startNew();
      assert.equal((await one.snapshot()).draft, 'Next');
      await (await taking).release();
    }
  });

  it("is marked in the other window's list, and can't be deleted or renamed there", async () => {
    const one = rig.openWindow();
    const id = await ask(one, 'One', '1');
    const shelfOf = (session: ReturnType<typeof rig.openWindow>) =>
      new ConversationHistory(session, {
        kindWith: () => undefined,
        reveal: async () => false,
        leave: async () => undefined,
        changed: () => undefined,
      });
    const first = rig.engine;
    const two = shelfOf(rig.openWindow());
    const rows = async () => (await two.list('', new AbortController().signal)).conversations;
    assert.deepEqual(
      (await rows()).map((row) => [row.id, row.elsewhere]),
      [[id, 'window 1']],
    );
    const refused = { title: 'The conversation is open in another window', detail: inWindow(1) };
    await assert.rejects(two.delete(id), refused);
    await assert.rejects(two.rename(id, 'Mine'), refused);
    await first.dispose();
    assert.equal((await rows())[0]?.elsewhere, undefined);
    await two.delete(id);
    assert.deepEqual(await rows(), []);
  });
});
