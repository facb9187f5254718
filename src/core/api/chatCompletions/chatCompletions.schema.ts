// https://docs.siliconflow.com/en/api-reference/chat-completions/chat-completions
import '../../../schema/jitless';
import * as z from 'zod/mini';
import type { Immutable } from '../../../schema/immutable';
import { isObject } from '../isObject';
import { numberParameters } from '../numberParameters';
import { parseJson } from '../parseJson';
import {
  entriesOf,
  lenient,
  lenientList,
  lenientNumber,
  lenientText,
  lenientTextOr,
  member,
  toText,
} from '../tolerant';

const contentPart = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({
    type: z.literal('image_url'),
    image_url: z.object({ url: z.string(), detail: z.optional(z.string()) }),
  }),
]);

/** Further properties are those that came with it. */
const toolCall = z.looseObject({
  id: z.string(),
  type: z.literal('function'),
  function: z.object({ name: z.string(), arguments: z.string() }),
});

const message = z.object({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  /** "" if an assistant message only has tool calls; null is rejected. */
  content: z.union([z.string(), z.array(contentPart)]),
  name: z.optional(z.string()),
  tool_calls: z.optional(z.array(toolCall)),
  tool_call_id: z.optional(z.string()),
  /** Sent back on tool-call turns only, under the name under which it came. */
  reasoning_content: z.optional(z.string()),
  reasoning: z.optional(z.string()),
  reasoning_details: z.optional(z.array(z.unknown())),
  thinking_blocks: z.optional(z.array(z.unknown())),
  extra_content: z.optional(z.unknown()),
});

const tool = z.object({
  type: z.literal('function'),
  function: z.object({
    name: z.string(),
    description: z.optional(z.string()),
    parameters: z.optional(z.record(z.string(), z.unknown())),
    strict: z.optional(z.boolean()),
  }),
});

const toolChoice = z.union([
  z.enum(['auto', 'none', 'required']),
  z.object({ type: z.literal('function'), function: z.object({ name: z.string() }) }),
]);

export const chatCompletionRequest = z.strictObject({
  model: z.string(),
  messages: z.array(message),
  ...numberParameters('chatCompletions'),
  stop: z.nullish(z.union([z.string(), z.array(z.string())])),
  response_format: z.nullish(z.looseObject({ type: z.string() })),
  tools: z.nullish(z.array(tool)),
  tool_choice: z.nullish(toolChoice),
  /** Models without this parameter respond with 400, even to false. */
  enable_thinking: z.nullish(z.boolean()),
  stream_options: z.nullish(z.object({ include_usage: z.boolean() })),
});

/** Absent fields are not sent; `null` is sent as null. */
export type ChatCompletionRequest = Immutable<z.infer<typeof chatCompletionRequest>>;

const inputDetails = lenient(z.looseObject({ cached_tokens: lenientNumber, cache_write_tokens: lenientNumber }));
const outputDetails = lenient(z.looseObject({ reasoning_tokens: lenientNumber }));

/** `prompt_cache_miss_tokens` is the rest of the prompt, so it is not read. */
export const chatCompletionUsage = z.looseObject({
  prompt_tokens: lenientNumber,
  completion_tokens: lenientNumber,
  total_tokens: lenientNumber,
  prompt_tokens_details: inputDetails,
  completion_tokens_details: outputDetails,
  /** DeepSeek; Moonshot. */
  prompt_cache_hit_tokens: lenientNumber,
  cached_tokens: lenientNumber,
  /** The names of messages and of the Responses API, which gateways pass on. */
  input_tokens: lenientNumber,
  output_tokens: lenientNumber,
  cache_read_input_tokens: lenientNumber,
  cache_creation_input_tokens: lenientNumber,
  input_tokens_details: inputDetails,
  output_tokens_details: outputDetails,
  /** Vercel's SDK. */
  promptTokens: lenientNumber,
  completionTokens: lenientNumber,
  totalTokens: lenientNumber,
  /** Google. */
  promptTokenCount: lenientNumber,
  candidatesTokenCount: lenientNumber,
  thoughtsTokenCount: lenientNumber,
  totalTokenCount: lenientNumber,
  cachedContentTokenCount: lenientNumber,
});

/** Some gateways have a list around it. */
const usage = member((value) => {
  if (value == null) return undefined;
  return chatCompletionUsage.safeParse(Array.isArray(value) ? value[0] : value).data;
});

/** Why an answer ended. text-generation-inference and SGLang have it in an object. */
const reason = member((value) => {
  const one: unknown = Array.isArray(value) ? value[0] : value;
  return toText(isObject(one) ? one['type'] : one);
});

/** The called function. `arguments` is JSON text, but some servers send the object itself. */
/** Models that imitate the form call the arguments parameters. */
const called = { name: lenientText, arguments: z.optional(z.unknown()), parameters: z.optional(z.unknown()) };

/**
 * Later pieces of a call repeat `id: null` and `name: ""`: empty values never replace earlier ones. Some gateways have no `function` around
 * the name and the arguments.
 */
const toolCallPart = z.looseObject({
  index: lenientNumber,
  id: lenientText,
  function: lenient(z.looseObject(called)),
  ...called,
});

/** A part of a content list. Mistral sends `{type: "thinking", thinking: [{type: "text", text}]}` next to the usual text. */
const saidPart = z.looseObject({
  type: lenientText,
  text: lenientText,
  refusal: lenientText,
  /** For an image. */
  image_url: lenientTextOr(z.looseObject({ url: lenientText })),
  source: lenient(z.looseObject({ url: lenientText, media_type: lenientText, data: lenientText })),
  thinking: lenientTextOr(entriesOf(z.looseObject({ text: lenientText }))),
  /** For reasoning of Databricks. */
  summary: lenientList(z.looseObject({ text: lenientText })),
  /** For a call, in Anthropic's format. */
  id: lenientText,
  name: lenientText,
  input: z.optional(z.unknown()),
  /** For a source, in Mistral's format. */
  url: lenientText,
  title: lenientText,
});

/** Returns a part of a content in the usual form: a text, Google's data of an image, another form of it, and the address of a video. */
function asPart(part: unknown): unknown {
  if (typeof part === 'string') return { type: 'text', text: part };
  if (!isObject(part)) return part;
  const { inline_data: data, inlineData = data, image, video_url: video } = part;
  if (isObject(inlineData)) {
    const source = { data: inlineData['data'], media_type: inlineData['mime_type'] ?? inlineData['mimeType'] };
    return { type: 'image', source };
  }
  if (part['type'] === 'image' && isObject(image)) return { type: 'image', source: image };
  const address = isObject(video) ? video['url'] : video;
  return typeof address === 'string' ? { type: 'text', text: address } : part;
}

/** Text, or a list of parts. Some servers send one part without the list, or texts in it. */
const content = member((value) => {
  if (value == null || typeof value !== 'object') return toText(value);
  const parts = (Array.isArray(value) ? value : [value]).map(asPart);
  return entriesOf(saidPart).safeParse(parts).data;
});

/** OpenRouter's form, others', and a bare address. */
const image = z.union([
  z.string(),
  z.looseObject({
    image_url: lenientTextOr(z.looseObject({ url: lenientText })),
    url: lenientText,
    b64_json: lenientText,
  }),
]);

const source = z.looseObject({
  url: lenientText,
  link: lenientText,
  uri: lenientText,
  title: lenientText,
  /** Open WebUI. */
  source: lenient(z.looseObject({ url: lenientText, name: lenientText })),
});
export type Source = Partial<z.infer<typeof source>>;

/** Google's search results for an answer. */
const grounding = z.looseObject({
  groundingChunks: lenientList(
    z.looseObject({ web: lenient(z.looseObject({ uri: lenientText, title: lenientText })) }),
  ),
});
export type Grounding = z.infer<typeof grounding>;

const annotation = z.looseObject({ ...source.shape, type: lenientText, url_citation: lenient(source) });

/** Tool calls; a single one may come without the list around it. */
const toolCalls = member((value) => {
  if (value == null) return undefined;
  const read: unknown = typeof value === 'string' ? parseJson(value) : value;
  const isKeyed = isObject(read) && Object.keys(read).every((key) => /^\d+$/.test(key));
  const calls = isKeyed ? Object.values(read) : Array.isArray(read) ? read : [read];
  return entriesOf(toolCallPart).safeParse(calls).data;
});

/** Thinking as a text, in an object, or in a list of these. */
const thinkingText = member((value) => thoughtIn(value));

function thoughtIn(value: unknown, levels = mostThoughtLevels): string | undefined {
  // Lists within lists take stack space.
  if (levels === 0) return undefined;
  if (Array.isArray(value)) return value.map((part) => thoughtIn(part, levels - 1) ?? '').join('') || undefined;
  if (!isObject(value)) return toText(value);
  return thoughtIn(value['content'] ?? value['text'] ?? value['thinking'] ?? value['thought'], levels - 1);
}

const mostThoughtLevels = 20;

const reasoningObject = z.looseObject({
  content: lenientText,
  text: lenientText,
  summary: lenientList(z.looseObject({ text: lenientText })),
});

/** Sources as texts or objects. */
const sourceList = lenientList(z.union([z.string(), source]));

/**
 * The content of a message. Reasoning has these names: `reasoning_content` (DeepSeek, llama.cpp), `reasoning` (OpenRouter, Ollama, vLLM),
 * `reasoning_details` (OpenRouter, which repeats in it the content of `reasoning`), `reasoning_text` (Copilot), and `thinking`. LiteLLM
 * also has Anthropic's signed thinking in `thinking_blocks`, and Google a signature in `extra_content`.
 */
const wireMessage = z.looseObject({
  content,
  refusal: lenientText,
  reasoning_content: thinkingText,
  reasoning: member((value) => (isObject(value) ? reasoningObject.safeParse(value).data : thoughtIn(value))),
  reasoning_text: lenientText,
  /** Perplexity. */
  reasoning_steps: thinkingText,
  thinking: thinkingText,
  thought: thinkingText,
  reasoning_details: lenientList(z.looseObject({ text: lenientText, summary: lenientText })),
  thinking_blocks: lenientList(z.looseObject({ type: lenientText, thinking: lenientText })),
  extra_content: lenient(z.looseObject({})),
  tool_calls: toolCalls,
  /** The form of OpenAI before there were several calls. */
  function_call: lenient(z.looseObject(called)),
  images: lenientList(image),
  /** AiHubMix. */
  multi_mod_content: content,
  annotations: lenientList(annotation),
  /** Searches that Groq ran. */
  executed_tools: lenientList(
    z.looseObject({ search_results: lenient(z.looseObject({ results: lenientList(source) })) }),
  ),
  audio: lenient(z.looseObject({ transcript: lenientText })),
  citations: sourceList,
  /** Azure with the user's own data. */
  context: lenient(z.looseObject({ citations: sourceList })),
  /** LiteLLM, which has Anthropic's citations one by one in a stream, and in lists of lists in a complete answer. */
  provider_specific_fields: lenient(
    z.looseObject({ citation: lenient(source), citations: lenientList(z.union([z.array(source), source])) }),
  ),
  usage,
  finish_reason: reason,
});

const head = { id: lenientText, model: lenientText, created: lenientNumber, system_fingerprint: lenientText };

/**
 * A whole answer has messages. OpenRouter says `stop` if a provider failed, and how that ended in `native_finish_reason`. A server that does not stream sends one in place of chunks, and one that only completes texts has a text.
 * Moonshot has the usage here.
 */
const choice = z.looseObject({
  index: lenientNumber,
  delta: lenient(wireMessage),
  message: member((value) => wireMessage.safeParse(typeof value === 'string' ? { content: value } : value).data),
  text: lenientText,
  finish_reason: reason,
  finishReason: reason,
  native_finish_reason: lenientText,
  groundingMetadata: lenient(grounding),
  usage,
});

/** The sources for numbers in the text: Perplexity and xAI, Perplexity, Zhipu, Doubao, Alibaba, Open WebUI, LiteLLM for Vertex, Venice. */
const sources = {
  citations: sourceList,
  sources: lenientList(source),
  vertex_ai_grounding_metadata: lenientList(grounding),
  search_results: lenientList(source),
  web_search: lenientList(source),
  references: lenientList(source),
  search_info: lenient(z.looseObject({ search_results: lenientList(source) })),
  venice_parameters: lenient(z.looseObject({ web_search_citations: lenientList(source) })),
};

/** Other locations of counts: Groq, Google, llama.cpp. */
const counts = {
  usage,
  x_groq: lenient(z.looseObject({ usage })),
  usageMetadata: usage,
  timings: lenient(z.looseObject({ prompt_n: lenientNumber, cache_n: lenientNumber, predicted_n: lenientNumber })),
};

export const chatCompletionChunk = z.looseObject({
  ...head,
  /** Empty in the middle and at the end of a stream, where a chunk only has usage. */
  choices: lenientList(choice),
  ...sources,
  ...counts,
  finish_reason: reason,
});

/** Whether a chunk contains only text or reasoning of one choice, like nearly all. Such a chunk is used as it is. */
export function isPlainChunk(data: unknown): data is z.infer<typeof chatCompletionChunk> {
  if (!isObject(data) || data['usage'] != null || !Array.isArray(data['choices'])) return false;
  const choice: unknown = data['choices'][0];
  if (!isObject(choice) || data['choices'].length > 1) return false;
  const { index, delta, message, finish_reason, usage } = choice;
  if (typeof index !== 'number' || message != null || finish_reason != null || usage != null) return false;
  if (choice['finishReason'] != null || choice['native_finish_reason'] != null) return false;
  if (!isObject(delta)) return false;
  // A chunk has fewer members than could matter.
  for (const name in data) if (moreInChunk.has(name) && data[name] != null) return false;
  for (const name in delta) {
    const value = delta[name];
    if (value != null && (moreInDelta.has(name) || (typeof value !== 'string' && texts.has(name)))) return false;
  }
  return true;
}

const texts: ReadonlySet<string> = new Set([
  'content',
  'refusal',
  'reasoning_content',
  'reasoning',
  'reasoning_text',
  'thinking',
  'thought',
]);
const moreInChunk: ReadonlySet<string> = new Set([
  'citations',
  'sources',
  'vertex_ai_grounding_metadata',
  'search_results',
  'references',
  'web_search',
  'search_info',
  'venice_parameters',
  'x_groq',
  'usageMetadata',
  'timings',
  'finish_reason',
]);
const moreInDelta: ReadonlySet<string> = new Set([
  'tool_calls',
  'function_call',
  'reasoning_details',
  'thinking_blocks',
  'extra_content',
  'images',
  'citations',
  'context',
  'provider_specific_fields',
  'reasoning_steps',
  'multi_mod_content',
  'annotations',
  'audio',
  'executed_tools',
  'usage',
  'finish_reason',
]);
