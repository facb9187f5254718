// https://docs.siliconflow.com/en/api-reference/completion/create-completion
import '../../../schema/jitless';
import * as z from 'zod/mini';
import type { Immutable } from '../../../schema/immutable';
import { numberParameters } from '../numberParameters';
import { entriesOf, lenient, lenientList, lenientNumber, lenientText } from '../tolerant';

export const completionRequest = z.strictObject({
  model: z.string(),
  prompt: z.string(),
  /** For fill-in-the-middle: the text after the gap. From the vendor's FIM guide, because it is missing from the API reference. */
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

/** One token of `content`, with its alternatives. */
const tokenLogprob = z.looseObject({
  token: lenientText,
  logprob: lenientNumber,
  top_logprobs: lenientList(z.looseObject({ token: lenientText, logprob: lenientNumber })),
});

/** Two forms: parallel lists, or the list of tokens that chat completions have (llama.cpp sends it here too). */
const logprobs = z.looseObject({
  tokens: lenient(z.array(lenientText)),
  /** The first token of a prompt has none. */
  token_logprobs: lenient(z.array(lenientNumber)),
  /** Per token: alternative -> logprob. */
  top_logprobs: lenient(z.array(lenient(z.record(z.string(), lenientNumber)))),
  content: lenientList(tokenLogprob),
});

export const completionChoice = z.looseObject({
  index: lenientNumber,
  text: lenientText,
  /** stop, eos, length, tool_calls, content_filter, …: any string. */
  finish_reason: lenientText,
  logprobs: lenient(logprobs),
});

export const completionUsage = z.looseObject({
  prompt_tokens: lenientNumber,
  completion_tokens: lenientNumber,
  total_tokens: lenientNumber,
});

const head = { id: lenientText, model: lenientText, created: lenientNumber, system_fingerprint: lenientText };

/** `object` is always `text_completion`, so it is not read. */
export const completionResponse = z.looseObject({
  ...head,
  choices: entriesOf(completionChoice),
  usage: lenient(completionUsage),
  prompt: lenientList(z.looseObject({ text: lenientText, logprobs: lenient(logprobs) })),
});

/**
 * A chunk has one of two shapes: that of a whole response, with the text of each choice, or the vendor's own, with `token` and
 * `finish_reason` at the top level.
 */
export const completionChunk = z.looseObject({
  ...head,
  choices: lenientList(completionChoice),
  token: lenient(z.looseObject({ text: lenientText, logprob: lenientNumber })),
  finish_reason: lenientText,
  usage: lenient(completionUsage),
});
