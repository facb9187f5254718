// https://docs.siliconflow.com/en/api-reference/models/get-model-list
import '../../../schema/jitless';
import * as z from 'zod/mini';
import type { UnitPrices } from './listedPrices';
import { listIn } from '../envelope';
import { lenient, lenientFlag, lenientText } from '../tolerant';

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

/** Other servers send the list bare, as `models`, or as both. `readListEntry` reads the entries. */
export const modelListResponse = listIn(
  ['data', 'models'],
  z.looseObject({
    list: z.array(z.unknown()),
    models: lenient(z.array(z.unknown())),
    has_more: lenientFlag,
    last_id: lenientText,
    next_page_token: lenientText,
  }),
);

export interface ModelInfo {
  /** Vendor and name, sometimes with a prefix (`Pro/`, `LoRA/`). */
  readonly id: string;
  /** A name for people, if it is not the id. */
  readonly displayName?: string;
  /** Unix seconds; absent if 0. */
  readonly created?: number;
  /** Absent if empty. */
  readonly ownedBy?: string;
  /** In tokens, as the model runs now if the server says so. */
  readonly contextLength?: number;
  /** In tokens. */
  readonly maxOutputTokens?: number;
  /** What kind of model it is, in the server's own words in lower case, e.g. `embeddings`, `vlm`, `image_generation`. */
  readonly types?: readonly string[];
  /** What it can do, in the server's own words in lower case; false where the server denies it. */
  readonly capabilities?: Readonly<Record<string, boolean>>;
  /** Where it is called, in the server's own words in lower case, e.g. `rerank`, `/v1/chat/completions`. */
  readonly endpoints?: readonly string[];
  /** What it takes, e.g. `text`, `image`. */
  readonly inputs?: readonly string[];
  /** What it produces. */
  readonly outputs?: readonly string[];
  /** What it costs, if the list says so. */
  readonly prices?: UnitPrices;
}
