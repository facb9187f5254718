import assert from 'node:assert/strict';
import type { ContentParam } from '../../../../src/core/conversation/compactedTranscript';
import { countMessageTokens, countPromptTokens, tokensPerImage } from '../../../../src/core/tokens/countTokens';
import { estimateTokens } from '../../../../src/core/tokens/estimate';

const words = 'The quick brown fox jumps over the lazy dog. '.repeat(20);
const image: ContentParam = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } };
const count = (content: readonly ContentParam[]) =>
  countMessageTokens({ content: [...content] }) - countMessageTokens({ content: [] });

describe('the tokens of what is sent', () => {
  const blocks: Readonly<Record<string, readonly [ContentParam, number]>> = {
    text: [{ type: 'text', text: words }, estimateTokens(words)],
    thinking: [{ type: 'thinking', thinking: words, signature: 's' }, estimateTokens(words)],
    'a picture': [image, tokensPerImage],
    'a call': [
      { type: 'tool_use', id: 'c', name: 'look', input: { words } },
      estimateTokens(`look ${JSON.stringify({ words })}`),
    ],
  };
  for (const [what, [block, tokens]] of Object.entries(blocks)) {
    it(`are counted for ${what}, each time it is there`, () => {
      assert.equal(count([block]), tokens);
      assert.equal(count([block, block]), tokens * 2);
    });
  }

  it('are counted for the result of a call by what is in it', () => {
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

  it('are those of all messages, of the system prompt and of the tools', () => {
    const message = { role: 'user' as const, content: words };
    const tools = [{ name: 'look', description: words, input_schema: { type: 'object' as const } }];
    const one = countMessageTokens(message);
    assert.ok(one > estimateTokens(words));
    assert.equal(countPromptTokens({ messages: [message, message] }), one * 2);
    assert.equal(countPromptTokens({ messages: [message], system: words }), one + estimateTokens(words));
    assert.equal(countPromptTokens({ messages: [], tools }), estimateTokens(JSON.stringify(tools)));
  });
});
