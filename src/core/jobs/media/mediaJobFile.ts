import '../../api/jitless';
import * as z from 'zod/mini';
import { imageRequest } from '../../api/images/images.schema';
import { videoRequest } from '../../api/videos/videos.schema';
import { jobMembers } from '../jobMembers';
import type { MediaJob } from './mediaJob';

const optionalNumber = z.optional(z.number());
const optionalText = z.optional(z.string());

/** Retains members of later versions. */
const schema = z.looseObject({
  ...jobMembers,
  order: z.discriminatedUnion('kind', [
    z.looseObject({ kind: z.literal('image'), request: z.looseObject(imageRequest.shape) }),
    z.looseObject({ kind: z.literal('video'), request: z.looseObject(videoRequest.shape) }),
  ]),
  group: optionalText,
  replaces: optionalText,
  requestId: optionalText,
  status: optionalText,
  position: optionalNumber,
  answeredAt: optionalNumber,
  results: z.optional(z.array(z.looseObject({ url: z.string(), path: optionalText }))),
  seed: optionalNumber,
  inferenceSeconds: optionalNumber,
  traceId: optionalText,
  folder: z.string(),
  realFolder: optionalText,
  evenIfLarge: z.optional(z.boolean()),
});

/** Returns `undefined` for an incomplete record. */
export function readMediaJob(raw: unknown): MediaJob | undefined {
  const read = schema.safeParse(raw);
  return read.success ? (read.data as unknown as MediaJob) : undefined;
}
