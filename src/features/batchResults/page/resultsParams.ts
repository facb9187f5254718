import '../../../core/api/jitless';
import * as z from 'zod/mini';
import { isOutsideLink } from '../../../platform/outsideLink';
import type { ParamSchemas } from '../../../platform/webview/webviewEnvelope';
import type { BatchResultsScreen } from '../../../protocol/batchResults';

const nothing = z.strictObject({});
const whole = z.int().check(z.nonnegative());
const ofRow = z.strictObject({ row: whole });
const choice = z.strictObject({
  tab: z.enum(['all', 'answered', 'failed', 'missing', 'extra']),
  group: z.nullable(whole),
  query: z.string().check(z.maxLength(1000)),
  sort: z.enum(['line', 'customId', 'tokens', 'state']),
  descending: z.boolean(),
});

/** Schemas for the parameters of the results page's calls. */
export const resultsParams: ParamSchemas<BatchResultsScreen> = {
  'results/ready': nothing,
  'results/load': z.strictObject({ again: z.boolean() }),
  'results/stop': nothing,
  'results/arrange': choice,
  'results/rows': z.strictObject({ from: whole, count: z.int().check(z.nonnegative(), z.maximum(200)) }),
  'results/find': ofRow,
  'results/rowOf': z.strictObject({ row: whole, customId: z.string().check(z.maxLength(20_000)) }),
  'results/details': ofRow,
  'results/goTo': ofRow,
  'results/goToFault': z.strictObject({ fault: whole }),
  'results/copy': ofRow,
  'results/copyText': z.strictObject({ text: z.string().check(z.maxLength(10_000_000)) }),
  'results/openLink': z.strictObject({ url: z.string().check(z.maxLength(10_000), z.refine(isOutsideLink)) }),
  'results/export': choice,
  'results/retry': z.strictObject({
    which: z.union([z.enum(['failed', 'missing', 'both']), z.strictObject({ group: whole })]),
  }),
  'results/compare': nothing,
  'results/act': z.strictObject({ id: z.string().check(z.maxLength(200)) }),
};
