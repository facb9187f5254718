import '../../../core/api/jitless';
import * as z from 'zod/mini';
import type { ParamSchemas } from '../../../platform/webview/webviewEnvelope';
import type { ToolsScreen } from './toolsScreen';

const model = z.string().check(z.maxLength(500));
/** Longer than any tool's name; whether a name is valid is checked elsewhere, with a localized message. */
const name = z.string().check(z.maxLength(1000));
const id = name.check(z.minLength(1));
const turnId = z.string().check(z.minLength(1), z.maxLength(64));
/** More than anyone types; a guard against a misbehaving page. */
const text = z.string().check(z.maxLength(2_000_000));
const form = z.strictObject({ name, description: text, schema: text });
const replaces = z.exactOptional(name);

/** Schemas for the parameters of the chat page's calls about tools. */
export const toolParams: ParamSchemas<ToolsScreen> = {
  'chat/tools': z.strictObject({ model }),
  'chat/offerTools': z.strictObject({ model, ids: z.array(id).check(z.maxLength(5000)), offered: z.boolean() }),
  'chat/toolChoice': z.strictObject({
    model,
    choice: z.strictObject({
      type: z.enum(['unset', 'auto', 'any', 'none', 'tool']),
      tool: z.exactOptional(id),
      single: z.boolean(),
    }),
  }),
  'chat/checkOwnTool': z.strictObject({ form, replaces }),
  'chat/saveOwnTool': z.strictObject({ model, form, replaces }),
  'chat/deleteOwnTool': z.strictObject({ model, name }),
  'chat/forbidTool': z.strictObject({ model, id }),
  'chat/answerToolCall': z.strictObject({
    turnId,
    tryId: z.exactOptional(turnId),
    block: z.int().check(z.nonnegative(), z.maximum(10_000)),
    decision: z.discriminatedUnion('type', [
      z.strictObject({ type: z.literal('allow'), always: z.boolean() }),
      z.strictObject({ type: z.literal('deny'), words: text }),
      z.strictObject({ type: z.literal('result'), text, isError: z.boolean() }),
    ]),
  }),
};
