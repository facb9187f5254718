// https://docs.siliconflow.com/en/api-reference/chat-completions/chat-completions
import '../../../schema/jitless';
import * as z from 'zod/mini';
import type { Immutable } from '../../../schema/immutable';
import { numberParameters } from '../numberParameters';

const contentPart = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({
    type: z.literal('image_url'),
    image_url: z.object({ url: z.string(), detail: z.optional(z.string()) }),
  }),
]);

const toolCall = z.object({
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
  /** Sent back on tool-call turns only. */
  reasoning_content: z.optional(z.string()),
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

/** Later pieces of a call repeat `id: null` and `name: ""`: empty values never replace earlier ones. */
const toolCallPart = z.looseObject({
  index: z.nullish(z.number()),
  id: z.nullish(z.string()),
  function: z.nullish(z.looseObject({ name: z.nullish(z.string()), arguments: z.nullish(z.string()) })),
});

const said = z.looseObject({
  content: z.nullish(z.string()),
  reasoning_content: z.nullish(z.string()),
  tool_calls: z.nullish(z.array(toolCallPart)),
});

/** `prompt_cache_miss_tokens` is the rest of the prompt, so it is not read. */
export const chatCompletionUsage = z.looseObject({
  prompt_tokens: z.nullish(z.number()),
  completion_tokens: z.nullish(z.number()),
  total_tokens: z.nullish(z.number()),
  prompt_cache_hit_tokens: z.nullish(z.number()),
  prompt_tokens_details: z.nullish(z.looseObject({ cached_tokens: z.nullish(z.number()) })),
  completion_tokens_details: z.nullish(z.looseObject({ reasoning_tokens: z.nullish(z.number()) })),
});

export const chatCompletionResponse = z.looseObject({
  id: z.nullish(z.string()),
  model: z.nullish(z.string()),
  created: z.nullish(z.number()),
  choices: z.array(
    z.looseObject({ index: z.nullish(z.number()), message: z.nullish(said), finish_reason: z.nullish(z.string()) }),
  ),
  usage: z.nullish(chatCompletionUsage),
  system_fingerprint: z.nullish(z.string()),
});

export const chatCompletionChunk = z.looseObject({
  id: z.nullish(z.string()),
  model: z.nullish(z.string()),
  created: z.nullish(z.number()),
  /** Empty in the middle and at the end of a stream, where a chunk only has usage. */
  choices: z.nullish(
    z.array(
      z.looseObject({ index: z.nullish(z.number()), delta: z.nullish(said), finish_reason: z.nullish(z.string()) }),
    ),
  ),
  usage: z.nullish(chatCompletionUsage),
  system_fingerprint: z.nullish(z.string()),
});
