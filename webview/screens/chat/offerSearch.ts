import { HostError } from '../../../src/protocol/caller';
import type { Offer } from '../../../src/protocol/chatOffers';
import type { ChatHost } from './chatHost';

/** People type faster than they read a list. */
const delayMs = 120;

interface OfferSearch {
  /** In place of the one before; `isNew`: at once, nothing was offered yet. */
  start(query: string, options: { readonly isNew: boolean }): void;
  /** Nothing is found any more. */
  stop(): void;
}

/** Asks the host what can be attached, once a person pauses. */
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

/** A search that was cancelled or failed shows no list; typing goes on. */
function nothingFound(error: unknown): { readonly offers: readonly Offer[] } {
  if (error instanceof HostError) return { offers: [] };
  throw error;
}
