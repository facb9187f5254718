import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { toMessageRequest } from '../../../../../src/core/api/chat/toMessageRequest';
import { toChatBody } from '../../../../../src/core/api/chat/toChatCompletion';
import { ChatAssembler } from '../../../../../src/core/api/chatCompletions/chatAssembler';
import type { MessageRequest } from '../../../../../src/core/api/messages/messages.schema';
import { createTestClient, drain, failureOf } from '../../../../support/apiClient';
import { startAnthropicService } from '../../../../support/otherServices/anthropicService';
import type { OtherService } from '../../../../support/otherServices/loopbackService';

const model = 'claude-haiku-4-5';
const hello = [{ role: 'user', content: 'Hello there' }];
const weather = {
  type: 'function',
  function: {
    name: 'weather',
    description: 'Tells it.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};

describe('a chat completion written by the user', () => {
  it('converts back to the original message', () => {
    const request: MessageRequest = {
      model: 'm',
      system: 'Be brief.',
      max_tokens: 5,
      temperature: 0,
      stop_sequences: ['x'],
      thinking: { type: 'enabled', budget_tokens: 9 },
      tools: [{ name: 'look', input_schema: { type: 'object' } }],
      tool_choice: { type: 'any' },
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Why?' }] },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'I look.' },
            { type: 'tool_use', id: '1', name: 'look', input: { a: 1 } },
            { type: 'tool_use', id: '2', name: 'look', input: {} },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: '1', content: 'seen' },
            { type: 'tool_result', tool_use_id: '2', content: 'seen too' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA' } },
            { type: 'text', text: 'So?' },
          ],
        },
      ],
    };
    deepEqual(toMessageRequest({ ...toChatBody(request) }), request);
  });

  for (const [what, members] of Object.entries({
    'several choices': { n: 2 },
    'a JSON response': { response_format: { type: 'json_object' } },
    penalties: { presence_penalty: 1 },
    'an unknown parameter': { own_member: 1 },
    'no messages': { messages: 'none' },
  })) {
    it(`isn't converted if it requests ${what}`, () => {
      equal(toMessageRequest({ model: 'm', messages: hello, ...members }), undefined);
    });
  }

  it('converts if it requests only options without effect', () => {
    const body = { model: 'm', messages: hello, n: 1, response_format: { type: 'text' }, seed: 3, top_k: null };
    deepEqual(toMessageRequest(body), {
      model: 'm',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello there' }] }],
    });
    deepEqual(toMessageRequest({ model: 'm', messages: hello, max_completion_tokens: 7 })?.max_tokens, 7);
  });

  describe('at a service with /messages only', () => {
    let service: OtherService;
    before(async () => void (service = await startAnthropicService()));
    after(() => service.close());
    const chat = () => {
      const options = { apiKey: async () => service.key, keyHeader: 'x-api-key', service: undefined } as const;
      return createTestClient(service.baseUrl, options).client.chatCompletions;
    };
    it('is answered like a chat completion, with reasoning, tool calls, and token counts', async () => {
      const messages = [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Ask weather on "Paris"' },
      ];
      const body = { model, messages, tools: [weather], max_tokens: 300, enable_thinking: true };
      const { events: chunks, error } = await drain(chat().chunks(body));
      equal(error, undefined);
      const answer = new ChatAssembler();
      for (const chunk of chunks) answer.push(chunk, []);
      const { choices, usage } = answer;
      const [choice] = choices;
      deepEqual([choice?.text, choice?.finish], ['I look.', 'tool_calls']);
      match(choice?.reasoning ?? '', /knows/);
      deepEqual(
        choice?.calls.map(({ name, arguments: input }) => [name, JSON.parse(input)]),
        [['weather', { city: 'Paris' }]],
      );
      ok((usage.input_tokens ?? 0) > 0 && (usage.output_tokens ?? 0) > 0);
    });

    it('returns chunks on request, without using the other endpoint', async () => {
      const from = service.asked.length;
      const noun = chat();
      for (const _again of [1, 2]) {
        const chunks: unknown[] = [];
        for await (const chunk of noun.chunks({ model, messages: hello, max_tokens: 50 })) chunks.push(chunk);
        const { choices } = chunks.at(-1) as { readonly choices: readonly { readonly finish_reason: string }[] };
        equal(choices[0]?.finish_reason, 'stop');
      }
      deepEqual(
        service.asked.slice(from).map(({ path }) => path),
        ['/v1/messages', '/v1/messages'],
      );
    });

    it("is rejected as an unsupported endpoint if it can't be converted to a message", async () => {
      const answer = drain(chat().chunks({ model, messages: hello, n: 3 }));
      equal((await answer).error?.kind, 'notOffered');
      const wrong = chat().chunks({ model: 'vendor/none', messages: hello, max_tokens: 5 });
      equal((await failureOf(wrong[Symbol.asyncIterator]().next())).kind, 'unknownModel');
    });
  });
});
