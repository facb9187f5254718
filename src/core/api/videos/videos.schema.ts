// https://docs.siliconflow.com/en/api-reference/videos/videos_submit
// https://docs.siliconflow.com/en/api-reference/videos/get_videos_status
import '../../../schema/jitless';
import * as z from 'zod/mini';
import type { Immutable } from '../../../schema/immutable';
import { contentOf, enveloped } from '../envelope';
import { isObject } from '../isObject';
import { lenient, lenientList, lenientNumber, lenientText, requiredText } from '../tolerant';

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

/** The id is all that finds a video that is paid for, so it is read under other names too. */
export const videoSubmitted = z.pipe(
  z.transform((json: unknown) => {
    const content = contentOf(json, 'requestId');
    if (!isObject(content)) return content;
    return { requestId: content['requestId'] ?? content['request_id'] ?? content['id'] };
  }),
  z.object({ requestId: requiredText }),
);

const video = z.union([
  z.looseObject({ url: requiredText }),
  z.pipe(
    requiredText,
    z.transform((url) => ({ url })),
  ),
]);

export const videoStatusResponse = enveloped(
  'status',
  z
    .looseObject({
      status: lenientText,
      reason: lenientText,
      /** From an older revision of the reference. */
      position: lenientNumber,
      results: lenient(
        z.looseObject({
          videos: lenientList(video),
          timings: lenient(z.looseObject({ inference: lenientNumber })),
          seed: lenientNumber,
        }),
      ),
    })
    .check(z.refine(({ status, results }) => !!status || (results?.videos ?? []).length > 0)),
);

export interface VideoStatus {
  /** Succeed, InQueue, InProgress, Failed; any other is shown as is, and polling continues. `unknown`: only the videos came. */
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
