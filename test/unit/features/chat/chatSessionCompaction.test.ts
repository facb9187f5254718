import assert from 'node:assert/strict';
import type { Conversation } from '../../../../src/core/conversation/conversationFolder';
import type { ChatSession } from '../../../../src/features/chat/logic/chatSession';
import { until } from '../../../support/until';
import { ended, open as opened, setUpChat, text } from './chatRig';

describe("the page's information about the next request", () => {
  const rig = setUpChat();
  let conversation: Conversation;
  let compaction: ChatSession['compaction'];

  const open = async () => {
    const session = rig.openWindow();
    conversation = await session.shown.current();
    compaction = session.compaction;
    return session;
  };
  beforeEach(open);

  const talk = async (rounds: number) => {
    for (let round = 0; round < rounds; round++) {
      const parent = round === 0 ? null : `q${round - 1}`;
      await conversation.record([
        { kind: 'question', id: `q${round}`, parent, at: 1, text: `Question ${round}` },
        { kind: 'answer', id: `a${round}`, question: `q${round}`, at: 2, model: 'm' },
        { kind: 'piece', answer: `a${round}`, index: 0, from: 0, text: `Answer ${round}` },
      ]);
    }
  };

  it('includes the context usage, and which turns are compacted', async () => {
    assert.deepEqual(compaction.of(conversation), { limit: 10, messages: 1, compacted: 0 });
    await talk(6);
    assert.deepEqual(await compaction.change(), {
      conversationId: conversation.id,
      compaction: { limit: 10, messages: 9, compacted: 2 },
    });
    assert.match(await compaction.text(), /\[user\]\n> Question 1\n\n\[assistant\]\n> Answer 1\n\n\[End/);
  });

  it('counts a streaming answer without text yet', async () => {
    const session = await open();
    await session.ask('Why?', 'm');
    assert.equal(compaction.of(conversation).messages, 3);
    session.stop();
    await until(() => (rig.engine.answers.isAnswering(conversation.id) ? undefined : true), 'the end of the answer');
    assert.equal(compaction.of(conversation).messages, 1);
  });

  it('uses the current limit, but at least the minimum for any history', async () => {
    await talk(6);
    rig.messageLimit = 0;
    assert.deepEqual(compaction.of(conversation), { limit: 0, messages: 13, compacted: 0 });
    assert.equal(await compaction.text(), '');
    rig.messageLimit = 1;
    assert.deepEqual(compaction.of(conversation), { limit: 5, messages: 5, compacted: 4 });
  });

  it('starts with the turn selected by Start Fresh, also after a restart, until it is undone', async () => {
    await talk(8);
    const fresh = { limit: 10, messages: 5, compacted: 0, startTurnId: 'q6' };
    assert.deepEqual(await compaction.startFrom('q6'), fresh);
    await rig.engine.dispose();
    await open();
    assert.deepEqual(compaction.of(conversation), fresh);
    assert.deepEqual(await compaction.startFrom(null), { limit: 10, messages: 9, compacted: 4 });
  });

  it('starts with a complete summary, or with all turns if it is truncated, and keeps the draft', async () => {
    const session = await open();
    await talk(3);
    await session.setDraft('And now?');
    const { isOver } = await session.compact('Summarize.', 'm');
    assert.equal(compaction.of(conversation).startTurnId, undefined);
    await until(() => rig.service.requests.length === 1 || undefined, 'the request');
    assert.equal(rig.service.requests[0]?.messages.length, 7);
    rig.service.say(opened(), text('A summ'), ...ended({ stop_reason: 'max_tokens' }));
    await isOver;
    assert.equal(compaction.of(conversation).startTurnId, undefined);

    const again = await session.compact('Summarize.', 'm');
    await until(() => rig.service.requests.length === 2 || undefined, 'the next request');
    rig.service.say(opened(), text('A summary'), ...ended({ stop_reason: 'end_turn' }));
    await again.isOver;
    const last = conversation.transcript.turns().at(-1);
    assert.deepEqual([compaction.of(conversation).startTurnId, compaction.of(conversation).messages], [last?.id, 3]);
    assert.equal((await session.snapshot()).draft, 'And now?');
  });

  it("can't start fresh without omitting turns, or at a missing turn", async () => {
    await talk(2);
    assert.equal((await compaction.startFrom('q0')).startTurnId, undefined);
    await assert.rejects(compaction.startFrom('q9'), /This turn no longer exists/);
  });
});
