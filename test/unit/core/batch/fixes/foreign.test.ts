import { deepEqual, equal } from 'node:assert/strict';
import { convertLines } from '../../../../../src/core/batch/fixes/foreign/convertLines';
import { isForeign, toRequest } from '../../../../../src/core/batch/fixes/foreign/toRequest';
import { readLine } from '../../../../../src/core/batch/readLine';
import { changed, finish } from './mending';

const names = { id: 'request-1', model: undefined, freshId: (like: string) => like };
const convert = (line: unknown): unknown => {
  const found = toRequest(typeof line === 'string' ? line : JSON.stringify(line), names);
  return found && JSON.parse(found.text);
};
const ours = (id: string, body: unknown) => ({ custom_id: id, method: 'POST', url: '/v1/chat/completions', body });
const hi = { role: 'user', content: 'hi' };

describe('A line in the format of another service', () => {
  it("becomes a request from Anthropic's", () => {
    const params = {
      model: 'm',
      max_tokens: 100,
      system: [{ type: 'text', text: 'Be brief.' }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'weather?' }] },
        { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'look', input: { at: 'Bern' } }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'sun' }] },
      ],
      stop_sequences: ['END'],
      tools: [{ name: 'look', description: 'Looks.', input_schema: { type: 'object' } }],
      metadata: { user_id: 'u' },
    };
    deepEqual(
      convert({ custom_id: 'a', params }),
      ours('a', {
        model: 'm',
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'weather?' },
          {
            role: 'assistant',
            content: '',
            tool_calls: [{ id: 't1', type: 'function', function: { name: 'look', arguments: '{"at":"Bern"}' } }],
          },
          { role: 'tool', content: 'sun', tool_call_id: 't1' },
        ],
        max_tokens: 100,
        stop: ['END'],
        tools: [
          { type: 'function', function: { name: 'look', description: 'Looks.', parameters: { type: 'object' } } },
        ],
        metadata: { user_id: 'u' },
      }),
    );
  });

  it("becomes one from Mistral's, which has no envelope", () => {
    deepEqual(
      convert({ custom_id: 'a', body: { max_tokens: 5, messages: [hi] } }),
      ours('a', { max_tokens: 5, messages: [hi] }),
    );
  });

  it("becomes one from OpenAI's responses", () => {
    const body = { model: 'm', instructions: 'Be brief.', input: 'hi', max_output_tokens: 9, temperature: 0.5 };
    const line = { custom_id: 'a', method: 'POST', url: '/v1/responses', body };
    const said = [{ role: 'system', content: 'Be brief.' }, hi];
    deepEqual(convert(line), ours('a', { model: 'm', messages: said, max_tokens: 9, temperature: 0.5 }));
    const input = [
      { role: 'developer', content: 'Be kind.' },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] },
      { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c', output: 'done' },
    ];
    const tools = [{ type: 'function', name: 'f', parameters: {} }];
    const text = { format: { type: 'json_schema', name: 's', schema: {} } };
    deepEqual(
      convert({ ...line, body: { model: 'm', input, tools, text } }),
      ours('a', {
        model: 'm',
        messages: [
          { role: 'system', content: 'Be kind.' },
          hi,
          {
            role: 'assistant',
            content: '',
            tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
          },
          { role: 'tool', tool_call_id: 'c', content: 'done' },
        ],
        response_format: { type: 'json_schema', json_schema: { name: 's', schema: {} } },
        tools: [{ type: 'function', function: { name: 'f', parameters: {} } }],
      }),
    );
  });

  it('becomes one from a bare body or prompt, with its ID', () => {
    deepEqual(
      convert({ model: 'm', messages: [hi], top_p: 1 }),
      ours('request-1', { model: 'm', messages: [hi], top_p: 1 }),
    );
    deepEqual(convert({ id: 'q', prompt: 'hi', n: 2 }), ours('q', { messages: [hi], n: 2 }));
    deepEqual(convert({ custom_id: 'b', model: 'm', messages: [hi] }), ours('b', { model: 'm', messages: [hi] }));
  });

  it('keeps the digits of numbers everywhere', () => {
    const input =
      '{"custom_id":"a","params":{"model":"m","max_tokens":10,"temperature":0.50,"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"f","input":{"n":12345678901234567890,"x":1e400}}]}],"seed":98765432109876543210}}';
    const { text = '' } = toRequest(input, names) ?? {};
    for (const saved of ['0.50', '98765432109876543210', '\\"n\\":12345678901234567890', '\\"x\\":1e400']) {
      equal(text.includes(saved), true, `${saved} in ${text}`);
    }
  });

  it('is unchanged if a part of it has no equivalent in a request', () => {
    const document = { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: '' } };
    const lines: readonly unknown[] = [
      { custom_id: 'a', params: { model: 'm', messages: [{ role: 'user', content: [document] }] } },
      { custom_id: 'a', url: '/v1/responses', body: { model: 'm', input: 'hi', previous_response_id: 'r' } },
      { custom_id: 'a', url: '/v1/responses', body: { model: 'm', input: [{ type: 'item_reference', id: 'i' }] } },
      { custom_id: 'a', url: '/v1/embeddings', body: { model: 'm', input: 'hi' } },
      { event: 'click' },
      [1],
      'nothing',
      `${'['.repeat(100_000)}`,
    ];
    for (const line of lines) equal(convert(line), undefined, JSON.stringify(line).slice(0, 80));
    equal(isForeign('{"prompt":"hi"}'), true);
  });

  it('reports the omitted parts that have no equivalent in a request', () => {
    const cache_control = { type: 'ephemeral' };
    const messages = [
      { role: 'user', content: [{ type: 'text', text: 'weather?', cache_control }] },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Look.', signature: 's' },
          { type: 'tool_use', id: 't1', name: 'look', input: { cache_control: 'kept' } },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'broken', is_error: true }] },
    ];
    const leftOut = (line: unknown) => toRequest(JSON.stringify(line), names)?.leftOut;
    deepEqual(leftOut({ custom_id: 'a', params: { model: 'm', messages } }), ['cache_control']);
    deepEqual(leftOut({ model: 'm', messages }), ['cache_control']);
    deepEqual(leftOut({ custom_id: 'a', url: '/v1/messages', body: { model: 'm', messages: [hi] } }), []);
    const fine = { type: 'tool_result', tool_use_id: 't1', content: 'sun', is_error: false };
    deepEqual(leftOut({ params: { messages: [{ role: 'user', content: [fine] }] } }), []);
    const thought = {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm.' },
        { type: 'text', text: 'Hi' },
      ],
    };
    const tool_choice = { type: 'auto', disable_parallel_tool_use: true };
    const tools = [{ name: 'f', input_schema: {}, cache_control }];
    deepEqual(leftOut({ params: { messages: [thought], tools, tool_choice } }), [
      'thinking',
      'cache_control',
      'disable_parallel_tool_use',
    ]);
  });

  it("is split if it is a call with several requests, unless one of them can't be converted", () => {
    const request = (id: string) => ({ custom_id: id, params: { model: 'm', max_tokens: 5, messages: [hi] } });
    const all = JSON.stringify({ requests: [request('a'), request('b')] });
    const some = JSON.stringify({ requests: [request('c'), { event: 1 }] });
    const lines = [all, some, ''];
    const made = finish(convertLines({ lineCount: 3, line: (index) => lines[index] }, undefined));
    deepEqual([made.converted, made.left], [2, [1]]);
    deepEqual(
      changed(lines, made.changes).map((line) => readLine(line).customId?.value),
      ['a', 'b', undefined, undefined],
    );
  });

  it("is unchanged with the reason if a request of the service can't express it", () => {
    const embedding = JSON.stringify({ custom_id: 'a', url: '/v1/embeddings', body: { model: 'm', input: [1, 2] } });
    const made = finish(convertLines({ lineCount: 1, line: () => embedding }, undefined));
    deepEqual([made.left, [...made.unsayable]], [[0], ['url']]);
  });

  it('is converted with all others, with unique IDs and one model', () => {
    const good = JSON.stringify(ours('request-1', { model: 'm', messages: [hi] }));
    const lines = [
      '{"prompt": "one"}',
      '{"messages": [{"role":"user","content":"two"}], "model": "n"}',
      good,
      '',
      '{"event":1}',
      '',
    ];
    const source = { lineCount: lines.length, line: (index: number) => lines[index] };
    const first = finish(convertLines(source, undefined));
    deepEqual([first.converted, first.lackModel, first.left], [2, 1, [4]]);
    equal(first.leftOut.size, 0);
    const fixed = changed(lines, finish(convertLines(source, 'm')).changes);
    equal(fixed[2], good);
    deepEqual(
      fixed.slice(0, 3).flatMap((line) => readLine(line).problems),
      [],
    );
    deepEqual(
      fixed.slice(0, 3).map((line) => readLine(line).customId?.value),
      ['request-1-2', 'request-2', 'request-1'],
    );
  });
});
