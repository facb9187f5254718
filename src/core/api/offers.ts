/** The endpoints a service was found not to offer. One per profile; the caller decides how long to store it. */
export interface OfferStore {
  /** Returns the Unix milliseconds of the response that said so, or `undefined`. */
  missingSince(endpoint: string): number | undefined;
  /** Whether the service said so within the last day. */
  isMissing(endpoint: string, now: number): boolean;
  /** `endpoint` is the method and the path with placeholders for ids, e.g. `POST /batches/{id}/cancel`. */
  setMissing(endpoint: string, at: number): void;
  setOffered(endpoint: string): void;
  /** Forgets what was found, as at sign-in; with `andKnown`, what is known of the service is doubted too, and every endpoint tried again. */
  clear(options?: { readonly andKnown?: boolean }): void;
}

/** Endpoint -> Unix milliseconds; 0 for one that is there. */
export type OfferRecord = Readonly<Record<string, number>>;

/** How long a missing endpoint is not tried again. */
export const offerMemoryMs = 24 * 60 * 60 * 1000;

/** The time of an endpoint that was found there although the service was known not to have it. */
const never = 0;

/**
 * `onChange` receives the complete record, so that the caller can save it. `known` are endpoints that the service is known not to have:
 * they count as missing until they are found or in doubt.
 */
export function createOfferStore(
  initial: OfferRecord = {},
  onChange?: (record: OfferRecord) => void,
  known: readonly string[] = [],
): OfferStore {
  const missing = new Map(Object.entries(initial));
  const assumed = new Set(known);
  const changed = () => onChange?.(Object.fromEntries(missing));
  return {
    missingSince: (endpoint) => missing.get(endpoint) || undefined,
    isMissing(endpoint, now) {
      const since = missing.get(endpoint);
      const age = now - (since ?? Number.NEGATIVE_INFINITY);
      return (age >= 0 && age < offerMemoryMs) || (since !== never && assumed.has(endpoint));
    },
    setMissing(endpoint, at) {
      missing.set(endpoint, at);
      changed();
    },
    setOffered(endpoint) {
      const before = missing.get(endpoint);
      if (known.includes(endpoint)) missing.set(endpoint, never);
      else missing.delete(endpoint);
      if (before !== missing.get(endpoint)) changed();
    },
    clear({ andKnown = false } = {}) {
      const before = missing.size + assumed.size;
      missing.clear();
      if (andKnown) assumed.clear();
      if (missing.size + assumed.size < before) changed();
    },
  };
}
