// https://docs.siliconflow.com/en/api-reference/videos/videos_submit
// https://docs.siliconflow.com/en/api-reference/videos/get_videos_status
import '../../../schema/jitless';
import * as z from 'zod/mini';
import type { Immutable } from '../../../schema/immutable';

export const videoRequest = z.strictObject({
  model: z.string(),
  prompt: z.string(),
  image_size: z.string(),
  negative_prompt: z.nullish(z.string()),
  seed: z.nullish(z.number()),
  /** A URL or a `data:image/…;base64,` URI; image-to-video models require it. */
  image: z.nullish(z.string()),
});

/** Absent fields are not sent; `null` is sent as null. */
export type VideoRequest = Immutable<z.infer<typeof videoRequest>>;

export const videoStatusRequest = z.strictObject({ requestId: z.string() });

export const videoSubmitted = z.looseObject({ requestId: z.string() });

export const videoStatusResponse = z.looseObject({
  status: z.string(),
  reason: z.nullish(z.string()),
  /** From an older revision of the reference. */
  position: z.nullish(z.number()),
  results: z.nullish(
    z.looseObject({
      videos: z.nullish(z.array(z.looseObject({ url: z.string() }))),
      timings: z.nullish(z.looseObject({ inference: z.nullish(z.number()) })),
      seed: z.nullish(z.number()),
    }),
  ),
});

export interface VideoStatus {
  /** Succeed, InQueue, InProgress, Failed; any other is shown as is, and polling continues. */
  readonly status: string;
  /** Why it failed; absent if empty. */
  readonly reason?: string;
  readonly position?: number;
  /** Each address is valid for one hour. Empty until the job has succeeded. */
  readonly videos: readonly { readonly url: string }[];
  readonly seed?: number;
  /** How many seconds the service took. */
  readonly inferenceSeconds?: number;
}
