import assert from 'node:assert/strict';
import { settingFor } from '../../../../src/core/capabilities/capabilities';
import {
  limitsLearnedFrom,
  messageLimitIn,
  readLimits,
  toLimitsFile,
  withoutOverruled,
} from '../../../../src/core/capabilities/learnedLimits';
import { capabilitiesOf } from '../../../../src/core/capabilities/modelCapabilities';
import { toApiError } from '../../../../src/core/api/parseError';
import { quickest } from '../../../support/quickest';

describe('the capabilities of a chat model', () => {
  const taken = (model: string) => {
    const { tools, images, thinking } = capabilitiesOf(model);
    return [tools, images, thinking];
  };

  it('are known for model families, whatever prefix their names have', () => {
    assert.deepEqual(taken('Qwen/Qwen3-30B-A3B-Instruct-2507'), [true, false, 'never']);
    assert.deepEqual(taken('Pro/deepseek-ai/DeepSeek-V3.2'), [true, false, 'asked']);
    assert.deepEqual(taken('deepseek-ai/DeepSeek-R1'), [true, false, 'always']);
    assert.deepEqual(taken('deepseek-ai/DeepSeek-R1-Distill-Qwen-7B'), [false, false, 'always']);
    assert.deepEqual(taken('Qwen/Qwen3-VL-32B-Instruct'), [true, true, 'never']);
    assert.deepEqual(taken('Qwen/Qwen2.5-VL-72B-Instruct'), [false, true, 'never']);
    assert.deepEqual(taken('zai-org/GLM-4.5V'), [true, true, 'asked']);
    assert.deepEqual(taken('tencent/Hunyuan-MT-7B'), [false, false, 'never']);
    assert.deepEqual(taken('deepseek-ai/DeepSeek-OCR'), [false, false, 'never']);
  });

  it('default to no tools, no images, and a small context', () => {
    const { contextTokens, ...others } = capabilitiesOf('somebody/something');
    assert.deepEqual(others, { tools: false, images: false, outputTokens: 4096, thinking: 'never' });
    assert.equal(contextTokens, 32_768);
  });

  it('are those of the user first, then learned ones, then the model list, then the table', () => {
    const model = 'Qwen/Qwen3-8B';
    const lesson = { tools: false, contextTokens: 50_000 };
    const listed = { id: model, types: [], subTypes: [], contextLength: 60_000, maxOutputTokens: 5000 };
    const learned = capabilitiesOf(model, { learned: lesson, listed });
    assert.deepEqual([learned.tools, learned.contextTokens, learned.outputTokens], [false, 50_000, 5000]);
    const said = capabilitiesOf(model, { setting: { tools: true }, learned: lesson, listed });
    assert.deepEqual([said.tools, said.contextTokens], [true, 50_000]);
  });

  it('leave half of the context to the prompt, however small it is', () => {
    for (const contextTokens of [1, 512, 4000]) {
      const known = capabilitiesOf('a/b', { setting: { contextTokens, outputTokens: 1e9 } });
      assert.ok(known.outputTokens >= 256 && known.outputTokens <= known.contextTokens / 2, String(contextTokens));
    }
  });

  it('are set by patterns, of which the last matching one counts, and invalid types are ignored', () => {
    const setting = {
      '*': { tools: true, images: true },
      'ACME/m-*': { tools: false },
      'acme/m-1.5': { contextTokens: 9000, thinking: 'sometimes', outputTokens: -1, more: 1 } as object,
      'acme/m-1+5': { images: false },
    };
    assert.deepEqual(settingFor('acme/m-1.5', setting), { tools: false, images: true, contextTokens: 9000 });
    assert.deepEqual(settingFor('acme/m-1x5', setting), { tools: false, images: true });
    assert.deepEqual(settingFor('other', setting), { tools: true, images: true });
    assert.deepEqual(settingFor('a', { a: null } as object as Parameters<typeof settingFor>[1]), {});
  });

  it('match asterisks with any text, also empty, in little time', () => {
    const fits = (pattern: string, model: string) => 'tools' in settingFor(model, { [pattern]: { tools: true } });
    for (const pattern of ['*', 'a*', '*b', 'a*b', 'a*x*b', '**a**b', 'axb']) assert.ok(fits(pattern, 'aXb'), pattern);
    for (const pattern of ['', 'b*', '*a', 'axb*b', 'a*y*b', 'a*a']) assert.ok(!fits(pattern, 'axb'), pattern);
    assert.ok(!fits('a*a', 'a'));
    const took = quickest(() => assert.ok(!fits(`${'*a'.repeat(4)}*b`, 'a'.repeat(150))), 50);
    assert.ok(took < 50, `${took} ms`);
  });
});

describe('what a rejection teaches', () => {
  const sent = { tools: true, images: true, maxTokens: 16_384 };
  const learned = (message: string, parameter?: string) => limitsLearnedFrom({ message, parameter }, sent);

  it("is that tools or images aren't supported, only if they were sent", () => {
    assert.deepEqual(learned('This model does not support tools.'), { tools: false });
    assert.deepEqual(learned('refused', 'tools'), { tools: false });
    assert.deepEqual(learned('Value error, current model does not support parameter `tools`.'), { tools: false });
    assert.deepEqual(learned('Function calling is not supported for this model'), { tools: false });
    assert.deepEqual(learned('The model is not a VLM and does not take image_url content.'), { images: false });
    assert.deepEqual(learned('unknown variant `image_url`, expected `text`'), { images: false });
    const bare = { tools: false, images: false, maxTokens: 10 };
    assert.equal(limitsLearnedFrom({ message: 'This model does not support tools.' }, bare), undefined);
    assert.equal(limitsLearnedFrom({ message: 'images are not supported' }, bare), undefined);
  });

  for (const [message, parameter] of [
    ['refused', 'tools[0].name'],
    ['tools[12].input_schema: must be an object', 'tools'],
    ['In tools[3].input_schema the keyword "oneOf" is not supported', undefined],
    ['At most 64 tools are supported, 70 were sent', 'tools'],
    ['only 64 tools are supported', undefined],
    ['tools: 128 is the maximum, more are not supported', undefined],
    ['messages[3].tool_calls[0].function.arguments is not valid JSON', undefined],
    ['messages[2]: tool_result toolu_1 has no tool_use in the message before it', undefined],
    ['This model does not support tool_choice', undefined],
    ['This model does not support tools', 'tool_choice'],
    ['This model does not support parallel tool calls', undefined],
    ['This model does not support tools when thinking is enabled', undefined],
    ['Function names may not hold dots', 'tools'],
  ] as const) {
    it(`excludes tool support if it is about ${parameter ?? 'nothing'}: ${message}`, () => {
      assert.equal(learned(message, parameter), undefined);
    });
  }

  for (const message of [
    'The image size exceeds the limit of 10 MB and is not accepted',
    'Image is too large, only images up to 4096 pixels are supported',
    'At most 5 images are supported',
    'image_url: unsupported format image/bmp',
    'The image could not be decoded',
    'image_url is not a base64 text',
    'This model only takes 2 pictures',
    'The image data you provided does not represent a valid image',
    'Could not process image',
    'Invalid image_url: not a picture',
  ]) {
    it(`excludes image support if the message is: ${message}`, () => {
      assert.equal(learned(message), undefined);
    });
  }

  it("is that images aren't supported, in any wording", () => {
    for (const message of [
      'The model is not a VLM (Vision Language Model). Please use text-only prompts.',
      'Invalid content type. image_url is only supported by certain models.',
      'images are not supported',
      'This model cannot take images',
      'This model doesn’t accept image input',
    ]) {
      assert.deepEqual(learned(message), { images: false }, message);
    }
  });

  it('is the maximum number of tokens, in total or for a response', () => {
    assert.deepEqual(learned('max_tokens (16384) have exceeded max_seq_len (8192) limit.'), { outputTokens: 8192 });
    assert.deepEqual(learned('length of prompt_tokens (180224) must be less than max_seq_len (131072).'), {
      contextTokens: 131_072,
    });
    assert.deepEqual(learned('number of input tokens (180224) has exceeded max_prompt_tokens (131072) limit.'), {
      contextTokens: 131_072,
    });
    assert.deepEqual(
      learned("This model's maximum context length is 65536 tokens. However, you requested 70000 tokens."),
      { contextTokens: 65_536 },
    );
    assert.deepEqual(learned('max_tokens must be less than or equal to 4096'), { outputTokens: 4096 });
  });

  it('is empty if it is about something else', () => {
    for (const message of ['', 'top_p is out of range', 'The parameter is invalid. Please check again.']) {
      assert.equal(learned(message), undefined, message);
    }
  });

  it('is stored and loaded without invalid entries, and user settings take precedence', () => {
    const entry = { profile: 'p', model: 'm', lesson: { tools: false, contextTokens: 9 } };
    assert.deepEqual(readLimits(JSON.parse(JSON.stringify(toLimitsFile([entry])))), [entry]);
    for (const raw of [undefined, null, 5, [], {}, { version: 2, lessons: [entry] }, { version: 1, lessons: 5 }]) {
      assert.deepEqual(readLimits(raw), []);
    }
    const lessons = [null, {}, { profile: 1, model: 'm' }, { profile: 'p', model: 'm', lesson: { tools: 'no' } }];
    assert.deepEqual(readLimits({ version: 1, lessons }), [{ profile: 'p', model: 'm', lesson: {} }]);
    assert.deepEqual(withoutOverruled(entry.lesson, { tools: true }), { contextTokens: 9 });
    assert.equal(withoutOverruled({ tools: false }, { tools: true }), undefined);
  });
});

describe('the maximum number of messages in a request', () => {
  const talk = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      role: index % 2 ? ('assistant' as const) : ('user' as const),
      content: 'a',
    }));
  const learned = (body: object, count: number, status = 400) => {
    const { details, message } = toApiError({ status, headers: {}, body: JSON.stringify(body), now: 0 });
    return messageLimitIn({ parameter: details.parameter, message }, talk(count));
  };
  const fastApi = (loc: readonly (string | number)[], msg: string) => ({
    detail: [{ type: 'too_long', loc, msg, input: [] }],
  });
  const openAi = (message: string, param: string | null) => ({
    error: { message, type: 'invalid_request_error', param, code: null },
  });
  const tenOf = (count: number) => `List should have at most 10 items after validation, not ${count}`;

  it('is learned from a rejection of more', () => {
    // The public service, also behind a gateway at another address
    assert.equal(learned({ code: 20015, message: tenOf(13), data: null }, 13), 10);
    // The same over /chat/completions, where the system prompt is a message too
    assert.equal(learned({ code: 20015, message: tenOf(14), data: null }, 13), 10);
    // FastAPI 0.115 with pydantic 2.10
    assert.equal(learned(fastApi(['body', 'messages'], tenOf(11)), 11, 422), 10);
    // FastAPI 0.95 with pydantic 1.10
    assert.equal(learned(fastApi(['body', 'messages'], 'ensure this value has at most 10 items'), 11, 422), 10);
    // LiteLLM 1.75 in front of it
    assert.equal(learned(openAi(`litellm.BadRequestError: OpenAIException - ${tenOf(12)}`, null), 12), 10);
    // OpenAI
    const tooLong =
      "Invalid 'messages': array too long. Expected an array with maximum length 2048, but got an array with length 2049 instead.";
    assert.equal(learned(openAi(tooLong, 'messages'), 2049), 2048);
  });

  it("isn't learned from a rejection of another list", () => {
    assert.equal(learned(fastApi(['body', 'tools'], tenOf(11)), 11, 422), undefined);
    assert.equal(learned(fastApi(['body', 'messages', 2, 'content'], tenOf(11)), 11, 422), undefined);
    assert.equal(learned({ code: 20015, message: tenOf(11), data: null }, 3), undefined);
    assert.equal(learned(openAi(tenOf(11), 'stop'), 11), undefined);
    const parts =
      "Invalid 'messages[0].content': array too long. Expected an array with maximum length 10, but got an array with length 11 instead.";
    assert.equal(learned(openAi(parts, 'messages[0].content'), 11), undefined);
    assert.equal(learned(openAi('max_tokens must be at most 10', 'max_tokens'), 11), undefined);
  });
});
