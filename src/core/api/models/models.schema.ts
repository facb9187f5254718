// https://docs.siliconflow.com/en/api-reference/models/get-model-list
import '../../../schema/jitless';
import * as z from 'zod/mini';
import type { UnitPrices } from './listedPrices';
import { listIn } from '../envelope';
import { isObject } from '../isObject';
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

/**
 * Other servers send the list bare, under other names, or as both `data` and `models`; or a dictionary of the models by their ID.
 * `readListEntry` reads the entries.
 */
export const modelListResponse = z.pipe(
  z.transform(withList),
  listIn(
    [
      'data',
      'models',
      'results',
      'result',
      'items',
      'model_list',
      'modelSummaries',
      'publisherModels',
      'value',
      'list',
    ],
    z.looseObject({
      list: z.array(z.unknown()),
      models: lenient(z.array(z.unknown())),
      has_more: lenientFlag,
      last_id: lenientText,
      next_page_token: lenientText,
    }),
  ),
);

/** Writes a dictionary of models, alone or under `data` or `models`, as a list, and several lists as one. */
function withList(json: unknown): unknown {
  if (!isObject(json)) return json;
  const groups: unknown = json['data'];
  const isGroup = (one: unknown) => isObject(one) && Array.isArray(one['models']) && idIn(one) === undefined;
  if (Array.isArray(groups) && groups.length > 0 && groups.every(isGroup))
    return { data: groups.flatMap((one: { readonly models: unknown }) => entriesIn(one.models)) };
  const inner = [json['data'], json['models']].find((value) => isObject(value) && isDictionary(value));
  const entries = inner !== undefined ? entriesIn(inner) : isOfModels(json) ? entriesIn(json) : undefined;
  return entries ? { data: entries } : json;
}

/** The properties of lists, envelopes, and errors. An object with one of these isn't a dictionary of models. */
const otherMembers = ['data', 'models', 'results', 'items', 'object', 'error', 'detail', 'message', 'code', 'id'];

function isDictionary(value: Readonly<Record<string, unknown>>): boolean {
  const members = Object.entries(value);
  return members.length > 0 && members.every(([name, one]) => isHolder(one) && !otherMembers.includes(name));
}

const isHolder = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Whether a whole response is a dictionary whose values describe models. */
function isOfModels(json: Readonly<Record<string, unknown>>): boolean {
  const known = ['name', 'mode', 'max_tokens', 'context_length', 'context_window', 'owned_by', 'pricing', 'type'];
  const values = Object.values(json);
  return isDictionary(json) && values.every((one) => isObject(one) && known.some((name) => name in one));
}

/** Returns the models of a dictionary; those of each kind, if it has a dictionary or a list for each. */
function entriesIn(dictionary: unknown, type?: string): readonly unknown[] {
  if (Array.isArray(dictionary)) {
    const list = dictionary as readonly unknown[];
    return list.map((one) => (isObject(one) ? { type, ...one } : { id: one, type }));
  }
  if (!isObject(dictionary)) return [];
  return Object.entries(dictionary).flatMap(([name, one]) => {
    const isGroup = type === undefined && (Array.isArray(one) || (isObject(one) && isDictionary(one)));
    return isGroup ? entriesIn(one, name) : isObject(one) ? [{ type, ...one, id: idIn(one) ?? name }] : [];
  });
}

function idIn({ id }: Readonly<Record<string, unknown>>): string | undefined {
  return typeof id === 'string' && id !== '' ? id : undefined;
}

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
  /** The kind of model, in the server's own words in lowercase, e.g. `embeddings`, `vlm`, `image_generation`. */
  readonly types?: readonly string[];
  /** Its capabilities, in the server's own words in lowercase. False if the server denies it. */
  readonly capabilities?: Readonly<Record<string, boolean>>;
  /** Its endpoints, in the server's own words in lowercase, e.g. `rerank`, `/v1/chat/completions`. */
  readonly endpoints?: readonly string[];
  /** Its input types, e.g. `text`, `image`. */
  readonly inputs?: readonly string[];
  /** Its output types. */
  readonly outputs?: readonly string[];
  /** Its prices, if the list includes them. */
  readonly prices?: UnitPrices;
}
