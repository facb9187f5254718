import assert from 'node:assert/strict';
import { completionsAt, modelJobAt } from '../../../../../src/core/batch/assist/complete';
import { readLine } from '../../../../../src/core/batch/readLine';
import type { BatchRules } from '../../../../../src/core/batch/services/batchRules';
import { batchServiceNamed } from '../../../../../src/core/batch/services/batchServiceOf';

const models = ['Qwen/Qwen3-8B', 'deepseek-ai/DeepSeek-V3'];

/** The cursor is where the bar stands. */
function at(marked: string) {
  const offset = marked.indexOf('|');
  const text = marked.slice(0, offset) + marked.slice(offset + 1);
  return { text, offset, found: completionsAt({ text, offset, models }) };
}
const labels = (marked: string) => at(marked).found.map(({ label }) => label);

/** The line once an offer is taken, its placeholders filled in. */
function taken(marked: string, label: string): string {
  const { text, found } = at(marked);
  const one = found.find((candidate) => candidate.label === label);
  assert.ok(one, `${label} is offered in ${marked}`);
  const plain = one.snippet
    .replace(/\$\{\d\|([^,|]*)[^}]*\}/g, '$1')
    .replace(/\$\{\d:([^}]*)\}/g, '$1')
    .replace(/\$\d/g, '')
    .replace(/\\([\\$}])/g, '$1');
  return text.slice(0, one.start) + plain + text.slice(one.end);
}

const bodyNames = [
  'model messages max_tokens temperature top_p top_k min_p frequency_penalty presence_penalty n seed stop',
  'response_format tools tool_choice enable_thinking thinking_budget stream stream_options',
].flatMap((names) => names.split(' '));

describe('Completion in a line of a batch file', () => {
  const cases: readonly (readonly [marked: string, offered: readonly string[]])[] = [
    ['{|}', ['custom_id', 'method', 'url', 'body']],
    ['{|', ['custom_id', 'method', 'url', 'body']],
    ['{"|', ['custom_id', 'method', 'url', 'body']],
    ['{"custom_id":"a",|}', ['method', 'url', 'body']],
    ['{"custom_id":"a",|', ['method', 'url', 'body']],
    ['{"custom_id":"a",|,"body":{}}', ['method', 'url']],
    ['{"custom_id":"a","|,"body":{}}', ['method', 'url']],
    ['{"custom_id":"a","|"body":{}}', ['method', 'url']],
    ['{|"body":{"model":"m"}}', ['custom_id', 'method', 'url']],
    ['{"custom_id":"a" |"body":{}}', ['method', 'url']],
    ['{"custom_id":"a","met|"}', ['method', 'url', 'body']],
    ['{"custom_id":"a","met|hod":"POST"}', ['method', 'url', 'body']],
    ['{"method":|}', ['POST']],
    ['{"method":"|"}', ['POST']],
    ['{"method":"|,"url":""}', ['POST']],
    ['{"method":"GE|T"}', ['POST']],
    ['{"url":"|"}', ['/v1/chat/completions']],
    ['{"custom_id":"|"}', []],
    ['{"custom_id":|}', []],
    ['{"body":{|}}', bodyNames],
    ['{"body":{"model":"m","messages":[],|}}', bodyNames.filter((name) => name !== 'model' && name !== 'messages')],
    ['{"body":{"model":"|"}}', models],
    ['{"body":{"model":|', models],
    ['{"body":{"model":"m","temperature":|}}', ['0.7', '0', '1']],
    ['{"body":{"temperature":0.|}}', ['0.7', '0', '1']],
    ['{"body":{"temperature":"|"}}', []],
    ['{"body":{"stream":|}}', ['false', 'true']],
    ['{"body":{"enable_thinking":t|}}', ['true', 'false']],
    ['{"body":{"tool_choice":"|"}}', ['auto', 'none', 'required']],
    ['{"body":{"messages":|}}', ['[{"role":"user","content":""}]']],
    ['{"body":{"messages":[|]}}', ['{"role":"user","content":""}']],
    ['{"body":{"messages":[{"role":"user","content":"a"},|]}}', ['{"role":"user","content":""}']],
    ['{"body":{"messages":[{},|]}}', ['{"role":"user","content":""}']],
    ['{"body":{"messages":[{"role":"|"}]}}', ['system', 'user', 'assistant', 'tool']],
    [
      '{"body":{"messages":[{"role":"user","|"}]}}',
      ['content', 'name', 'tool_calls', 'tool_call_id', 'reasoning_content'],
    ],
    ['{"body":{"messages":[{"role":"user","content":"Say \\"|\\" now"}]}}', []],
    ['{"body":{"messages":[{"content":[{"|"}]}]}}', ['type', 'text', 'image_url']],
    ['{"body":{"messages":[{"content":[{"type":"|"}]}]}}', ['text', 'image_url']],
    ['{"body":{"messages":[{"content":[{"image_url":{"url":"x",|}}]}]}}', ['detail']],
    ['{"body":{"tools":[{"type":"function","function":{"name":"f",|}}]}}', ['description', 'parameters', 'strict']],
    ['{"body":{"tools":[{"function":{"parameters":{|}}}]}}', []],
    ['{"body":{"response_format":{"type":"|"}}}', ['json_object', 'json_schema', 'text']],
    ['{"mine":{|}}', []],
    ['|', ['{"custom_id":"","method":"POST","url":"/v1/chat/completions…']],
  ];
  for (const [marked, offered] of cases) {
    it(`offers ${offered.length > 6 ? `${offered.length} names` : offered.join(' ') || 'nothing'} in ${marked || 'nothing'}`, () => {
      assert.deepEqual(labels(marked), offered);
    });
  }

  const takings: readonly (readonly [marked: string, label: string, line: string])[] = [
    ['{"custom_id":"a"|}', 'method', '{"custom_id":"a","method":"POST"}'],
    ['{"custom_id":"a",|}', 'url', '{"custom_id":"a","url":"/v1/chat/completions"}'],
    ['{"custom_id": "a", |}', 'url', '{"custom_id": "a", "url": "/v1/chat/completions"}'],
    ['{|"url":"u"}', 'method', '{"method":"POST","url":"u"}'],
    ['{"|"url":"u"}', 'method', '{"method":"POST","url":"u"}'],
    ['{"|","url":"u"}', 'method', '{"method":"POST","url":"u"}'],
    ['{"met|":"POST"}', 'method', '{"method":"POST"}'],
    ['{"url":"/v1/|completions"}', '/v1/chat/completions', '{"url":"/v1/chat/completions"}'],
    ['{"body":{"temperature":|"n":1}}', '0.7', '{"body":{"temperature":0.7,"n":1}}'],
    ['{"body":{"temperature":0|}}', '0.7', '{"body":{"temperature":0.7}}'],
    ['{"body":{"model":"Qwen/|"}}', 'Qwen/Qwen3-8B', '{"body":{"model":"Qwen/Qwen3-8B"}}'],
    ['{"body":{"model":"Qw|,"n":1}}', 'Qwen/Qwen3-8B', '{"body":{"model":"Qwen/Qwen3-8B","n":1}}'],
    ['{"body":{|}}', 'stop', '{"body":{"stop":[""]}}'],
    ['{"body":{|}}', 'temperature', '{"body":{"temperature":0.7}}'],
    [
      '{"body":{"messages":[{"role":"user"}|]}}',
      '{"role":"user","content":""}',
      '{"body":{"messages":[{"role":"user"},{"role":"user","content":""}]}}',
    ],
  ];
  for (const [marked, label, line] of takings) {
    it(`completes ${marked} to ${line}`, () => {
      assert.equal(taken(marked, label), line);
      assert.doesNotThrow(() => JSON.parse(line));
    });
  }

  it('writes complete requests without problems', () => {
    const line = taken('|', labels('|')[0]!);
    const codes = readLine(line).problems.map(({ code }) => code);
    assert.deepEqual(codes, ['custom-id.empty', 'model.invalid', 'message.empty']);
  });

  it('offers the other values for an existing one', () => {
    const filters = (marked: string) => new Set(at(marked).found.map(({ filter }) => filter));
    assert.deepEqual(filters('{"body":{"model":"Qwen/Qwen3-8B|"}}'), new Set(['"Qwen/Qwen3-8B"']));
    assert.ok(filters('{"body":{"model":"Qwen/Qwen3|"}}').size > 1);
  });

  it('describes a property and its values', () => {
    const temperature = at('{"body":{|}}').found.find(({ label }) => label === 'temperature');
    assert.match(temperature!.about, /Lower is more focused/);
    assert.equal(temperature!.takes, 'Accepts a number from 0 to 2.');
  });

  it('requests models only at a model value', () => {
    const job = (marked: string, rules?: BatchRules) => modelJobAt(at(marked).text, at(marked).offset, rules);
    assert.equal(job('{"body":{"model":"|"}}'), 'chat');
    assert.equal(job('{"body":{"|":"model"}}'), undefined);
    assert.equal(job('{"model":"|"}'), undefined);
    assert.equal(job('{"url":"/v1/embeddings","body":{"model":"|"}}', batchServiceNamed('OpenAI')), 'embedding');
  });

  it('offers nothing in endlessly nested lines', () => {
    assert.deepEqual(labels(`{"body":${'['.repeat(100_000)}|`), []);
  });
});
