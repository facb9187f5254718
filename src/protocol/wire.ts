/** An error as a person reads it: what happened, why, what to do. No stack, no key, no URL with a secret. */
export interface WireError {
  /** For the page to branch on; an `ApiErrorKind`, `user`, `cancelled`, `disk` or `unexpected`. */
  readonly kind: string;
  readonly title: string;
  readonly detail: string;
  readonly actions: readonly WireAction[];
}

/** A next step offered with an error. The page sends the id back; only the host knows what it does. */
export interface WireAction {
  readonly id: string;
  readonly label: string;
}

/**
 * What goes between a page and the host names the page: for a moment there are two in one frame, one that is loaded and the one before it,
 * which still says and hears something.
 */
export type OfPage<Message> = Message & { readonly page: string };

/** The first that a page says of itself: another may be loaded in its place from then on. */
export interface Loaded {
  readonly type: 'loaded';
}

export type ToHost =
  | { readonly type: 'call'; readonly id: number; readonly method: string; readonly params: unknown }
  | { readonly type: 'cancel'; readonly id: number };

export type ToWebview =
  | { readonly type: 'chunk'; readonly id: number; readonly data: unknown }
  | { readonly type: 'result'; readonly id: number; readonly data: unknown }
  | { readonly type: 'error'; readonly id: number; readonly error: WireError }
  | { readonly type: 'event'; readonly name: string; readonly data: unknown };

/** What something cost, as far as the balance tells. Worded, both. */
export interface CostText {
  readonly text: string;
  /** How that is known. */
  readonly hint: string;
}

/** The last of its kind with a model. */
export interface ModelCost extends CostText {
  readonly model: string;
}
