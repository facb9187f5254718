import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConversationFolder } from '../../../../src/core/conversation/conversationFolder';
import type { Conversation } from '../../../../src/core/conversation/conversationFolder';
import { ContextCompaction } from '../../../../src/features/chat/contextCompaction';

describe('what the page is told of the next request', () => {
  let folder: string;
  let conversation: Conversation;
  let limit: number;
  let isAnswering: boolean;
  let compaction: ContextCompaction;

  const open = async () => {
    const opened = await createConversationFolder(folder, () => 1).open('c');
    assert.ok(opened);
    return opened;
  };
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'compaction-'));
    [limit, isAnswering] = [10, false];
    conversation = await open();
    compaction = new ContextCompaction({
      conversation: async () => conversation,
      isAnswering: () => isAnswering,
      messageLimit: () => limit,
      noSuchTurn: () => new Error('noSuchTurn'),
      now: () => 5,
    });
  });
  afterEach(async () => {
    await conversation.close();
    await rm(folder, { recursive: true, force: true });
  });

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

  it('is how full it is, and which turns go along as one', async () => {
    assert.deepEqual(compaction.of(conversation), { limit: 10, messages: 1, folded: 0 });
    await talk(6);
    assert.deepEqual(await compaction.news(), {
      conversationId: 'c',
      compaction: { limit: 10, messages: 9, folded: 2 },
    });
    assert.match(await compaction.text(), /\[user\]\n> Question 1\n\n\[assistant\]\n> Answer 1\n\n\[End/);
  });

  it('counts an answer that has no word yet while it is coming', async () => {
    await conversation.record([{ kind: 'question', id: 'q', parent: null, at: 1, text: 'Why?' }]);
    assert.equal(compaction.of(conversation).messages, 1);
    isAnswering = true;
    assert.equal(compaction.of(conversation).messages, 3);
  });

  it('takes the limit as it is set now, and never below what any history fits', async () => {
    await talk(6);
    limit = 0;
    assert.deepEqual(compaction.of(conversation), { limit: 0, messages: 13, folded: 0 });
    assert.equal(await compaction.text(), '');
    limit = 1;
    assert.deepEqual(compaction.of(conversation), { limit: 5, messages: 5, folded: 4 });
  });

  it('begins with the turn the person started fresh from, over a restart, until that is taken back', async () => {
    await talk(8);
    const fresh = { limit: 10, messages: 5, folded: 0, startTurnId: 'q6' };
    assert.deepEqual(await compaction.startFrom('q6'), fresh);
    await conversation.close();
    conversation = await open();
    assert.deepEqual(compaction.of(conversation), fresh);
    assert.deepEqual(await compaction.startFrom(null), { limit: 10, messages: 9, folded: 4 });
  });

  it('has no start that leaves nothing out, and none at a turn that is not there', async () => {
    await talk(2);
    assert.equal((await compaction.startFrom('q0')).startTurnId, undefined);
    await assert.rejects(compaction.startFrom('q9'), /noSuchTurn/);
  });
});
