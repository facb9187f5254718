import assert from 'node:assert/strict';
import { PNG } from 'pngjs';
import type { ContentParam } from '../../../../src/core/conversation/compactedTranscript';
import { countMessageTokens, countInputTokens, tokensPerImage } from '../../../../src/core/tokens/countTokens';
import { estimateTokens } from '../../../../src/core/tokens/estimate';

const words = 'The quick brown fox jumps over the lazy dog. '.repeat(20);
const image: ContentParam = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } };
const count = (content: readonly ContentParam[]) => countMessageTokens([...content]) - countMessageTokens([]);

describe('the token count of a request', () => {
  const blocks: Readonly<Record<string, readonly [ContentParam, number]>> = {
    text: [{ type: 'text', text: words }, estimateTokens(words)],
    thinking: [{ type: 'thinking', thinking: words, signature: 's' }, estimateTokens(words)],
    'an image': [image, tokensPerImage],
    'a call': [
      { type: 'tool_use', id: 'c', name: 'look', input: { words } },
      estimateTokens(`look ${JSON.stringify({ words })}`),
    ],
  };
  for (const [what, [block, tokens]] of Object.entries(blocks)) {
    it(`includes ${what}, for each occurrence`, () => {
      assert.equal(count([block]), tokens);
      assert.equal(count([block, block]), tokens * 2);
    });
  }

  it('includes the content of a tool result', () => {
    const result = (content?: string | Extract<ContentParam, { type: 'text' | 'image' }>[]): ContentParam => ({
      type: 'tool_result',
      tool_use_id: 'c',
      ...(content !== undefined && { content }),
    });
    const around = count([result()]);
    assert.equal(count([result(words)]), around + estimateTokens(words));
    assert.equal(
      count([result([{ type: 'text', text: words }, image])]),
      around + estimateTokens(words) + tokensPerImage,
    );
  });

  it('includes all messages, the system prompt, and the tools', () => {
    const message = { role: 'user' as const, content: words };
    const tools = [{ name: 'look', description: words, input_schema: { type: 'object' as const } }];
    const one = countMessageTokens(message.content);
    assert.ok(one > estimateTokens(words));
    assert.equal(countInputTokens({ messages: [message, message] }), one * 2);
    assert.equal(countInputTokens({ messages: [message], system: words }), one + estimateTokens(words));
    assert.equal(countInputTokens({ messages: [], tools }), estimateTokens(JSON.stringify(tools)));
  });

  it('is the same for a chat in the format of chat completions', () => {
    const calls = [{ id: 'c', type: 'function', function: { name: 'look', arguments: JSON.stringify({ words }) } }];
    const tool = { type: 'function', function: { name: 'look', description: words, parameters: { type: 'object' } } };
    const url = 'https://example.com/a.png';
    const plain = countMessageTokens(words);
    assert.equal(countInputTokens({ messages: [{ role: 'user', content: words }] }), plain);
    assert.equal(
      countInputTokens({ messages: [{ role: 'assistant', content: words, tool_calls: calls }] }),
      plain + estimateTokens(`look ${JSON.stringify({ words })}`),
    );
    assert.equal(countInputTokens({ messages: [], tools: [tool] }), estimateTokens(JSON.stringify([tool])));
    const image = (more: object) => ({ type: 'image_url', image_url: { url, ...more } });
    const withImage = (part: object) => countInputTokens({ messages: [{ role: 'user', content: [part] }] });
    assert.equal(withImage(image({})) - withImage({ type: 'text', text: '' }), tokensPerImage);
    assert.ok(withImage(image({ detail: 'low' })) < tokensPerImage / 4);
  });

  it('depends on the size of an image that is sent as data', () => {
    const png = new PNG({ width: 280, height: 56 });
    const data = PNG.sync.write(png).toString('base64');
    const sized = (part: object) => countInputTokens({ messages: [{ role: 'user', content: [part] }] }) - 4;
    assert.equal(sized({ type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } }), 20);
    assert.equal(sized({ type: 'image', source: { type: 'base64', media_type: 'image/png', data } }), 20);
    assert.equal(sized({ type: 'image_url', image_url: { url: 'data:image/png;base64,broken' } }), tokensPerImage);
  });

  it('of a ranking includes the query once per document, and of embeddings each text', () => {
    const documents = [words, `${words} again`];
    const each = documents.map(estimateTokens);
    assert.equal(
      countInputTokens({ query: 'lazy dogs', documents }),
      each[0]! + each[1]! + 2 * estimateTokens('lazy dogs'),
    );
    assert.equal(countInputTokens({ input: documents }), each[0]! + each[1]!);
    assert.equal(countInputTokens({ prompt: words, suffix: 'end' }), each[0]! + estimateTokens('end'));
  });

  for (const odd of [
    null,
    7,
    [],
    { messages: 'x' },
    { messages: [null, 3, { content: [null, { type: 'image_url' }] }] },
  ])
    it(`doesn't throw for ${JSON.stringify(odd)}`, () => assert.ok(countInputTokens(odd) >= 0));
});
