import type { Call } from './call';

/** Maximum characters of one attachment: about 100,000 tokens of code. Few models read more in one request, and fewer read it well. */
export const maxAttachedCharacters = 400_000;

/** An item that can be attached from a list. */
export interface Offer {
  readonly id: string;
  readonly kind: OfferKind;
  readonly name: string;
  /** Its location; empty if the name includes it. */
  readonly detail: string;
}

export type OfferKind = 'selection' | 'openFile' | 'problems' | 'terminal' | 'file' | 'folder';

/** A dropped file without a URI: its text, or why there is none. */
export type DroppedFile =
  | { readonly name: string; readonly text: string }
  | { readonly name: string; readonly trouble: 'notText' | 'tooLong' | 'folder' };

export interface OfferCalls {
  /** Returns the attachable items whose name contains `query`; cancelling ends the search. */
  readonly 'chat/offers': Call<{ readonly query: string }, { readonly offers: readonly Offer[] }>;
  readonly 'chat/attachOffer': Call<{ readonly id: string }, Record<never, never>>;
  /** What the user dropped on the page. The host checks the URIs before it reads anything. */
  readonly 'chat/drop': Call<
    { readonly uris: readonly string[]; readonly files: readonly DroppedFile[] },
    Record<never, never>
  >;
}
