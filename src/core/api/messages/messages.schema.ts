// https://docs.siliconflow.com/en/api-reference/chat-completions/messages
import '../../../schema/jitless';
import * as z from 'zod/mini';
import type { Immutable } from '../../../schema/immutable';
import { numberParameters } from '../numberParameters';

const text = z.object({ type: z.literal('text'), text: z.string() });

const image = z.object({
  type: z.literal('image'),
  source: z.discriminatedUnion('type', [
    z.object({ type: z.literal('base64'), media_type: z.string(), data: z.string() }),
    z.object({ type: z.literal('url'), url: z.string() }),
  ]),
});

/** The vendor's schema has no blocks (content is a string there), but its documented agents send them. */
const contentBlock = z.discriminatedUnion('type', [
  text,
  image,
  z.object({ type: z.literal('thinking'), thinking: z.string(), signature: z.optional(z.string()) }),
  z.object({
    type: z.literal('tool_use'),
    id: z.string(),
    name: z.string(),
    input: z.record(z.string(), z.unknown()),
    /** Sent back in the form in which it came; see `CallState`. */
    state: z.optional(
      z.object({
        call: z.optional(z.record(z.string(), z.unknown())),
        message: z.optional(z.record(z.string(), z.unknown())),
        reasoning: z.optional(z.enum(['reasoning_content', 'reasoning'])),
        block: z.optional(z.record(z.string(), z.unknown())),
      }),
    ),
  }),
  /** A block of another kind, which only the service it is from takes back. */
  z.object({ type: z.literal('unknown'), raw: z.record(z.string(), z.unknown()) }),
  z.object({
    type: z.literal('tool_result'),
    tool_use_id: z.string(),
    content: z.optional(z.union([z.string(), z.array(z.discriminatedUnion('type', [text, image]))])),
    is_error: z.optional(z.boolean()),
  }),
]);

const message = z.object({
  role: z.enum(['user', 'assistant', 'system']),
  content: z.union([z.string(), z.array(contentBlock)]),
});

/** Only `name` and `input_schema` are required; the schema is passed on unchanged. */
const tool = z.object({
  name: z.string(),
  description: z.optional(z.string()),
  input_schema: z.record(z.string(), z.unknown()),
});

/** `any` is missing from the vendor's schema but used in its samples. */
const toolChoice = z.discriminatedUnion('type', [
  z.object({ type: z.literal('auto'), disable_parallel_tool_use: z.optional(z.boolean()) }),
  z.object({ type: z.literal('any'), disable_parallel_tool_use: z.optional(z.boolean()) }),
  z.object({ type: z.literal('tool'), name: z.string(), disable_parallel_tool_use: z.optional(z.boolean()) }),
  z.object({ type: z.literal('none') }),
]);

export const messageRequest = z.strictObject({
  model: z.string(),
  messages: z.array(message),
  ...numberParameters('messages'),
  max_tokens: z.optional(z.number()),
  system: z.nullish(z.union([z.string(), z.array(text)])),
  stop_sequences: z.nullish(z.array(z.string())),
  tools: z.nullish(z.array(tool)),
  tool_choice: z.nullish(toolChoice),
  /** Missing from the API reference; any other type gets a 400. */
  thinking: z.nullish(z.object({ type: z.enum(['enabled', 'disabled']), budget_tokens: z.optional(z.number()) })),
});

/**
 * A request under the wire's own names. Absent fields are not sent; `null` is sent as null. If `max_tokens` is absent, the model's
 * default is sent, because the service requires it.
 */
export type MessageRequest = Immutable<z.infer<typeof messageRequest>>;
export type MessageParam = MessageRequest['messages'][number];

/** Only what makes a message of it; the rest is read as in streams. Some servers send the text alone in place of blocks. */
export const messageResponse = z.looseObject({ content: z.union([z.array(z.unknown()), z.string()]) });
