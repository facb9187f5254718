import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { MessageRequest } from '../../../../../src/core/api/messages/messages.schema';
import { appendLine, freeCustomId } from '../../../../../src/core/conversation/export/appendLine';
import { toBatchLine, toChatBody } from '../../../../../src/core/api/chat/toChatCompletion';
import { toConversationJson, toMarkdown } from '../../../../../src/core/conversation/export/conversationText';
import type { TranscriptTurn } from '../../../../../src/core/conversation/transcript';

const turns: readonly TranscriptTurn[] = [
  {
    id: 'q1',
    parent: null,
    question: 'Why?\n',
    askedAt: 0,
    answers: [
      { id: 'a0', model: 'vendor/first', startedAt: 0, blocks: [{ type: 'text', text: 'dropped' }], end: undefined },
      {
        id: 'a1',
        model: 'vendor/second',
        startedAt: 0,
        blocks: [
          { type: 'thinking', text: 'a ``` fence' },
          { type: 'text', text: 'Because.' },
          { type: 'tool_use', text: '{}', name: 'look' },
        ],
        end: { state: 'done', inputTokens: 3 },
      },
    ],
  },
  {
    id: 'q2',
    parent: 'q1',
    question: 'And?',
    askedAt: 0,
    answers: [{ id: 'a2', model: 'm', startedAt: 0, blocks: [], end: undefined }],
  },
];

describe('a conversation as text', () => {
  it('escapes model IDs and tool names, which come from a service', () => {
    const answer = { id: 'a', startedAt: 0, end: undefined };
    const name = '`look`\n# [x](command:y)\u202e';
    const blocks = [{ type: 'tool_use' as const, text: '{}', name }];
    const turn = {
      id: 'q',
      parent: null,
      question: 'Why?',
      askedAt: 0,
      answers: [{ ...answer, model: '<b>[m](x)', blocks }],
    };
    const text = toMarkdown([turn]);
    assert.match(text, /^## \\<b\\>\\\[m\\\]\\\(x\\\)$/m);
    assert.match(text, /^\*Tool call: \\`look\\` \\# \\\[x\\\]\\\(command:y\\\)\*$/m);
  });

  it('is Markdown with the displayed answers, and fences longer than those within', () => {
    assert.equal(
      toMarkdown(turns),
      `# Conversation

## You

Why?

## vendor/second

*Thought*

\`\`\`\`
a \`\`\` fence
\`\`\`\`

Because.

*Tool call: look*

\`\`\`json
{}
\`\`\`

## You

And?

## m

*No response*
`,
    );
  });

  it('is JSON with every attempt and the request', () => {
    const request = { model: 'm', messages: [] };
    const read = JSON.parse(toConversationJson({ id: 'c', turns, request })) as {
      turns: { answers: { text: string }[] }[];
      request: unknown;
    };
    assert.deepEqual(
      read.turns[0]?.answers.map(({ text }) => text),
      ['dropped', 'Because.'],
    );
    assert.deepEqual(read.request, request);
  });
});

describe('a conversation as a batch line', () => {
  it('has the system prompt as a message, tools as functions, and the parameters under their batch names', () => {
    const request: MessageRequest = {
      model: 'm',
      max_tokens: 5,
      temperature: 0,
      top_p: null,
      system: 'Be brief.',
      stop_sequences: ['x'],
      thinking: { type: 'enabled', budget_tokens: 9 },
      tools: [{ name: 'look', input_schema: { type: 'object' } }],
      tool_choice: { type: 'any' },
      messages: [
        { role: 'user', content: 'Why?' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'hm' },
            { type: 'text', text: 'I look.' },
            { type: 'tool_use', id: '1', name: 'look', input: { a: 1 } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: '1', content: 'seen' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA' } },
            { type: 'text', text: 'So?' },
          ],
        },
      ],
    };
    assert.deepEqual(toChatBody(request), {
      model: 'm',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Why?' },
        {
          role: 'assistant',
          content: 'I look.',
          tool_calls: [{ id: '1', type: 'function', function: { name: 'look', arguments: '{"a":1}' } }],
          reasoning_content: 'hm',
        },
        { role: 'tool', content: 'seen', tool_call_id: '1' },
        {
          role: 'user',
          content: [
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } },
            { type: 'text', text: 'So?' },
          ],
        },
      ],
      max_tokens: 5,
      temperature: 0,
      stop: ['x'],
      tools: [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }],
      tool_choice: 'required',
      enable_thinking: true,
      thinking_budget: 9,
    });
  });

  it('has an ID and a URL', () => {
    const line: unknown = JSON.parse(
      toBatchLine({ model: 'm', messages: [{ role: 'user', content: 'a\nb' }] }, 'chat-1'),
    );
    assert.deepEqual(line, {
      custom_id: 'chat-1',
      method: 'POST',
      url: '/v1/chat/completions',
      body: { model: 'm', messages: [{ role: 'user', content: 'a\nb' }] },
    });
  });

  const added = (content: string, line = 'new') => {
    const { offset, text } = appendLine(content, line);
    return content.slice(0, offset) + text + content.slice(offset);
  };

  it("is appended after the last line, with the file's line endings", () => {
    assert.equal(added(''), 'new\n');
    assert.equal(added('\ufeff'), '\ufeffnew\n');
    assert.equal(added('a'), 'a\nnew\n');
    assert.equal(added('a\n'), 'a\nnew\n');
    assert.equal(added('a\r\nb\r\n'), 'a\r\nb\r\nnew\r\n');
    assert.equal(added('a\r\nb'), 'a\r\nb\r\nnew\r\n');
    assert.equal(added('a\n\n\n'), 'a\nnew\n\n\n');
  });

  it("doesn't change other lines, and is a separate line", () => {
    const lines = fc.array(fc.constantFrom('{"a":1}', '', '{}', '{"custom_id":"chat-1"}'));
    fc.assert(
      fc.property(lines, fc.constantFrom('\n', '\r\n'), fc.boolean(), (all, eol, ended) => {
        const content = all.join(eol) + (ended ? eol : '');
        const found = added(content)
          .split(/\r?\n/)
          .filter((line) => line !== '');
        assert.deepEqual(found, [...all.filter((line) => line !== ''), 'new']);
      }),
    );
  });

  it('gets a unique ID', () => {
    assert.equal(freeCustomId('', 'chat'), 'chat-1');
    assert.equal(freeCustomId('{"custom_id":"chat-1"}\n{"custom_id": "chat-3"}', 'chat'), 'chat-2');
  });
});
