import assert from 'node:assert/strict';
import type { ContentBlock, MessageEvent } from '../../../../src/core/api/messages/messageEvents';
import { createAnswerRecorder } from '../../../../src/features/chat/logic/answerBuffer';

const answer = 'a';
const isNew = { blocks: [], unfinished: -1, prefill: '' };

describe('the records of a streaming answer', () => {
  it("include a complete block if its text alone can't be sent back", () => {
    const blocks: readonly (readonly [ContentBlock, string, boolean])[] = [
      [{ type: 'text', text: 'So.' }, 'So.', false],
      [{ type: 'thinking', thinking: 'Hm.' }, 'Hm.', false],
      [{ type: 'thinking', thinking: 'Hm.', signature: 'c2ln' }, 'Hm.', true],
      [{ type: 'thinking', thinking: '', signature: 'c2ln' }, '', true],
      [{ type: 'tool_use', id: 'c', name: 'look', input: { a: 1 } }, '{\n  "a": 1\n}', true],
      [{ type: 'unknown', raw: { type: 'new', x: 1 } }, '{\n  "type": "new",\n  "x": 1\n}', true],
    ];
    for (const [block, shown, isWhole] of blocks) {
      const recorder = createAnswerRecorder(answer, isNew);
      const begun = { type: 'blockStart', index: 0, block } as MessageEvent;
      for (const event of [begun, { type: 'blockStop', index: 0, block } as const]) recorder.add(event);
      const [first, ...others] = recorder.take();
      assert.deepEqual(
        [first?.kind, others],
        [
          'block',
          [
            ...(shown === '' ? [] : [{ kind: 'piece', answer, index: 0, from: 0, text: shown }]),
            ...(isWhole ? [{ kind: 'whole', answer, index: 0, block }] : []),
          ],
        ],
      );
      assert.deepEqual(recorder.take(), []);
    }
  });

  it("join the chunks of a block, and don't repeat it at its end", () => {
    const recorder = createAnswerRecorder(answer, isNew);
    recorder.add({ type: 'blockStart', index: 0, block: { type: 'text' } });
    recorder.add({ type: 'text', index: 0, text: 'So ' });
    recorder.add({ type: 'text', index: 0, text: 'it' });
    assert.deepEqual(recorder.take(), [
      { kind: 'block', answer, index: 0, type: 'text' },
      { kind: 'piece', answer, index: 0, from: 0, text: 'So it' },
    ]);
    recorder.add({ type: 'text', index: 0, text: ' is' });
    recorder.add({ type: 'blockStop', index: 0, block: { type: 'text', text: 'So it is' } });
    assert.deepEqual(recorder.take(), [{ kind: 'piece', answer, index: 0, from: 5, text: ' is' }]);
  });
});
