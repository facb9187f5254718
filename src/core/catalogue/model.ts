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

/** A model with its known facts: first those from the service's filters, then those from its list. */
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
  /** Its purposes according to the list. Empty if they are none of ours, and missing if the list doesn't state them. */
  readonly jobs?: readonly ModelJob[] | undefined;
  /** The list's statements about a chat model. Missing if there are none. */
  readonly tools?: boolean | undefined;
  readonly images?: boolean | undefined;
  readonly reasoning?: boolean | undefined;
  /** Its prices according to the list. Missing if that doesn't state them. */
  readonly prices?: UnitPrices | undefined;
  /** The result of a model check, or the user's setting. Missing without either. */
  readonly jsonMode?: boolean | undefined;
  readonly logProbabilities?: boolean | undefined;
  /** The user's options for this model of the account, which take precedence. */
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
 * Splits an ID: `vendor/name`, or `tier/vendor/name` if the tier is one of the service's prefixes. IDs of other servers can be bare names
 * or file paths. Their vendor is the owner named in the list, if any.
 */
export function nameOf(id: string, ownedBy?: string): ModelName {
  const owner = ownedBy?.trim() || undefined;
  if (id.startsWith('/') || id.includes('\\')) return { vendor: owner, name: id, tier: undefined };
  const parts = id.split('/');
  if (parts.length < 2 || parts.includes('')) return { vendor: owner, name: id, tier: undefined };
  if (parts.length === 2) return { vendor: parts[0], name: parts[1]!, tier: undefined };
  return { vendor: parts.at(-2), name: parts.at(-1)!, tier: parts.slice(0, -2).join('/') };
}
