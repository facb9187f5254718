import type { Batches } from './batches';

/** Requests the first page without parameters; while the service reports more, `after` names the last batch received. */
export async function listBatches(batches: Batches, rounds: number, signal: AbortSignal) {
  let page = await batches.list({}, signal);
  const items = [...page.batches];
  for (let round = 0; round < rounds && page.hasMore; round++) {
    const after = page.lastId ?? items.at(-1)?.id;
    if (after === undefined) break;
    page = await batches.list({ after }, signal);
    const known = new Set(items.map(({ id }) => id));
    const fresh = page.batches.filter(({ id }) => !known.has(id));
    // A service without paging returns the same page again.
    if (fresh.length === 0) return { items, hasMore: false };
    items.push(...fresh);
  }
  return { items, hasMore: page.hasMore };
}
