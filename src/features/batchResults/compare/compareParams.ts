import '../../../core/api/jitless';
import * as z from 'zod/mini';
import type { ParamSchemas } from '../../../platform/webview/webviewEnvelope';
import type { BatchCompareScreen } from '../../../protocol/batchCompare';

const nothing = z.strictObject({});
const whole = z.int().check(z.nonnegative());
const ofRow = z.strictObject({ row: whole });
const choice = z.strictObject({
  tab: z.enum(['all', 'same', 'different', 'onlyA', 'onlyB', 'neither']),
  query: z.string().check(z.maxLength(1000)),
  sort: z.enum(['line', 'customId', 'state']),
  descending: z.boolean(),
  isLoose: z.boolean(),
});

/** Schemas for the parameters of the comparison page's calls. */
export const compareParams: ParamSchemas<BatchCompareScreen> = {
  'compare/ready': nothing,
  'compare/load': z.strictObject({ again: z.boolean() }),
  'compare/stop': nothing,
  'compare/arrange': choice,
  'compare/rows': z.strictObject({ from: whole, count: z.int().check(z.nonnegative(), z.maximum(200)) }),
  'compare/find': ofRow,
  'compare/details': ofRow,
  'compare/goTo': ofRow,
  'compare/export': choice,
};
