import { deepEqual, equal } from 'node:assert/strict';
import { chatWayOf, untakenThinking, vendorWay } from '../../../../../src/core/api/chat/chatWays';
import { toChatBody } from '../../../../../src/core/api/chat/toChatCompletion';
import type { MessageParam, MessageRequest } from '../../../../../src/core/api/messages/messages.schema';

const hello: MessageRequest = { model: 'm', messages: [{ role: 'user', content: 'Hello' }] };
const tools: MessageRequest['tools'] = [{ name: 'look', description: 'Looks', input_schema: { type: 'object' } }];
const png = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA' } } as const;
const pngPart = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } };

/** What a request becomes besides its model and messages. */
function besides(request: Partial<MessageRequest>, service?: string): object {
  const { model: _model, messages: _messages, ...rest } = toChatBody({ ...hello, ...request }, chatWayOf(service));
  return rest;
}

function messagesOf(messages: readonly MessageParam[], service?: string): readonly object[] {
  return toChatBody({ model: 'm', messages }, chatWayOf(service)).messages;
}

describe('a /messages request converted to /chat/completions', () => {
  it('contains only the set parameters', () => {
    deepEqual(toChatBody(hello), { model: 'm', messages: [{ role: 'user', content: 'Hello' }] });
    deepEqual(besides({ temperature: null, stop_sequences: null, tools: [], tool_choice: { type: 'auto' } }), {});
    deepEqual(besides({ max_tokens: 5, temperature: 0, top_p: 0.5, top_k: 3, stop_sequences: ['x'] }), {
      max_tokens: 5,
      temperature: 0,
      top_p: 0.5,
      top_k: 3,
      stop: ['x'],
    });
  });

  it('starts with the system prompt as one message', () => {
    const system = [
      { type: 'text', text: 'Be brief.' },
      { type: 'text', text: 'Be kind.' },
    ] as const;
    deepEqual(toChatBody({ ...hello, system }).messages[0], { role: 'system', content: 'Be brief.\n\nBe kind.' });
    equal(toChatBody({ ...hello, system: '' }).messages.length, 1);
  });

  it('names the token limit as the service does, and omits unsupported parameters', () => {
    deepEqual(besides({ max_tokens: 5, top_k: 3 }, 'openai'), { max_completion_tokens: 5 });
    for (const service of ['openrouter', 'ollama', 'lmStudio', 'llamaCpp', 'vllm', 'demo', undefined]) {
      deepEqual(besides({ max_tokens: 5, top_k: 3 }, service), { max_tokens: 5, top_k: 3 }, service);
    }
  });

  it('has images as image_url, and plain text without images', () => {
    const url = { type: 'image', source: { type: 'url', url: 'https://x/y.png' } } as const;
    deepEqual(messagesOf([{ role: 'user', content: [png, { type: 'text', text: 'What?' }, url] }]), [
      {
        role: 'user',
        content: [
          pngPart,
          { type: 'text', text: 'What?' },
          { type: 'image_url', image_url: { url: 'https://x/y.png' } },
        ],
      },
    ]);
    const texts = [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ] as const;
    deepEqual(messagesOf([{ role: 'user', content: texts }]), [{ role: 'user', content: 'a\n\nb' }]);
  });

  describe('with tool calls', () => {
    const called: MessageParam = {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'hm', signature: 's' },
        { type: 'tool_use', id: '1', name: 'look', input: { a: 1 } },
        { type: 'tool_use', id: '2', name: 'look', input: {} },
      ],
    };
    const toolCalls = [
      { id: '1', type: 'function', function: { name: 'look', arguments: '{"a":1}' } },
      { id: '2', type: 'function', function: { name: 'look', arguments: '{}' } },
    ];

    it('has them next to empty text, with the reasoning that led to them', () => {
      deepEqual(messagesOf([called]), [
        { role: 'assistant', content: '', tool_calls: toolCalls, reasoning_content: 'hm' },
      ]);
    });

    it("omits the reasoning if the service doesn't accept it", () => {
      deepEqual(messagesOf([called], 'openai'), [{ role: 'assistant', content: '', tool_calls: toolCalls }]);
    });

    it('returns their extra fields, and their reasoning under its original name', () => {
      const details = [{ type: 'reasoning.encrypted', data: 'x', index: 0 }];
      const extra = { extra_content: { google: { thought_signature: 'c2ln' } } };
      const use = (id: string, state = {}) => ({ type: 'tool_use' as const, id, name: 'look', input: {}, ...state });
      const called = (id: string, more = {}) => ({
        ...more,
        id,
        type: 'function',
        function: { name: 'look', arguments: '{}' },
      });
      const thought = { type: 'thinking', thinking: 'hm' } as const;
      const first = use('a', {
        state: { call: extra, message: { reasoning_details: details }, reasoning: 'reasoning' },
      });
      deepEqual(
        messagesOf([
          { role: 'assistant', content: [thought, first] },
          { role: 'assistant', content: [use('b')] },
        ]),
        [
          {
            role: 'assistant',
            content: '',
            tool_calls: [called('a', extra)],
            reasoning_details: details,
            reasoning: 'hm',
          },
          { role: 'assistant', content: '', tool_calls: [called('b')], reasoning: '' },
        ],
      );
      // Empty reasoning, too.
      const empty = use('a', { state: { reasoning: 'reasoning_content' } });
      deepEqual(messagesOf([{ role: 'assistant', content: [empty] }]), [
        { role: 'assistant', content: '', tool_calls: [called('a')], reasoning_content: '' },
      ]);
    });

    it('omits thinking without calls', () => {
      const content = [
        { type: 'thinking', thinking: 'hm' },
        { type: 'text', text: 'Hi.' },
      ] as const;
      deepEqual(messagesOf([{ role: 'assistant', content }]), [{ role: 'assistant', content: 'Hi.' }]);
    });

    it("has each result as a separate message, in order and before the user's text", () => {
      deepEqual(
        messagesOf([
          {
            role: 'user',
            content: [
              { type: 'tool_result', tool_use_id: '1', content: 'seen' },
              { type: 'tool_result', tool_use_id: '2' },
              { type: 'text', text: 'So?' },
            ],
          },
        ]),
        [
          { role: 'tool', content: 'seen', tool_call_id: '1' },
          { role: 'tool', content: '', tool_call_id: '2' },
          { role: 'user', content: 'So?' },
        ],
      );
    });

    it('marks a result that is an error, once', () => {
      const failed = (content: string): MessageParam => ({
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: '1', content, is_error: true }],
      });
      deepEqual(messagesOf([failed('no such file')])[0], {
        role: 'tool',
        content: 'Error: no such file',
        tool_call_id: '1',
      });
      deepEqual(messagesOf([failed('ERROR 5: denied')])[0], {
        role: 'tool',
        content: 'ERROR 5: denied',
        tool_call_id: '1',
      });
      deepEqual(messagesOf([failed('')])[0], { role: 'tool', content: 'Error:', tool_call_id: '1' });
    });

    it('shows an image from a result in the next message', () => {
      const content = [{ type: 'text', text: 'Taken.' } as const, png];
      deepEqual(messagesOf([{ role: 'user', content: [{ type: 'tool_result', tool_use_id: '1', content }] }]), [
        { role: 'tool', content: 'Taken.\n\n[The image follows.]', tool_call_id: '1' },
        { role: 'user', content: [pngPart] },
      ]);
    });

    const choices: readonly (readonly [NonNullable<MessageRequest['tool_choice']>, object])[] = [
      [{ type: 'auto' }, { tool_choice: 'auto' }],
      [{ type: 'any' }, { tool_choice: 'required' }],
      [{ type: 'none' }, { tool_choice: 'none' }],
      [{ type: 'tool', name: 'look' }, { tool_choice: { type: 'function', function: { name: 'look' } } }],
      [
        { type: 'any', disable_parallel_tool_use: true },
        { tool_choice: 'required', parallel_tool_calls: false },
      ],
      [{ type: 'auto', disable_parallel_tool_use: false }, { tool_choice: 'auto' }],
    ];
    for (const [choice, expected] of choices) {
      it(`maps ${JSON.stringify(choice)} to ${JSON.stringify(expected)}`, () => {
        const { tools: sent, ...rest } = besides({ tools, tool_choice: choice }) as { tools: unknown };
        deepEqual(rest, expected);
        deepEqual(sent, [
          { type: 'function', function: { name: 'look', description: 'Looks', parameters: { type: 'object' } } },
        ]);
      });
    }

    it("doesn't limit the vendor to one call at a time, because it rejects unknown parameters", () => {
      const choice = { type: 'auto', disable_parallel_tool_use: true } as const;
      equal(toChatBody({ ...hello, tools, tool_choice: choice }, vendorWay).parallel_tool_calls, undefined);
    });
  });

  describe('with thinking', () => {
    const thinkings: Readonly<Record<string, readonly [on: object, withBudget: object, off: object]>> = {
      demo: [{ enable_thinking: true }, { enable_thinking: true, thinking_budget: 9 }, { enable_thinking: false }],
      openrouter: [
        { reasoning: { enabled: true } },
        { reasoning: { max_tokens: 9 } },
        { reasoning: { effort: 'none' } },
      ],
      vllm: [
        { chat_template_kwargs: { enable_thinking: true } },
        { chat_template_kwargs: { enable_thinking: true } },
        { chat_template_kwargs: { enable_thinking: false } },
      ],
      ollama: [{}, {}, { reasoning_effort: 'none' }],
      openai: [{}, {}, {}],
    };
    for (const [service, expected] of Object.entries(thinkings)) {
      it(`requests it from ${service} in the service's form`, () => {
        const asked = [{ type: 'enabled' }, { type: 'enabled', budget_tokens: 9 }, { type: 'disabled' }] as const;
        deepEqual(
          asked.map((thinking) => besides({ thinking }, service)),
          expected,
        );
      });
    }
  });

  it('reports which thinking settings reach a model', () => {
    const both = ['enable_thinking', 'thinking_budget'];
    deepEqual(untakenThinking('asked', 'siliconFlow'), []);
    deepEqual(untakenThinking(undefined, undefined), []);
    deepEqual(untakenThinking('always', 'siliconFlow'), ['enable_thinking']);
    deepEqual(untakenThinking('never', 'siliconFlow'), both);
    deepEqual(untakenThinking('asked', 'openai'), both);
    deepEqual(untakenThinking(undefined, 'ollama'), ['thinking_budget']);
    deepEqual(untakenThinking('asked', 'vllm'), ['thinking_budget']);
    deepEqual(untakenThinking('asked', 'anthropic'), []);
  });

  it('asks vLLM to continue a last assistant message, which others do automatically', () => {
    const messages: readonly MessageParam[] = [...hello.messages, { role: 'assistant', content: 'It is' }];
    deepEqual(besides({ messages }, 'vllm'), { continue_final_message: true, add_generation_prompt: false });
    deepEqual(besides({ messages }, 'ollama'), {});
  });
});
