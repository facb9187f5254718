/** A model waits no longer for files of an order that is done; they are fetched on, and it can ask for them. */
export const savingMs = 3 * 60_000;
