import assert from 'node:assert/strict';
import { describeAt, previewMessages } from '../../../../../src/core/batch/assist/describe';
import { requestSchema } from '../../../../../src/core/batch/assist/requestSchema';

function at(marked: string) {
  const offset = marked.indexOf('|');
  return describeAt(marked.slice(0, offset) + marked.slice(offset + 1), offset);
}

const line = (messages: unknown) => JSON.stringify({ custom_id: 'a', body: { model: 'm', messages } });

describe('Hovers in a batch line', () => {
  it('explain properties and numbers', () => {
    assert.deepEqual(at('{"cust|om_id":"a"}')?.member?.name, 'custom_id');
    assert.match(at('{"body":{"top|_k":1}}')!.member!.takes, /^Accepts a whole number from 0 to 50\.$/);
    assert.match(at('{"body":{"top_k":9|9}}')!.member!.takes, /50/);
    assert.match(at('{"bo|dy":{}}')!.member!.takes, /Required\.$/);
  });

  it("explain lines that aren't JSON yet", () => {
    assert.equal(at('{"custom_id":"a" "body":{"tempera|ture":')?.member?.name, 'temperature');
  });

  it('are empty for IDs, texts, and unknown properties', () => {
    assert.equal(at('{"custom_id":"a|b"}'), undefined);
    assert.equal(at('{"mine":1|}'), undefined);
    assert.equal(at(`${'['.repeat(100_000)}|`), undefined);
  });

  it('name the model under the pointer', () => {
    const found = at('{"body":{"model":"Qw|en"}}');
    assert.deepEqual([found?.model, found?.start, found?.end], ['Qwen', 17, 23]);
  });

  it('show the conversation at its property, and one message at its text', () => {
    const both = line([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hello' },
    ]);
    assert.deepEqual(at(both.replace('messages', 'mess|ages'))?.conversation, {
      messages: [
        { role: 'system', text: 'Be brief.' },
        { role: 'user', text: 'Hello' },
      ],
      left: 0,
    });
    assert.deepEqual(at(both.replace('Hello', 'He|llo'))?.conversation?.messages, [{ role: 'user', text: 'Hello' }]);
  });

  it('describe images, calls, and missing roles', () => {
    const { messages } = previewMessages(
      line([
        {
          content: [
            { type: 'text', text: 'See' },
            { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(5000)}` } },
            { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
          ],
        },
        { role: 'assistant', content: null, tool_calls: [{ function: { name: 'f', arguments: '{"a":1}' } }] },
        'text',
      ]),
    );
    assert.deepEqual(messages, [
      { role: 'no role', text: 'See\nan image\nan image: https://example.com/a.png' },
      { role: 'assistant', text: 'calls f with {"a":1}' },
      { role: 'no role', text: '' },
    ]);
  });

  it('stay readable for a long conversation', () => {
    const long = previewMessages(
      line(Array.from({ length: 50 }, () => ({ role: 'user', content: 'x'.repeat(900_00) }))),
    );
    const shown = long.messages.reduce((sum, { text }) => sum + text.length, 0);
    assert.ok(shown <= 3010, `${shown} characters`);
    assert.equal(long.messages.length + long.left, 50);
    const [half] = previewMessages(line([{ role: 'user', content: `${'x'.repeat(2999)}😀${'y'.repeat(9)}` }])).messages;
    assert.equal(half?.text, `${'x'.repeat(2999)}…`);
  });

  it('match the JSON Schema', () => {
    const schema = JSON.parse(JSON.stringify(requestSchema())) as {
      properties: { method: { enum: string[] }; body: { properties: Record<string, Record<string, unknown>> } };
      required: string[];
    };
    assert.deepEqual(schema.required, ['custom_id', 'body']);
    assert.deepEqual(schema.properties.method.enum, ['POST']);
    const { temperature, top_k: topK, messages } = schema.properties.body.properties;
    assert.deepEqual([temperature?.['minimum'], temperature?.['maximum']], [0, 2]);
    assert.deepEqual(topK?.['type'], ['integer', 'null']);
    assert.ok(messages?.['items']);
  });

  it('match a JSON Schema with a default for an only value, and none for a choice', () => {
    interface Node {
      readonly enum?: readonly unknown[];
      readonly default?: unknown;
      readonly properties?: Readonly<Record<string, Node>>;
      readonly items?: Node;
    }
    const choices: (readonly [string, number])[] = [];
    const walk = (name: string, node: Node): void => {
      if (node.enum) choices.push([name, node.enum.length]);
      assert.deepEqual(node.default, node.enum?.length === 1 ? node.enum[0] : undefined, name);
      for (const [own, member] of Object.entries(node.properties ?? {})) walk(own, member);
      if (node.items) walk(`${name}[]`, node.items);
    };
    walk('', requestSchema() as Node);
    assert.ok(choices.some(([name, count]) => name === 'method' && count === 1));
    assert.ok(
      choices.some(([, count]) => count > 1),
      JSON.stringify(choices),
    );
  });
});
