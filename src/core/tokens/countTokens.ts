import { imageSize } from 'image-size';
import type { MessageParam } from '../api/messages/messages.schema';
import { estimateTokens } from './estimate';

/** For an image of about 1000 by 1000 pixels, if its size is unknown. */
export const tokensPerImage = 1300;
/** For an image that is sent with low detail. https://docs.siliconflow.cn/cn/userguide/capabilities/vision */
const tokensPerLowDetail = 256;
/** One token per 28 by 28 pixels. https://huggingface.co/Qwen/Qwen2.5-VL-7B-Instruct */
const pixelsPerToken = 28;
const fewestImageTokens = 4;
const mostImageTokens = 16_384;
/** Characters of Base64 in which an image's size is looked for. */
const imageHeadLength = 64 * 1024;
/** Speech models count about 25 tokens per second; a second of compressed speech has about 16,000 bytes. */
const audioBytesPerToken = 640;

/** Overhead of a message besides its text: its role and delimiters. */
const tokensPerMessage = 4;
/** Nested deeper, content isn't counted. */
const deepest = 8;

type Body = Readonly<Record<string, unknown>>;

/** Estimates how many tokens a model counts for a message. */
export function countMessageTokens(content: MessageParam['content']): number {
  return tokensPerMessage + countContent(content, 0);
}

/**
 * Estimates how many tokens a model counts for the input of any request: of a chat in either format with its system prompt, images, tool
 * calls and tools, of a completion, of a ranking, which counts the query once per document, and of texts to embed. Accepts any value, because
 * the lines of batch files are written by others.
 */
export function countInputTokens(body: unknown): number {
  if (!isObject(body)) return 0;
  const { messages, system, instructions, tools, functions, prompt, suffix, input, query, documents } = body;
  const ofMessages = Array.isArray(messages)
    ? messages.reduce((sum: number, message: unknown) => sum + countWritten(message), 0)
    : 0;
  const definitions = [tools, functions].filter((list) => Array.isArray(list) && list.length > 0);
  return (
    ofMessages +
    countContent(system, 0) +
    definitions.reduce((sum: number, list) => sum + countJson(list), 0) +
    countTexts(instructions) +
    countTexts(prompt) +
    countTexts(suffix) +
    (messages === undefined ? countTexts(input) : 0) +
    (Array.isArray(documents) ? countTexts(documents) + documents.length * countTexts(query) : 0)
  );
}

/** Counts a message with its properties besides the content. */
function countWritten(message: unknown): number {
  if (!isObject(message)) return 0;
  const { content, tool_calls: calls, reasoning_content: reasoning } = message;
  const ofCalls = Array.isArray(calls) ? calls.reduce((sum: number, call: unknown) => sum + countCall(call), 0) : 0;
  return tokensPerMessage + countContent(content, 0) + countTexts(reasoning) + ofCalls;
}

function countCall(call: unknown): number {
  const of = isObject(call) && isObject(call['function']) ? call['function'] : call;
  return isObject(of) ? estimateTokens(`${textOf(of['name'])} ${textOf(of['arguments'])}`) : 0;
}

function countContent(content: unknown, depth: number): number {
  if (typeof content === 'string') return estimateTokens(content);
  if (!Array.isArray(content) || depth > deepest) return 0;
  return content.reduce((sum: number, block: unknown) => sum + countBlock(block, depth), 0);
}

function countBlock(block: unknown, depth: number): number {
  if (typeof block === 'string') return estimateTokens(block);
  if (!isObject(block)) return 0;
  switch (block['type']) {
    case 'thinking':
      return countTexts(block['thinking']);
    case 'image': {
      const source = isObject(block['source']) ? block['source'] : {};
      return countImage(typeof source['data'] === 'string' ? source['data'] : undefined, undefined);
    }
    case 'image_url':
    case 'input_image': {
      const image = block['image_url'];
      const { url, detail } = isObject(image) ? image : { url: image, detail: block['detail'] };
      return countImage(typeof url === 'string' ? dataOf(url) : undefined, detail);
    }
    case 'input_audio': {
      const audio = isObject(block['input_audio']) ? block['input_audio'] : {};
      return Math.ceil((textOf(audio['data']).length * 0.75) / audioBytesPerToken);
    }
    case 'tool_use':
      return estimateTokens(`${textOf(block['name'])} ${JSON.stringify(block['input'])}`);
    case 'tool_result':
      return tokensPerMessage + countContent(block['content'], depth + 1);
    case 'unknown':
      return countJson(block['raw']);
    default:
      return typeof block['text'] === 'string' ? estimateTokens(block['text']) : countJson(block);
  }
}

/** Estimates how many tokens a model counts for an image. `base64`: `undefined` if it is sent by its URL. */
export function countImage(base64: string | undefined, detail: unknown): number {
  if (detail === 'low') return tokensPerLowDetail;
  if (base64 === undefined) return tokensPerImage;
  try {
    const { width, height } = imageSize(Buffer.from(base64.slice(0, imageHeadLength), 'base64'));
    const tokens = Math.ceil(width / pixelsPerToken) * Math.ceil(height / pixelsPerToken);
    return tokens > 0 ? Math.min(mostImageTokens, Math.max(fewestImageTokens, tokens)) : tokensPerImage;
  } catch {
    return tokensPerImage;
  }
}

/** Counts a text, or each of several. */
function countTexts(value: unknown): number {
  if (typeof value === 'string') return estimateTokens(value);
  if (!Array.isArray(value)) return 0;
  return value.reduce(
    (sum: number, one: unknown) => sum + estimateTokens(textOf(isObject(one) ? one['text'] : one)),
    0,
  );
}

function countJson(value: unknown): number {
  return value === undefined ? 0 : estimateTokens(JSON.stringify(value));
}

/** Returns the beginning of the data of a `data:` URL. */
function dataOf(url: string): string | undefined {
  const head = /^data:[^,]{0,200},/.exec(url.slice(0, 256))?.[0];
  return head === undefined ? undefined : url.slice(head.length, head.length + imageHeadLength);
}

function isObject(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
