import '../../core/api/jitless';
import * as z from 'zod/mini';
import type { ParamSchemas } from '../../platform/webview/webviewEnvelope';
import { metadataBounds, windowBounds } from '../../core/api/batches/batches.bounds';
import { takenKeys } from '../../protocol/batchSubmit';
import type { BatchSubmitScreen } from '../../protocol/batchSubmit';

const nothing = z.strictObject({});
const key = z.string().check(
  z.minLength(1),
  z.maxLength(metadataBounds.key),
  z.refine((text) => text !== takenKeys.job),
);
const metadata = z
  .record(key, z.string().check(z.maxLength(metadataBounds.value)))
  .check(z.refine((pairs) => Object.keys(pairs).length < metadataBounds.pairs));

/** Schemas for the parameters of the page's calls. */
export const submitParams: ParamSchemas<BatchSubmitScreen> = {
  'submit/ready': nothing,
  'submit/models': nothing,
  'submit/check': nothing,
  'submit/stopCheck': nothing,
  'submit/save': nothing,
  'submit/report': nothing,
  'submit/goTo': z.strictObject({ line: z.int().check(z.nonnegative()) }),
  'submit/send': z.strictObject({
    profileId: z.string().check(z.maxLength(200)),
    hours: z.int().check(z.minimum(windowBounds.least), z.maximum(windowBounds.most)),
    model: z.optional(z.string().check(z.minLength(1), z.maxLength(500))),
    metadata,
    takeErrors: z.boolean(),
    upload: z.optional(z.string().check(z.minLength(1), z.maxLength(500))),
  }),
  'submit/stop': nothing,
  'submit/act': z.strictObject({ id: z.string().check(z.maxLength(200)) }),
};
