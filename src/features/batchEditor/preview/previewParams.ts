import '../../../core/api/jitless';
import * as z from 'zod/mini';
import type { ParamSchemas } from '../../../platform/webview/webviewEnvelope';
import type { BatchPreviewScreen } from '../../../protocol/batchPreview';

const nothing = z.strictObject({});
const whole = z.int().check(z.nonnegative());

/** Schemas for the parameters of the preview page's calls. */
export const previewParams: ParamSchemas<BatchPreviewScreen> = {
  'preview/ready': nothing,
  'preview/load': z.strictObject({ again: z.boolean() }),
  'preview/stop': nothing,
  'preview/arrange': z.strictObject({
    sort: z.enum(['line', 'customId', 'model', 'size', 'problems']),
    descending: z.boolean(),
    onlyProblems: z.boolean(),
    query: z.string().check(z.maxLength(1000)),
  }),
  'preview/rows': z.strictObject({ from: whole, count: z.int().check(z.nonnegative(), z.maximum(200)) }),
  'preview/find': z.strictObject({ line: whole }),
  'preview/line': z.strictObject({ line: whole }),
  'preview/goTo': z.strictObject({ line: whole }),
};
