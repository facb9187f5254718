// https://docs.siliconflow.com/en/api-reference/models/get-model-list
import '../../../schema/jitless';
import * as z from 'zod/mini';

export const modelTypes = ['text', 'image', 'audio', 'video'] as const;
export const modelSubTypes = [
  'chat',
  'embedding',
  'reranker',
  'text-to-image',
  'image-to-image',
  'speech-to-text',
  'text-to-video',
] as const;

export type ModelType = (typeof modelTypes)[number];
export type ModelSubType = (typeof modelSubTypes)[number];

export const modelListRequest = z.strictObject({
  type: z.optional(z.enum(modelTypes)),
  sub_type: z.optional(z.enum(modelSubTypes)),
});

export interface ModelListRequest {
  readonly type?: ModelType | undefined;
  /** Also filters on its own, without `type`. */
  readonly sub_type?: ModelSubType | undefined;
}

/** The last three are not in the reference, but other servers send them. `object` is always `model`, so it is not read. */
const model = z.looseObject({
  id: z.nullish(z.string()),
  name: z.nullish(z.string()),
  created: z.nullish(z.number()),
  owned_by: z.nullish(z.string()),
  context_length: z.nullish(z.number()),
  context_window: z.nullish(z.number()),
  max_model_len: z.nullish(z.number()),
  max_output_tokens: z.nullish(z.number()),
});

export const modelListResponse = z.union([
  z.array(model),
  z
    .looseObject({ data: z.nullish(z.array(model)), models: z.nullish(z.array(model)) })
    .check(z.refine(({ data, models }) => Array.isArray(data ?? models))),
]);

export interface ModelInfo {
  /** Vendor and name, sometimes with a prefix (`Pro/`, `LoRA/`). */
  readonly id: string;
  /** Unix seconds; absent if 0. */
  readonly created?: number;
  /** Absent if empty. */
  readonly ownedBy?: string;
  /** In tokens. */
  readonly contextLength?: number;
  /** In tokens. */
  readonly maxOutputTokens?: number;
}
