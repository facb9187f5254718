import '../../../core/api/jitless';
import * as z from 'zod/mini';
import type { ParamSchemas } from '../../../platform/webview/webviewEnvelope';
import { mostCompared } from '../../../protocol/chatCompare';
import type { CompareScreen } from './compareHandlers';

const id = z.string().check(z.minLength(1), z.maxLength(64));
const ofTry = { turnId: id, tryId: id };
const model = z.string().check(z.minLength(1), z.maxLength(500));
const models = z.array(model).check(
  z.maxLength(mostCompared),
  z.refine((ids) => new Set(ids).size === ids.length),
);
/** A comparison takes at least two models. */
const several = models.check(z.minLength(2));
/** More than any model reads; a guard against a misbehaving page. */
const text = z.string().check(z.maxLength(20_000_000));

/** Schemas for the parameters of the chat page's calls about comparing. */
export const compareParams: ParamSchemas<CompareScreen> = {
  'chat/compareWith': z.union([
    z.strictObject({ models: several, on: z.literal(true) }),
    z.strictObject({ models, on: z.literal(false) }),
  ]),
  'chat/compare': z.strictObject({
    text,
    models: several,
    attachments: z.exactOptional(z.array(id).check(z.maxLength(100))),
  }),
  'chat/stopTry': z.strictObject(ofTry),
  'chat/compareAgain': z.strictObject({ ...ofTry, model }),
  'chat/pick': z.strictObject(ofTry),
  'chat/showComparison': z.strictObject({ turnId: id }),
};
