import assert from 'node:assert/strict';
import type { MessageEvent, MessageUsage } from '../../../../src/core/api/messages/messageEvents';
import type { MessageRequest } from '../../../../src/core/api/messages/messages.schema';
import { ApiError } from '../../../../src/core/api/errors';
import { countPromptTokens, tokensPerImage } from '../../../../src/core/tokens/countTokens';
import { estimateTokens } from '../../../../src/core/tokens/estimate';
import { createUsageMeter } from '../../../../src/core/usage/usageMeter';

const question = 'Why is the second loop slower than the first?';
const text = 'Because it allocates a string per byte.';
const start = (usage: MessageUsage): MessageEvent => ({ type: 'start', usage });
const said: MessageEvent = { type: 'text', index: 0, text };
const thought: MessageEvent = { type: 'thinking', index: 1, text };
const end = (usage: MessageUsage): MessageEvent => ({ type: 'end', message: { content: [], usage } });

const asked: MessageRequest = { model: 'm', messages: [{ role: 'user', content: question }], system: 'Be brief.' };

describe('the count of one answer', () => {
  const count = (...events: readonly MessageEvent[]) => {
    const meter = createUsageMeter(asked);
    for (const event of events) meter.add(event);
    return meter.read();
  };
  const input = countPromptTokens(asked);

  it('is the service’s own where it counted', () => {
    const counted = { inputTokens: 30, outputTokens: 12 };
    assert.deepEqual(count(start({ input_tokens: 29 }), said, end({ input_tokens: 30, output_tokens: 12 })), counted);
    assert.deepEqual(count(start({ input_tokens: 30 }), said, end({ output_tokens: 12 })), counted);
  });

  it('is nothing where the service did not begin', () => assert.equal(count(), undefined));

  it('is what was asked where it failed before anything came, and may be billed', () => {
    const failed = (maybeBilled: boolean) => {
      const meter = createUsageMeter(asked);
      meter.failed(new ApiError({ kind: 'timeout', message: 'No answer.', maybeBilled }));
      return meter.read();
    };
    assert.deepEqual(failed(true), {
      inputTokens: input,
      inputIsEstimate: true,
      outputTokens: 0,
      outputIsEstimate: true,
    });
    assert.equal(failed(false), undefined);
  });

  it('estimates what came of an answer that broke off, thinking too', () => {
    assert.deepEqual(count(start({ input_tokens: 30, output_tokens: 1 }), said, thought), {
      inputTokens: 30,
      outputTokens: estimateTokens(text + text),
      outputIsEstimate: true,
    });
  });

  it('estimates what was asked where the service counts at the end only, or not at all', () => {
    const estimated = { inputTokens: input, inputIsEstimate: true };
    const output = { outputTokens: estimateTokens(text), outputIsEstimate: true };
    assert.deepEqual(count(start({ input_tokens: 0 }), said), { ...estimated, ...output });
    assert.deepEqual(count(start({}), said, end({ input_tokens: 0 })), { ...estimated, ...output });
    assert.deepEqual(count(start({}), said, end({})), { ...estimated, ...output });
    assert.deepEqual(count(said, end({ output_tokens: 3 })), { ...estimated, outputTokens: 3 });
  });

  it('estimates a picture by what a model sees of it, not by its bytes, and tools by their text', () => {
    const meter = createUsageMeter({
      ...asked,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: question },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0K'.repeat(50_000) } },
          ],
        },
      ],
      tools: [{ name: 'look', description: question, input_schema: { type: 'object' } }],
    });
    meter.add(said);
    const { inputTokens = 0 } = meter.read() ?? {};
    assert.ok(inputTokens > input + tokensPerImage && inputTokens < input + tokensPerImage + 60, String(inputTokens));
  });
});
