import type { KnownCapabilities } from '../capabilities/capabilities';
import type { UnitPrices } from '../api/models/listedPrices';
import type { ModelInfo } from '../api/models/models.schema';

/** The `sub_type` values of GET /models, in the order they are shown. */
export const subTypes = [
  'chat',
  'embedding',
  'reranker',
  'text-to-image',
  'image-to-image',
  'speech-to-text',
  'text-to-video',
] as const;
export type SubType = (typeof subTypes)[number];

/** The `type` values of GET /models. */
export const modelTypes = ['text', 'image', 'audio', 'video'] as const;
export type ModelType = (typeof modelTypes)[number];

/** A model as listed by GET /models. Services rarely fill `created` and `ownedBy`. */
export type ListedModel = Pick<ModelInfo, 'id'> & { readonly [Name in keyof ModelInfo]?: ModelInfo[Name] | undefined };

/** A model with what is known of it: first what the service's filters say, then what its list says. */
export interface CatalogueModel {
  readonly id: string;
  /** A name for people, if it is not the id. */
  readonly displayName?: string | undefined;
  readonly ownedBy?: string | undefined;
  /** Unix seconds. */
  readonly created?: number | undefined;
  readonly contextLength?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  /** Both are empty if no filter named the model. */
  readonly types: readonly ModelType[];
  readonly subTypes: readonly SubType[];
  /** What the list says it does; empty if that is none of the jobs, absent if the list does not say. */
  readonly jobs?: readonly ModelJob[] | undefined;
  /** The list's statements about a chat model; absent if it makes none. */
  readonly tools?: boolean | undefined;
  readonly images?: boolean | undefined;
  readonly reasoning?: boolean | undefined;
  /** What it costs according to the list; absent if that does not say. */
  readonly prices?: UnitPrices | undefined;
  /** What a check of the model found, or the user set; absent if neither tells. */
  readonly jsonMode?: boolean | undefined;
  readonly logProbabilities?: boolean | undefined;
  /** What the user set for this model of the account, which counts more than anything else. */
  readonly own?: KnownCapabilities | undefined;
}

/** The jobs a model can be the default for. */
export const modelJobs = [
  'chat',
  'completion',
  'rerank',
  'image',
  'video',
  'voice',
  'embedding',
  'transcription',
] as const;
export type ModelJob = (typeof modelJobs)[number];

export interface ModelName {
  /** `undefined` if the id names none. */
  readonly vendor: string | undefined;
  readonly name: string;
  /** The part before the vendor, e.g. `Pro` or `LoRA`. */
  readonly tier: string | undefined;
}

/**
 * Splits an id: `vendor/name`, or `tier/vendor/name` where the tier is one of the words the service puts in front. Ids of other
 * servers may be bare names or file paths; their vendor is the owner the list names, if any.
 */
export function nameOf(id: string, ownedBy?: string): ModelName {
  const owner = ownedBy?.trim() || undefined;
  if (id.startsWith('/') || id.includes('\\')) return { vendor: owner, name: id, tier: undefined };
  const parts = id.split('/');
  if (parts.length < 2 || parts.includes('')) return { vendor: owner, name: id, tier: undefined };
  if (parts.length === 2) return { vendor: parts[0], name: parts[1]!, tier: undefined };
  return { vendor: parts.at(-2), name: parts.at(-1)!, tier: parts.slice(0, -2).join('/') };
}
