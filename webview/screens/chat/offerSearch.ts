import { HostError } from '../../../src/protocol/caller';
import type { Offer } from '../../../src/protocol/chatOffers';
import type { ChatHost } from './chatHost';

/** Debounce of the search, because people type faster than they read a list. */
const delayMs = 120;

interface OfferSearch {
  /** Starts a search, replacing the previous one; without a delay if `isNew`, because no list is shown yet. */
  start(query: string, options: { readonly isNew: boolean }): void;
  /** Cancels the search. */
  stop(): void;
}

/** Asks the host for possible attachments when typing pauses. */
export function createOfferSearch(
  host: ChatHost,
  onFound: (query: string, offers: readonly Offer[]) => void,
): OfferSearch {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let searching: AbortController | undefined;

  const stop = () => {
    clearTimeout(timer);
    searching?.abort();
    searching = undefined;
  };
  const search = async (query: string) => {
    const controller = new AbortController();
    searching = controller;
    const { signal: ended } = controller;
    const answer = await host.call('chat/offers', { query }, { signal: ended }).catch(nothingFound);
    if (!ended.aborted) onFound(query, answer.offers);
  };
  return {
    start(query, { isNew }) {
      stop();
      timer = setTimeout(() => void search(query), isNew ? 0 : delayMs);
    },
    stop,
  };
}

/** Treats a cancelled or failed search as one without results, because the user keeps typing. */
function nothingFound(error: unknown): { readonly offers: readonly Offer[] } {
  if (error instanceof HostError) return { offers: [] };
  throw error;
}
