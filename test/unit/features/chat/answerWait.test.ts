import assert from 'node:assert/strict';
import { createDeltaPublisher } from '../../../../src/features/chat/answerRun';
import type { AnswerChunk, AnswerWait } from '../../../../src/protocol/chat';

describe('an answer that waits', () => {
  it('tells each wait once, and nothing of it when the answer begins', () => {
    const chunks: AnswerChunk[] = [];
    const tell = createDeltaPublisher([], (chunk) => chunks.push(chunk));
    const answer = { id: 'a', model: 'm', startedAt: 0, blocks: [], end: undefined };
    const running = (wait: AnswerWait | undefined) => ({
      firstTokenMs: undefined,
      wait,
      runningCalls: new Set<number>(),
      isAtTools: false,
    });
    const calls = new Map();
    tell(answer, running(undefined), calls);
    tell(answer, running({ title: 'tokens', until: 5 }), calls);
    tell(answer, running({ title: 'tokens', until: 5 }), calls);
    tell(answer, running({ title: 'tokens', until: 9 }), calls);
    tell({ ...answer, blocks: [{ type: 'text', text: 'So' }] }, running(undefined), calls);
    const states = chunks.flatMap((chunk) => (chunk.type === 'state' ? [chunk.answer] : []));
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

describe('an answer that is followed', () => {
  it('tells of each block what is new, and the name of a call with it', () => {
    const chunks: AnswerChunk[] = [];
    const tell = createDeltaPublisher([2], (chunk) => chunks.push(chunk));
    const blocks = [
      { type: 'text', text: 'So it is' },
      { type: 'tool_use', name: 'look', text: '{"a":' },
      { type: 'thinking', text: '' },
    ] as const;
    const answer = { id: 'a', model: 'm', startedAt: 0, blocks: [...blocks], end: undefined };
    tell(answer, undefined, new Map());
    tell(answer, undefined, new Map());
    tell({ ...answer, blocks: blocks.with(1, { ...blocks[1], text: '{"a":1}' } as never) }, undefined, new Map());
    assert.deepEqual(
      chunks.filter(({ type }) => type === 'append'),
      [
        { type: 'append', block: 0, kind: 'text', text: ' it is' },
        { type: 'append', block: 1, kind: 'toolUse', name: 'look', text: '{"a":' },
        { type: 'append', block: 2, kind: 'thinking', text: '' },
        { type: 'append', block: 1, kind: 'toolUse', name: 'look', text: '1}' },
      ],
    );
  });
});
