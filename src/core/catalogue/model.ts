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

/** A model as listed by one response of GET /models. Services rarely fill `created` and `ownedBy`. */
export interface ListedModel {
  readonly id: string;
  readonly ownedBy?: string | undefined;
  /** Unix seconds. */
  readonly created?: number | undefined;
  readonly contextLength?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
}

/** A model with what the service's filters say about it; both lists are empty if no filter named it. */
export interface CatalogueModel extends ListedModel {
  readonly types: readonly ModelType[];
  readonly subTypes: readonly SubType[];
}

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
export function nameOf({ id, ownedBy }: ListedModel): ModelName {
  const owner = ownedBy?.trim() || undefined;
  if (id.startsWith('/') || id.includes('\\')) return { vendor: owner, name: id, tier: undefined };
  const parts = id.split('/');
  if (parts.length < 2 || parts.includes('')) return { vendor: owner, name: id, tier: undefined };
  if (parts.length === 2) return { vendor: parts[0], name: parts[1]!, tier: undefined };
  return { vendor: parts.at(-2), name: parts.at(-1)!, tier: parts.slice(0, -2).join('/') };
}
