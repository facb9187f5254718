import * as z from 'zod/mini';

/** No space, because the user enters two of them in one line. */
const mark = z.string().check(z.regex(/^\S{2,40}$/));

/** How the user wants requests with one model to be sent, which counts more than what is usual or was learned. */
export const modelOptions = z.strictObject({
  /** The only endpoint for its chats. */
  endpoint: z.optional(z.enum(['chatCompletions', 'messages'])),
  /** Whether its chats are answered in a stream. */
  streams: z.optional(z.boolean()),
  /** How long to wait for the first byte of a response; 0 for no limit. */
  waitSeconds: z.optional(z.int().check(z.gte(0), z.lte(86_400))),
  /** Headers besides those of the API. */
  headers: z.optional(z.record(z.string(), z.string())),
  /** Properties of the body of its chats, besides or in place of what would be sent. */
  body: z.optional(z.record(z.string(), z.unknown())),
  /** The tags around thinking that is part of the text. */
  thinkingMarks: z.optional(z.strictObject({ open: mark, close: mark })),
});

export type ModelOptions = z.infer<typeof modelOptions>;

export type ThinkingMarks = NonNullable<ModelOptions['thinkingMarks']>;
