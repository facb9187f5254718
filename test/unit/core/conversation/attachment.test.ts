import assert from 'node:assert/strict';
import fc from 'fast-check';
import { askedText, attachedText, characterCount, readAttachments } from '../../../../src/core/conversation/attachment';
import type { Attachment } from '../../../../src/core/conversation/attachment';
import { toMarkdown } from '../../../../src/core/conversation/export/conversationText';
import { readRecords, toLines } from '../../../../src/core/conversation/record';
import type { ConversationRecord } from '../../../../src/core/conversation/record';
import { compactTurns } from '../../../../src/core/conversation/requestMessages';
import { createTranscript } from '../../../../src/core/conversation/transcript';

const loops: Attachment = {
  kind: 'selection',
  label: 'src/parse.ts:4-6',
  language: 'typescript',
  text: 'for (;;) {\n}\n',
  tokens: 6,
};
const asked: ConversationRecord = {
  kind: 'question',
  id: 'q',
  parent: null,
  at: 1,
  text: 'Why?',
  attachments: [loops, { ...loops, kind: 'problems', label: 'Problems in a.ts', language: '', text: '1:1 error: x' }],
};
const sent = 'src/parse.ts:4-6\n```typescript\nfor (;;) {\n}\n```\n\nProblems in a.ts\n```\n1:1 error: x\n```\n\nWhy?';

describe('what is attached to a question', () => {
  it('is sent in front of it, fenced under its label', () => {
    const { messages } = compactTurns(createTranscript([asked]).turns(), 10);
    assert.deepEqual(messages, [{ role: 'user', content: sent }]);
    assert.equal(askedText('Why?'), 'Why?');
  });

  it('is read back from the history, and leaves older readers their question', () => {
    const records = readRecords(toLines([asked]));
    assert.deepEqual(createTranscript(records).turns()[0]?.attachments, asked.attachments);
    assert.equal(createTranscript(records).turns()[0]?.question, 'Why?');
  });

  it('is left out where a line of the history is damaged, and the question is not', () => {
    for (const damaged of [null as unknown, 'x', {}, [null], [{ ...loops, text: 1 }], [{ ...loops, kind: 'other' }]]) {
      const line: string = `${JSON.stringify({ ...asked, attachments: damaged })}\n`;
      const turn = createTranscript(readRecords(line)).turns()[0];
      assert.deepEqual([turn?.question, turn?.attachments], ['Why?', []]);
    }
    assert.deepEqual(readAttachments([loops, 'torn']), [loops]);
  });

  it('cannot close its own fence, nor speak through its label', () => {
    const text = fc.array(fc.constantFrom('`', '``', '```', '````', '\n', 'a', ' ')).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, (inside, label) => {
        const lines = attachedText({ ...loops, text: inside, label }).split('\n');
        const fence = /^`+/.exec(lines[1]!)?.[0] ?? '';
        assert.ok(fence.length >= 3);
        const runs = lines.map((line) => /^(`+)\s*$/.exec(line)?.[1]?.length ?? 0);
        const closing = runs.findIndex((run, index) => index > 1 && run >= fence.length);
        assert.equal(closing, lines.length - 1);
        assert.ok(lines.slice(2, -1).join('\n').startsWith(inside.replace(/\n$/, '')));
      }),
    );
  });

  it('is in a Markdown export as it was sent', () => {
    assert.equal(toMarkdown(createTranscript([asked]).turns()), `# Conversation\n\n## You\n\n${sent}\n`);
  });

  it('is counted in characters as people count them', () => assert.equal(characterCount('a😀你'), 3));
});
