// https://docs.siliconflow.com/en/api-reference/audio/create-speech
import '../../../schema/jitless';
import * as z from 'zod/mini';
import type { Immutable } from '../../../schema/immutable';
import type { AnswerIds } from '../transport/transport';

export const speechRequest = z.strictObject({
  model: z.string(),
  input: z.string(),
  /** `<model>:alex`, or the `speech:` URI of a custom voice. */
  voice: z.nullish(z.string()),
  response_format: z.nullish(z.enum(['mp3', 'opus', 'wav', 'pcm'])),
  sample_rate: z.nullish(z.number()),
  speed: z.nullish(z.number()),
  gain: z.nullish(z.number()),
  stream: z.nullish(z.boolean()),
});

/** Absent fields are not sent; `null` is sent as null. */
export type SpeechRequest = Immutable<z.infer<typeof speechRequest>>;

/** Audio as it is received. Leaving the loop aborts the request. */
export interface Speech {
  readonly contentType: string;
  readonly ids: AnswerIds;
  readonly body: AsyncIterable<Uint8Array>;
}
