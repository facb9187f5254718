/** What a service was found not to have. One per profile; kept by the caller for as long as it likes. */
export interface OfferStore {
  /** Unix milliseconds of the answer that said so. */
  missingSince(endpoint: string): number | undefined;
  /** `endpoint` is method and path with ids left open, e.g. `POST /batches/{id}/cancel`. */
  setMissing(endpoint: string, at: number): void;
  setOffered(endpoint: string): void;
  /** At sign-in: everything is asked again. */
  clear(): void;
}

/** Endpoint -> Unix milliseconds. */
export type OfferRecord = Readonly<Record<string, number>>;

/** How long an endpoint that was missing is not asked again. */
export const offerMemoryMs = 24 * 60 * 60 * 1000;

/** `onChange` gets the whole record, to be written where it outlives the session. */
export function createOfferStore(initial: OfferRecord = {}, onChange?: (record: OfferRecord) => void): OfferStore {
  const missing = new Map(Object.entries(initial));
  const changed = () => onChange?.(Object.fromEntries(missing));
  return {
    missingSince: (endpoint) => missing.get(endpoint),
    setMissing(endpoint, at) {
      missing.set(endpoint, at);
      changed();
    },
    setOffered(endpoint) {
      if (missing.delete(endpoint)) changed();
    },
    clear() {
      if (missing.size === 0) return;
      missing.clear();
      changed();
    },
  };
}
