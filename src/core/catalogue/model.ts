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

/** A model as one answer of GET /models lists it. Services fill `created` and `ownedBy` rarely. */
export interface ListedModel {
  readonly id: string;
  readonly ownedBy?: string | undefined;
  /** Unix seconds. */
  readonly created?: number | undefined;
  readonly contextLength?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
}

/** A model with what the service's own filters tell about it; both lists are empty when no filter named it. */
export interface CatalogueModel extends ListedModel {
  readonly types: readonly ModelType[];
  readonly subTypes: readonly SubType[];
}

export interface ModelName {
  /** `undefined` where the id names none. */
  readonly vendor: string | undefined;
  readonly name: string;
  /** What stands before the vendor, e.g. `Pro` or `LoRA`. */
  readonly tier: string | undefined;
}

/**
 * Takes an id apart: `vendor/name`, or `tier/vendor/name` where the tier is one of the words the service puts in front.
 * Ids of other servers may be bare names or file paths; those have no vendor but the owner the list names.
 */
export function nameOf({ id, ownedBy }: Pick<ListedModel, 'id' | 'ownedBy'>): ModelName {
  const owner = ownedBy?.trim() || undefined;
  if (id.startsWith('/') || id.includes('\\')) return { vendor: owner, name: id, tier: undefined };
  const parts = id.split('/');
  if (parts.length < 2 || parts.includes('')) return { vendor: owner, name: id, tier: undefined };
  if (parts.length === 2) return { vendor: parts[0], name: parts[1]!, tier: undefined };
  return { vendor: parts.at(-2), name: parts.at(-1)!, tier: parts.slice(0, -2).join('/') };
}
