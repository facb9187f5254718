// https://docs.siliconflow.com/en/api-reference/completion/create-completion
import '../../../schema/jitless';
import * as z from 'zod/mini';
import type { Immutable } from '../../../schema/immutable';
import { numberParameters } from '../numberParameters';

export const completionRequest = z.strictObject({
  model: z.string(),
  prompt: z.string(),
  /** For fill-in-the-middle: the text after the gap. From the vendor's FIM guide; missing from the API reference. */
  suffix: z.nullish(z.string()),
  /** `logprobs`, the alternatives per token, is a convention of other servers: the vendor's responses have them. */
  ...numberParameters('completions'),
  /** The vendor documents an array; other servers also take one string. */
  stop: z.nullish(z.union([z.string(), z.array(z.string())])),
  /** Token id -> bias. */
  logit_bias: z.nullish(z.record(z.string(), z.number())),
  stream_options: z.nullish(z.object({ include_usage: z.boolean() })),
});

/** Absent fields are not sent; `null` is sent as null. */
export type CompletionRequest = Immutable<z.infer<typeof completionRequest>>;

const logprobs = z.looseObject({
  tokens: z.nullish(z.array(z.string())),
  /** The first token of a prompt has none. */
  token_logprobs: z.nullish(z.array(z.nullable(z.number()))),
  /** Per token: alternative -> logprob. */
  top_logprobs: z.nullish(z.array(z.nullable(z.record(z.string(), z.number())))),
});

export const completionChoice = z.looseObject({
  index: z.nullish(z.number()),
  text: z.nullish(z.string()),
  /** stop, eos, length, tool_calls, content_filter, …: any string. */
  finish_reason: z.nullish(z.string()),
  logprobs: z.nullish(logprobs),
});

export const completionUsage = z.looseObject({
  prompt_tokens: z.nullish(z.number()),
  completion_tokens: z.nullish(z.number()),
  total_tokens: z.nullish(z.number()),
});

/** `object` is always `text_completion`, so it is not read. */
export const completionResponse = z.looseObject({
  id: z.nullish(z.string()),
  model: z.nullish(z.string()),
  created: z.nullish(z.number()),
  choices: z.array(completionChoice),
  usage: z.nullish(completionUsage),
  prompt: z.nullish(z.array(z.looseObject({ text: z.nullish(z.string()), logprobs: z.nullish(logprobs) }))),
  system_fingerprint: z.nullish(z.string()),
});

/**
 * A chunk has one of two shapes: that of a whole response, with the text of each choice, or the vendor's own, with `token` and
 * `finish_reason` at the top level.
 */
export const completionChunk = z.looseObject({
  id: z.nullish(z.string()),
  model: z.nullish(z.string()),
  created: z.nullish(z.number()),
  choices: z.nullish(z.array(completionChoice)),
  token: z.nullish(z.looseObject({ text: z.nullish(z.string()), logprob: z.nullish(z.number()) })),
  finish_reason: z.nullish(z.string()),
  usage: z.nullish(completionUsage),
  system_fingerprint: z.nullish(z.string()),
});
