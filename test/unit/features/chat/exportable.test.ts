import assert from 'node:assert/strict';
import { toExportable } from '../../../../src/features/chat/exportable';

const turns = [
  {
    id: 'q1',
    parent: null,
    question: 'Why?',
    askedAt: 0,
    answers: [
      { id: 'a', model: 'm', startedAt: 0, blocks: [{ type: 'text', text: 'Because.' } as const], end: undefined },
    ],
  },
];
const usage = { inputTokens: 3, outputTokens: 4 };
const set = { parameters: {}, notTaken: [] };
const parts = {
  ...set,
  usage,
  id: 'c',
  turns,
  sentTurns: turns,
  messageLimit: 10,
  draft: '',
  attachments: [],
  model: 'm',
};

describe('what is exported', () => {
  it('is the request of the last question while the box is empty', () => {
    assert.deepEqual(toExportable(parts).request, {
      model: 'm',
      max_tokens: 4096,
      messages: [{ role: 'user', content: 'Why?' }],
    });
  });

  it('is the request the text in the box would be sent with', () => {
    assert.deepEqual(toExportable({ ...parts, draft: 'And?' }).request?.messages, [
      { role: 'user', content: 'Why?' },
      { role: 'assistant', content: 'Because.' },
      { role: 'user', content: 'And?' },
    ]);
  });

  it('has the parameters that are set, but for those the model refuses, and what the answer begins with', () => {
    const parameters = { system: 'Be brief.', temperature: 0.5, top_k: 3, max_tokens: 99, prefill: 'Since' };
    assert.deepEqual(toExportable({ ...parts, parameters, notTaken: ['top_k'] }).request, {
      model: 'm',
      max_tokens: 99,
      system: 'Be brief.',
      temperature: 0.5,
      messages: [
        { role: 'user', content: 'Why?' },
        { role: 'assistant', content: 'Since' },
      ],
    });
  });

  it('has what goes along with the text in the box', () => {
    const attachments = [{ kind: 'file', label: 'a.ts', language: 'ts', text: 'let a', tokens: 2 } as const];
    const content = toExportable({ ...parts, attachments, draft: 'And?' }).request?.messages.at(-1)?.content;
    assert.equal(content, 'a.ts\n```ts\nlet a\n```\n\nAnd?');
  });

  it('has the whole conversation, and a request of what is sent of it', () => {
    const { turns: all, request } = toExportable({ ...parts, sentTurns: [], draft: 'And?' });
    assert.equal(all, turns);
    assert.deepEqual(request?.messages, [{ role: 'user', content: 'And?' }]);
    const long = Array.from({ length: 8 }, () => turns).flat();
    assert.equal(toExportable({ ...parts, sentTurns: long, draft: 'And?' }).request?.messages.length, 9);
  });

  it('has no request without a question or a model', () => {
    assert.equal(toExportable({ ...parts, turns: [], sentTurns: [] }).request, undefined);
    assert.equal(toExportable({ ...parts, model: undefined }).request, undefined);
  });
});
