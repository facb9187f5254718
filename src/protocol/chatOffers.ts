import type { Call } from './call';

/** The most characters of one attachment: about 100,000 tokens of code. Few models read more in one request, and fewer read it well. */
export const maxAttachedCharacters = 400_000;

/** Something that can be attached by choosing it from a list. */
export interface Offer {
  readonly id: string;
  readonly kind: OfferKind;
  readonly name: string;
  /** Where it is; empty where the name says it. */
  readonly detail: string;
}

export type OfferKind = 'selection' | 'openFile' | 'problems' | 'terminal' | 'file' | 'folder';

/** A file that was dropped without an address: its text, or why there is none. */
export type DroppedFile =
  | { readonly name: string; readonly text: string }
  | { readonly name: string; readonly trouble: 'notText' | 'tooLong' | 'folder' };

export interface OfferCalls {
  /** What can be attached whose name has `query` in it; cancelling ends the search. */
  readonly 'chat/offers': Call<{ readonly query: string }, { readonly offers: readonly Offer[] }>;
  readonly 'chat/attachOffer': Call<{ readonly id: string }, Record<never, never>>;
  /** What a person dropped on the page. The addresses are checked by the host before anything is read. */
  readonly 'chat/drop': Call<
    { readonly uris: readonly string[]; readonly files: readonly DroppedFile[] },
    Record<never, never>
  >;
}
