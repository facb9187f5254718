// https://docs.siliconflow.com/en/api-reference/batch/upload-file
// https://docs.siliconflow.com/en/api-reference/batch/get-file-list
import '../../../schema/jitless';
import * as z from 'zod/mini';
import { contentOf, inSnakeCase, listIn } from '../envelope';
import { isObject } from '../isObject';
import { entriesOf, lenientFlag, lenientNumber, lenientText, lenientTime, requiredText } from '../tolerant';

export const fileUploadRequest = z.strictObject({ path: z.string(), filename: z.optional(z.string()) });
export const fileListRequest = z.strictObject({ limit: z.optional(z.number()) });
export const fileContentRequest = z.strictObject({ file: z.string() });
export const fileIdRequest = z.strictObject({ id: z.string() });

const members = z.looseObject({
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

export type FileOnTheWire = z.infer<typeof members>;

/** The names that Google, Anthropic, Cohere, and DashScope give to members of a file. Google has a path in place of an ID. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  id: ['file_id', 'name'],
  bytes: ['size_bytes', 'size'],
  filename: ['file_name', 'display_name', 'name'],
  created_at: ['create_time'],
  line_count: ['num_lines'],
  status: ['validation_status'],
  status_details: ['validation_error'],
};
const wrapperNames = ['file', 'data', 'dataset', 'uploaded_files', 'files'];

const deepestWrapper = 3;

/** Gives the members of a file in the form of any service the names of the reference, without what is around it. */
function asReference(json: unknown, depth = 0): unknown {
  const own = inSnakeCase(Array.isArray(json) && json.length === 1 ? json[0] : json);
  const inner = wrapperNames.map((name) => own[name]).find((value) => typeof value === 'object' && value !== null);
  // An envelope has its own ID or status.
  const isFile = own['object'] === 'file' || ['bytes', 'filename', 'purpose'].some((name) => name in own);
  if (inner !== undefined && !isFile && depth < deepestWrapper) return asReference(inner, depth + 1);
  const found: Record<string, unknown> = { ...own };
  for (const [name, others] of Object.entries(otherNames)) {
    found[name] ??= others.map((one) => own[one]).find((value) => Boolean(value) && value !== found['id']);
  }
  return isObject(json) || Array.isArray(json) ? found : json;
}

const file = z.pipe(
  z.transform((json: unknown) => asReference(json)),
  members,
);

/** Other servers respond without the envelope. `object` is always `file`, so it is not read. */
export const fileResponse = file;

/** Whatever else a service sends for a file that it deleted. */
export const fileDeletedResponse = z.pipe(
  z.transform((json: unknown) => {
    const content = contentOf(json, 'deleted');
    return isObject(content) ? content : {};
  }),
  z.looseObject({ deleted: lenientFlag }),
);

export const fileListResponse = listIn(['files', 'items', 'results'], z.looseObject({ list: entriesOf(file) }));

export interface RemoteFile {
  readonly id: string;
  readonly filename?: string;
  readonly bytes?: number;
  /** Unix seconds. */
  readonly createdAt?: number;
  readonly purpose?: string;
  readonly lineCount?: number;
  /** `pending`: the service is still processing it. `error`: it can't be used. Missing for any other status, and without one. */
  readonly state?: 'pending' | 'error';
  /** For state `error`, the service's reason. */
  readonly stateReason?: string;
}
