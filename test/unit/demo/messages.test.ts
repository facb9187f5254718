import assert from 'node:assert/strict';
import { ask, eventsOf, firstModel, withDemo } from './demoService';

const weather = {
  name: 'get_weather',
  description: 'Current weather of a city',
  input_schema: {
    type: 'object',
    properties: { city: { type: 'string' }, days: { type: 'integer', maximum: 7 } },
    required: ['city', 'days'],
  },
};
const blocks = (answer: { body: unknown }) =>
  (answer.body as { content: { type: string; text?: string; id?: string; input?: unknown; signature?: string }[] })
    .content;

describe('demo service: messages', () => {
  it('answers the same question identically and two questions differently', () =>
    withDemo(async (demo) => {
      const text = async (question: string) => blocks(await demo.post('/messages', ask(question)))[0]?.text;
      assert.equal(await text('How do I plan a garden?'), await text('How do I plan a garden?'));
      assert.notEqual(await text('How do I plan a garden?'), await text('How do I plan a holiday?'));
    }));

  it('streams the same answer as without streaming, with an event line per event', () =>
    withDemo(async (demo) => {
      const question = '请用中文解释什么是递归？';
      const whole = await demo.post('/messages', ask(question));
      const events = eventsOf((await demo.post('/messages', ask(question, { stream: true }))).text);
      assert.deepEqual(events[0]?.data['message']?.['usage'], { input_tokens: whole.body['usage']?.['input_tokens'] });
      assert.equal(events[0]?.data['message']?.['stop_reason'], null);
      assert.ok(
        events.every((item) => (item.data as unknown) === '[DONE]' || item.event === (item.data['type'] as unknown)),
      );
      assert.equal(events.map((item) => item.data['delta']?.['text'] ?? '').join(''), blocks(whole)[0]?.text);
      assert.deepEqual(
        events.slice(-2).map((item) => ((item.data as unknown) === '[DONE]' ? '[DONE]' : item.data['type'])),
        ['message_stop', '[DONE]'],
      );
    }));

  it('answers with the first listed chat model without thinking, and thinks on request if supported', () =>
    withDemo(async (demo) => {
      const types = async (more: object) =>
        blocks(await demo.post('/messages', ask('What is a token?', more))).map((block) => block.type);
      const listed = (await demo.get('/models?sub_type=chat')).body['data']?.['0']?.['id'];
      assert.equal(listed, firstModel);
      assert.deepEqual(await types({}), ['text']);
      assert.deepEqual(await types({ model: 'deepseek-ai/DeepSeek-R1' }), ['thinking', 'text']);
      assert.deepEqual(await types({ model: 'zai-org/GLM-4.6' }), ['thinking', 'text']);
      assert.deepEqual(await types({ model: 'zai-org/GLM-4.6', thinking: { type: 'disabled' } }), ['text']);
      assert.deepEqual(
        await types({ model: 'deepseek-ai/DeepSeek-V3.2', thinking: { type: 'enabled', budget_tokens: 20 } }),
        ['thinking', 'text'],
      );
      const refused = await demo.post('/messages', ask('x', { thinking: { type: 'adaptive' } }));
      assert.deepEqual([refused.status, refused.body['message']], [400, 'thinking type should be enabled or disabled']);
    }));

  it('calls the requested tool with input that matches its schema, and answers in text after the result', () =>
    withDemo(async (demo) => {
      const question = { role: 'user', content: 'What will the weather be in New York for 12 days?' };
      const called = await demo.post('/messages', { ...ask(''), messages: [question], tools: [weather] });
      assert.equal(called.body['stop_reason'], 'tool_use');
      const use = blocks(called).at(-1);
      assert.deepEqual(use?.input, { city: 'New York', days: 7 });
      const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: use?.id, content: '21 degrees' }] };
      const said = await demo.post('/messages', {
        ...ask(''),
        messages: [question, { role: 'assistant', content: blocks(called) }, result],
        tools: [weather],
      });
      assert.equal(said.body['stop_reason'], 'end_turn');
      assert.match(blocks(said)[0]?.text ?? '', /21 degrees/);
    }));

  it("doesn't call tools for another question or with the choice none, and must call a named one", () =>
    withDemo(async (demo) => {
      const reason = async (question: string, choice?: object) =>
        (
          await demo.post(
            '/messages',
            ask(question, { tools: [weather], ...(choice === undefined ? {} : { tool_choice: choice }) }),
          )
        ).body['stop_reason'];
      assert.equal(await reason('Write a haiku about rain on stone'), 'end_turn');
      assert.equal(await reason('Weather in Rome, please', { type: 'none' }), 'end_turn');
      assert.equal(await reason('Hello', { type: 'tool', name: 'get_weather' }), 'tool_use');
      assert.equal(
        (await demo.post('/messages', ask('Hello', { tools: [weather], tool_choice: { type: 'tool', name: 'other' } })))
          .status,
        400,
      );
    }));

  it('continues directly from a trailing assistant turn', () =>
    withDemo(async (demo) => {
      const question = { role: 'user', content: 'What is BM25?' };
      const whole = blocks(await demo.post('/messages', { ...ask(''), messages: [question] }))[0]?.text ?? '';
      const prefill = { role: 'assistant', content: whole.slice(0, 30) };
      assert.equal(
        blocks(await demo.post('/messages', { ...ask(''), messages: [question, prefill] }))[0]?.text,
        whole.slice(30),
      );
      const json = { role: 'assistant', content: '{"answer": ' };
      const rest = blocks(await demo.post('/messages', { ...ask(''), messages: [question, json] }))[0]?.text ?? '';
      assert.doesNotThrow(() => JSON.parse(`{"answer": ${rest}`));
    }));

  it('ends at a stop sequence or at max_tokens, and reports which', () =>
    withDemo(async (demo) => {
      const stopped = await demo.post(
        '/messages',
        ask('What is a closure?', { stop_sequences: ['nowhere', 'function'] }),
      );
      assert.deepEqual([stopped.body['stop_reason'], stopped.body['stop_sequence']], ['stop_sequence', 'function']);
      const short = await demo.post('/messages', ask('What is a closure?', { max_tokens: 5 }));
      assert.deepEqual(
        [short.body['stop_reason'], short.body['stop_sequence'], short.body['usage']?.['output_tokens']],
        ['max_tokens', null, 5],
      );
    }));

  it('accepts metadata, which agents send', () =>
    withDemo(async (demo) => {
      assert.equal((await demo.post('/messages', ask('Hello', { metadata: { user_id: 'a' } }))).status, 200);
    }));

  it('ends within a tool call at max_tokens, streamed and not, also for a forced call', () =>
    withDemo(async (demo) => {
      const asking = (max: number, more: object = {}) =>
        ask('Weather in Rome, please', {
          tools: [weather],
          tool_choice: { type: 'tool', name: 'get_weather' },
          max_tokens: max,
          ...more,
        });
      const whole = await demo.post('/messages', asking(2000));
      const full = Number(whole.body['usage']?.['output_tokens']);
      assert.equal(whole.body['stop_reason'], 'tool_use');
      for (let max = 1; max < full; max += 1) {
        const { body } = await demo.post('/messages', asking(max));
        assert.deepEqual([body['stop_reason'], Number(body['usage']?.['output_tokens']) <= max], ['max_tokens', true]);
        const call = blocks({ body }).find((block) => block.type === 'tool_use');
        assert.deepEqual(call?.input ?? {}, {});
        const events = eventsOf((await demo.post('/messages', asking(max, { stream: true }))).text);
        const said = (name: string) => events.map((item) => item.data['delta']?.[name] ?? '').join('');
        if (call !== undefined) assert.ok(JSON.stringify(blocks(whole).at(-1)?.input).startsWith(said('partial_json')));
        assert.equal(said('stop_reason'), 'max_tokens');
      }
      assert.equal((await demo.post('/messages', asking(full))).body['stop_reason'], 'tool_use');
      const chat = await demo.post('/chat/completions', {
        model: firstModel,
        messages: [{ role: 'user', content: 'Weather in Rome, please' }],
        tools: [{ type: 'function', function: { name: weather.name, parameters: weather.input_schema } }],
        tool_choice: 'required',
        max_tokens: full - 2,
      });
      const choice = chat.body['choices']?.['0'];
      assert.equal(choice?.['finish_reason'], 'length');
      assert.throws(() => JSON.parse(String(choice?.['message']?.['tool_calls']?.['0']?.['function']?.['arguments'])));
    }));

  it('rejects unsupported requests, and names the reason', () =>
    withDemo(async (demo) => {
      const refusal = async (more: object) => {
        const { status, body } = await demo.post('/messages', ask('x', more));
        return [status, body['code'], body['data']];
      };
      const turn = { role: 'user', content: 'x' };
      for (const more of [
        { messages: [] },
        { messages: Array.from({ length: 11 }, (_, at) => ({ ...turn, role: at % 2 === 0 ? 'user' : 'assistant' })) },
        { max_tokens: undefined },
        { max_tokens: 0 },
        { max_tokens: '5' },
        { max_tokens: 1_000_000 },
        { temperature: 2.1 },
        { top_p: 0.05 },
        { top_k: 51 },
        { stream: 'yes' },
        { seed: 1 },
        { messages: [{ role: 'robot', content: 'x' }] },
        { messages: [turn, turn] },
        { messages: [turn, { role: 'assistant', content: 'x' }, { role: 'assistant', content: 'y' }] },
        { messages: [turn, { role: 'assistant', content: null }, turn] },
        { metadata: 'me' },
        { messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'unknown', content: '' }] }] },
      ]) {
        assert.deepEqual(await refusal(more), [400, 20015, null], JSON.stringify(more));
      }
      assert.deepEqual(await refusal({ model: 'nobody/nothing' }), [400, 20012, null]);
      assert.deepEqual(await refusal({ model: 'BAAI/bge-m3' }), [400, 20012, null]);
    }));

  it('serves chat/completions with the same answer, in its own format', () =>
    withDemo(async (demo) => {
      const body = { model: firstModel, messages: [{ role: 'user', content: 'What is BM25?' }] };
      const whole = await demo.post('/chat/completions', body);
      const text = (await demo.post('/messages', ask('What is BM25?'))).body['content']?.['0']?.['text'];
      assert.equal(whole.body['choices']?.['0']?.['message']?.['content'], text);
      const events = eventsOf((await demo.post('/chat/completions', { ...body, stream: true })).text);
      assert.equal(events.map((item) => item.data['choices']?.['0']?.['delta']?.['content'] ?? '').join(''), text);
      assert.equal(events.at(-1)?.data, '[DONE]');
      const counts = events
        .slice(0, -1)
        .map((item) => Number((item.data['usage'] as unknown as { completion_tokens: number }).completion_tokens));
      assert.equal(counts[0], 0);
      assert.ok(counts.every((count, at) => count >= (counts[at - 1] ?? 0)));
      assert.ok(new Set(counts).size > counts.length / 2);
      assert.equal(counts.at(-1), Number(whole.body['usage']?.['completion_tokens']));
      const thinking = await demo.post('/chat/completions', { ...body, enable_thinking: false });
      assert.match(String(thinking.body['message']), /enable_thinking/);
    }));

  it('rejects two consecutive messages of one role, and an assistant without content', () =>
    withDemo(async (demo) => {
      const [user, assistant] = [
        { role: 'user', content: 'Hello' },
        { role: 'assistant', content: 'Hi' },
      ];
      const tool_calls = [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }];
      const results = [1, 2].map((at) => ({ role: 'tool', content: '42', tool_call_id: `c${at}` }));
      const both = [...tool_calls, { ...tool_calls[0], id: 'c2' }];
      const status = async (...messages: object[]) =>
        (await demo.post('/chat/completions', { model: firstModel, messages })).status;
      assert.equal(await status(user, user), 400);
      assert.equal(await status(user, assistant, assistant, user), 400);
      assert.equal(await status(user, { ...assistant, content: null }, user), 400);
      assert.equal(await status(user, { ...assistant, content: null, tool_calls }, results[0]!), 400);
      assert.equal(await status(user, { ...assistant, content: '', tool_calls: both }, ...results, user), 200);
      assert.equal(await status({ role: 'system', content: 'Be brief.' }, user, assistant, user), 200);
    }));
});
