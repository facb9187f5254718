/** The localized text of an error. */
export interface ErrorText {
  readonly title: string;
  readonly detail: string;
}

/** An error as shown to the user: what happened, why, and what to do. No stack, no key, no URL with a secret. */
export interface WireError extends ErrorText {
  /** For the page to branch on: an `ApiErrorKind`, `user`, `canceled`, `disk` or `unexpected`. */
  readonly kind: string;
  readonly actions: readonly WireAction[];
}

/** An action offered with an error. The page sends the id back; only the host knows what it does. */
export interface WireAction {
  readonly id: string;
  readonly label: string;
}

/**
 * A message between a page and the host, tagged with the page: for a moment one frame holds two pages, the newly loaded one and the
 * previous one, which can still send and receive.
 */
export type OfPage<Message> = Message & { readonly page: string };

/** The first message of a page. From then on, another page can be loaded in its place. */
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

/** The cost of something, as far as the balance shows it. Both texts are localized. */
export interface CostText {
  readonly text: string;
  /** How the cost is known. */
  readonly hint: string;
}

/** The cost of the last request of its kind with a model. */
export interface ModelCost extends CostText {
  readonly model: string;
}
