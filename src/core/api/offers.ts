/** The endpoints a service was found not to offer. One per profile; the caller decides how long to store it. */
export interface OfferStore {
  /** Returns the Unix milliseconds of the response that said so, or `undefined`. */
  missingSince(endpoint: string): number | undefined;
  /** Whether the service said so within the last day. */
  isMissing(endpoint: string, now: number): boolean;
  /** `endpoint` is the method and the path with placeholders for ids, e.g. `POST /batches/{id}/cancel`. */
  setMissing(endpoint: string, at: number): void;
  setOffered(endpoint: string): void;
  /** Called at sign-in, so that every endpoint is tried again. */
  clear(): void;
}

/** Endpoint -> Unix milliseconds. */
export type OfferRecord = Readonly<Record<string, number>>;

/** How long a missing endpoint is not tried again. */
export const offerMemoryMs = 24 * 60 * 60 * 1000;

/** `onChange` receives the whole record, so that the caller can persist it. */
export function createOfferStore(initial: OfferRecord = {}, onChange?: (record: OfferRecord) => void): OfferStore {
  const missing = new Map(Object.entries(initial));
  const changed = () => onChange?.(Object.fromEntries(missing));
  return {
    missingSince: (endpoint) => missing.get(endpoint),
    isMissing(endpoint, now) {
      const age = now - (missing.get(endpoint) ?? Number.NEGATIVE_INFINITY);
      return age >= 0 && age < offerMemoryMs;
    },
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
