import assert from 'node:assert/strict';
import type { ConversationRecord } from '../../../../src/core/conversation/record';
import { createTranscript } from '../../../../src/core/conversation/transcript';
import { createAnswerFeed, type AnswerNow } from '../../../../src/features/chat/logic/turnView';
import type { AnswerChunk, AnswerWait } from '../../../../src/protocol/chat';

const calls = new Map();

/** An answer in a conversation, and what a page that has this much of its blocks receives of it. */
function createFollowedAnswer(have: readonly number[] = []) {
  const chunks: AnswerChunk[] = [];
  const feed = createAnswerFeed(have, (chunk) => chunks.push(chunk));
  const transcript = createTranscript([
    { kind: 'question', id: 'q', parent: null, at: 0, text: 'Why?' },
    { kind: 'answer', id: 'a', question: 'q', at: 0, model: 'm' },
  ]);
  const now = (wait?: AnswerWait): AnswerNow => ({
    answer: transcript.answer('a')!,
    progress: { firstTokenMs: undefined, wait, runningCalls: new Set<number>(), isAtTools: false },
    calls,
  });
  const write = (...records: readonly ConversationRecord[]) => {
    for (const record of records) transcript.apply(record);
    return records;
  };
  return {
    chunks,
    content: () => chunks.filter(({ type }) => type !== 'state'),
    now,
    write,
    catchUp: () => feed.catchUp(now()),
    update: (records: readonly ConversationRecord[] = [], wait?: AnswerWait) => feed.update(now(wait), records),
  };
}

const block = (index: number, type: 'text' | 'tool_use' | 'thinking' | 'image', name?: string) =>
  ({ kind: 'block', answer: 'a', index, type, ...(name !== undefined && { name }) }) as const;
const piece = (index: number, from: number, text: string) =>
  ({ kind: 'piece', answer: 'a', index, from, text }) as const;

describe('a waiting answer', () => {
  it('reports each wait once, and none after the answer starts', () => {
    const followed = createFollowedAnswer();
    followed.catchUp();
    followed.update([], { title: 'tokens', until: 5 });
    followed.update([], { title: 'tokens', until: 5 });
    followed.update([], { title: 'tokens', until: 9 });
    followed.update(followed.write(block(0, 'text'), piece(0, 0, 'So')));
    const states = followed.chunks.flatMap((chunk) => (chunk.type === 'state' ? [chunk.answer] : []));
    assert.deepEqual(
      states.map(({ state, wait }) => [state, wait?.until]),
      [
        ['waiting', undefined],
        ['waiting', 5],
        ['waiting', 9],
        ['streaming', undefined],
      ],
    );
  });
});

describe('an answer followed by a page', () => {
  it('sends missing parts, then new ones, each once', () => {
    const followed = createFollowedAnswer([2]);
    followed.write(block(0, 'text'), piece(0, 0, 'So it is'), block(1, 'tool_use', 'look'), piece(1, 0, '{"a":'));
    followed.write(block(2, 'thinking'));
    followed.catchUp();
    followed.update(followed.write(piece(1, 5, '1}')));
    followed.update();
    assert.deepEqual(followed.content(), [
      { type: 'append', block: 0, kind: 'text', text: ' it is' },
      { type: 'append', block: 1, kind: 'toolUse', name: 'look', text: '{"a":' },
      { type: 'append', block: 2, kind: 'thinking', text: '' },
      { type: 'append', block: 1, kind: 'toolUse', name: 'look', text: '1}' },
    ]);
  });

  it('sends nothing twice to a page that opens between the write of a text and its report', () => {
    const followed = createFollowedAnswer();
    followed.write(block(0, 'text'), piece(0, 0, 'So '));
    const written = followed.write(piece(0, 3, 'it'), block(1, 'text'), piece(1, 0, 'is'));
    followed.catchUp();
    followed.update(written);
    followed.update(followed.write(piece(1, 2, '.')));
    assert.deepEqual(followed.content(), [
      { type: 'append', block: 0, kind: 'text', text: 'So it' },
      { type: 'append', block: 1, kind: 'text', text: 'is' },
      { type: 'append', block: 1, kind: 'text', text: '.' },
    ]);
  });

  it('replaces a block with different text, whatever its length', () => {
    const followed = createFollowedAnswer();
    followed.catchUp();
    followed.update(followed.write(block(0, 'text'), piece(0, 0, 'Let me')));
    const thinking = { type: 'thinking', thinking: 'Let me think of it.' } as const;
    followed.update(followed.write({ kind: 'replaced', answer: 'a', index: 0, block: thinking }));
    followed.update(followed.write(block(1, 'text'), piece(1, 0, 'Yes.')));
    assert.deepEqual(followed.content().slice(1), [
      { type: 'append', block: 0, kind: 'text', text: 'Let me' },
      { type: 'replace', block: 0, as: { kind: 'thinking', text: 'Let me think of it.' } },
      { type: 'append', block: 1, kind: 'text', text: '' },
      { type: 'append', block: 1, kind: 'text', text: 'Yes.' },
    ]);
  });

  it('sends an image when it is complete', () => {
    const followed = createFollowedAnswer();
    followed.catchUp();
    const image = { type: 'image', source: { type: 'url', url: 'https://a.example/b.png' } } as const;
    followed.update(followed.write(block(0, 'image')));
    followed.update(followed.write({ kind: 'whole', answer: 'a', index: 0, block: image }));
    const sent = { type: 'replace', block: 0, as: { kind: 'image', text: '', source: 'https://a.example/b.png' } };
    assert.deepEqual(followed.content(), [sent]);
    const later = createFollowedAnswer();
    later.write(block(0, 'image'), { kind: 'whole', answer: 'a', index: 0, block: image });
    later.catchUp();
    assert.deepEqual(later.content(), [sent]);
  });
});
