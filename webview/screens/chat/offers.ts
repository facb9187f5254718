import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { DroppedFile, Offer } from '../../../src/protocol/chatOffers';
import { type Mention, mentionAt } from './mention';
import type { Attempt, ChatHost } from './chatHost';
import { createOfferSearch } from './offerSearch';

/** What `#` in the question box offers, and what is dropped on the page. */
export interface Offers {
  /** Empty while there is no list. */
  readonly found: ReadonlySignal<readonly Offer[]>;
  /** Index of the one that Enter takes. */
  readonly active: Signal<number>;
  /** Where the `#` word stands that `found` is for. */
  readonly word: ReadonlySignal<Mention | undefined>;
  /** To be told where the cursor is in which text: opens, renews or closes the list. */
  follow(text: string, cursor: number): void;
  /** Closes the list; it stays closed for this word. */
  dismiss(): void;
  /** Takes the active one. While the list is behind what was typed, that is the first of those that come for it. */
  choose(take: (offer: Offer) => void): void;
  /** Closes the list and attaches what was chosen. */
  take(offer: Offer): Promise<void>;
  drop(dropped: { readonly uris: readonly string[]; readonly files: readonly DroppedFile[] }): Promise<void>;
}

export function createOffers(host: ChatHost, attempt: Attempt): Offers {
  const found = signal<readonly Offer[]>([]);
  const active = signal(0);
  const word = signal<Mention | undefined>(undefined);
  /** Where the word begins whose list was closed by the person. */
  let dismissed: number | undefined;
  let shownFor: string | undefined;
  let awaiting: ((offer: Offer) => void) | undefined;

  const show = (offers: readonly Offer[]) =>
    batch(() => {
      active.value = 0;
      found.value = offers;
    });
  const search = createOfferSearch(host, (query, offers) => {
    shownFor = query;
    show(offers);
    const [first] = offers;
    if (first) awaiting?.(first);
    awaiting = undefined;
  });
  const close = () => {
    search.stop();
    awaiting = undefined;
    word.value = undefined;
    show([]);
  };

  return {
    found,
    active,
    word,
    follow(text, cursor) {
      const now = mentionAt(text, cursor);
      if (now?.start !== dismissed) dismissed = undefined;
      if (!now || dismissed !== undefined) return close();
      const before = word.peek();
      word.value = now;
      if (before?.start === now.start && before.query === now.query) return;
      awaiting = undefined;
      search.start(now.query, { isNew: !before });
    },
    dismiss() {
      dismissed = word.peek()?.start;
      close();
    },
    choose(take) {
      const chosen = found.peek()[active.peek()];
      if (active.peek() === 0 && shownFor !== word.peek()?.query) awaiting = take;
      else if (chosen) take(chosen);
    },
    async take({ id }) {
      close();
      await attempt(host.call('chat/attachOffer', { id }));
    },
    drop: async (dropped) => void (await attempt(host.call('chat/drop', dropped))),
  };
}
