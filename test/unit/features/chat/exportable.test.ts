import assert from 'node:assert/strict';
import { toChatBody } from '../../../../src/core/api/chat/toChatCompletion';
import { repeatedTurns, toExportable } from '../../../../src/features/chat/logic/exportable';

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
const set = { parameters: {}, notTaken: [], editorTools: [], instructions: '' };
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

describe('the exported request', () => {
  it('is that of the last question while the box is empty', () => {
    assert.deepEqual(toExportable(parts).request, {
      model: 'm',
      max_tokens: 4096,
      messages: [{ role: 'user', content: 'Why?' }],
    });
  });

  it('includes the text in the box', () => {
    assert.deepEqual(toExportable({ ...parts, draft: 'And?' }).request?.messages, [
      { role: 'user', content: 'Why?' },
      { role: 'assistant', content: 'Because.' },
      { role: 'user', content: 'And?' },
    ]);
  });

  it('repeats a question without its answers and later turns', () => {
    const [first] = turns;
    const later = { ...first!, id: 'q2', parent: 'q1', question: 'And?' };
    const messagesOf = (turnId: string) =>
      toExportable({ ...parts, sentTurns: repeatedTurns([first!, later], turnId) }).request?.messages;
    assert.deepEqual(messagesOf('q1'), [{ role: 'user', content: 'Why?' }]);
    assert.deepEqual(messagesOf('q2'), [
      { role: 'user', content: 'Why?' },
      { role: 'assistant', content: 'Because.' },
      { role: 'user', content: 'And?' },
    ]);
    assert.equal(messagesOf('gone'), undefined);
  });

  it('includes the set parameters except rejected ones, and the prefill', () => {
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

  it('includes attachments of the draft', () => {
    const attachments = [{ kind: 'file', label: 'a.ts', language: 'ts', text: 'let a', tokens: 2 } as const];
    const content = toExportable({ ...parts, attachments, draft: 'And?' }).request?.messages.at(-1)?.content;
    assert.equal(content, 'a.ts\n```ts\nlet a\n```\n\nAnd?');
  });

  it('includes the complete conversation, and as a request only what would be sent', () => {
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

  it('includes tools, the tool choice, calls, and results, and no prefill if the answer continued from results', () => {
    const whole = { type: 'tool_use', id: 't1', name: 'look', input: { a: 1 } } as const;
    const result = { text: 'found', isError: false, by: 'tool' } as const;
    const blocks = [{ type: 'tool_use', text: '{"a":1}', name: 'look', whole, result }] as const;
    const asked = turns.map((turn) => ({
      ...turn,
      answers: [{ id: 'a', model: 'm', startedAt: 0, blocks, end: { state: 'done' } as const }],
    }));
    const input_schema = { type: 'object' };
    const parameters = {
      prefill: 'Since',
      tools: [{ source: 'own' as const, name: 'look', input_schema }],
      tool_choice: { type: 'any' as const },
    };
    const { request } = toExportable({ ...parts, turns: asked, sentTurns: asked, parameters });
    assert.deepEqual(request, {
      model: 'm',
      max_tokens: 4096,
      tools: [{ name: 'look', input_schema }],
      tool_choice: { type: 'any' },
      messages: [
        { role: 'user', content: 'Why?' },
        { role: 'assistant', content: [whole] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'found' }] },
      ],
    });
    assert.deepEqual(toChatBody(request).messages.slice(1), [
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 't1', type: 'function', function: { name: 'look', arguments: '{"a":1}' } }],
      },
      { role: 'tool', content: 'found', tool_call_id: 't1' },
    ]);
  });
});
