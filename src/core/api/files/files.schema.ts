// https://docs.siliconflow.com/en/api-reference/batch/upload-file
// https://docs.siliconflow.com/en/api-reference/batch/get-file-list
import '../../../schema/jitless';
import * as z from 'zod/mini';

export const fileUploadRequest = z.strictObject({ path: z.string(), filename: z.optional(z.string()) });
export const fileListRequest = z.strictObject({ limit: z.optional(z.number()) });
export const fileContentRequest = z.strictObject({ file: z.string() });

const file = z.looseObject({
  id: z.string(),
  bytes: z.nullish(z.number()),
  filename: z.nullish(z.string()),
  purpose: z.nullish(z.string()),
  /** Unix seconds; `createdAt` in the response to an upload, `created_at` in the list. */
  createdAt: z.nullish(z.number()),
  created_at: z.nullish(z.number()),
  /** List items only. */
  line_count: z.nullish(z.number()),
});

export type FileOnTheWire = z.infer<typeof file>;

/** Other servers respond without the envelope. `object` is always `file`, so it is not read. */
export const fileUploadedResponse = z.union([z.object({ data: file }), file]);

export const fileListResponse = z.union([
  z.object({ data: z.object({ data: z.array(file) }) }),
  z.object({ data: z.array(file) }),
]);

export interface RemoteFile {
  readonly id: string;
  readonly filename?: string;
  readonly bytes?: number;
  /** Unix seconds. */
  readonly createdAt?: number;
  readonly purpose?: string;
  readonly lineCount?: number;
}
