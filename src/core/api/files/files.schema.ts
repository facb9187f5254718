// https://docs.siliconflow.com/en/api-reference/batch/upload-file
// https://docs.siliconflow.com/en/api-reference/batch/get-file-list
import '../../../schema/jitless';
import * as z from 'zod/mini';
import { contentOf, enveloped, listIn } from '../envelope';
import { isObject } from '../isObject';
import { entriesOf, lenientFlag, lenientNumber, lenientText, lenientTime, requiredText } from '../tolerant';

export const fileUploadRequest = z.strictObject({ path: z.string(), filename: z.optional(z.string()) });
export const fileListRequest = z.strictObject({ limit: z.optional(z.number()) });
export const fileContentRequest = z.strictObject({ file: z.string() });
export const fileIdRequest = z.strictObject({ id: z.string() });

const file = z.looseObject({
  id: requiredText,
  bytes: lenientNumber,
  filename: lenientText,
  purpose: lenientText,
  /** `createdAt` in the response to an upload, `created_at` in the list. */
  createdAt: lenientTime,
  created_at: lenientTime,
  /** List items only. */
  line_count: lenientNumber,
  /** OpenAI: uploaded, processed, error. Azure has more, such as pending. */
  status: lenientText,
  state: lenientText,
  status_details: z.optional(z.unknown()),
});

export type FileOnTheWire = z.infer<typeof file>;

/** Other servers respond without the envelope. `object` is always `file`, so it is not read. */
export const fileResponse = enveloped('id', file, ['file']);

/** Whatever else a service sends for a file that it deleted. */
export const fileDeletedResponse = z.pipe(
  z.transform((json: unknown) => {
    const content = contentOf(json, 'deleted');
    return isObject(content) ? content : {};
  }),
  z.looseObject({ deleted: lenientFlag }),
);

export const fileListResponse = listIn(['files'], z.looseObject({ list: entriesOf(file) }));

export interface RemoteFile {
  readonly id: string;
  readonly filename?: string;
  readonly bytes?: number;
  /** Unix seconds. */
  readonly createdAt?: number;
  readonly purpose?: string;
  readonly lineCount?: number;
  /** `pending`: the service is still reading it. `error`: it cannot be used. Absent for any other status, and if there is none. */
  readonly state?: 'pending' | 'error';
  /** With state `error`: why, in the service's words. */
  readonly stateReason?: string;
}
