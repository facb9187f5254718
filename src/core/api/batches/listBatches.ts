import type { Batches } from './batches';

/** Further batches aren't shown, which `hasMore` reports. */
const mostBatches = 20_000;

/** Requests the first page without parameters; while the service reports more, `after` names the last batch received. */
export async function listBatches(batches: Batches, rounds: number, signal: AbortSignal) {
  let page = await batches.list({}, signal);
  const items = page.batches.slice(0, mostBatches);
  const known = new Set(items.map(({ id }) => id));
  for (let round = 0; round < rounds && page.hasMore && items.length < mostBatches; round++) {
    const after = page.lastId ?? items.at(-1)?.id;
    if (after === undefined) break;
    page = await batches.list({ after }, signal);
    const fresh = page.batches.filter(({ id }) => known.size < known.add(id).size);
    // A service without paging returns the same page again.
    if (fresh.length === 0) return { items, hasMore: false };
    for (const batch of fresh.slice(0, mostBatches - items.length)) items.push(batch);
  }
  return { items, hasMore: page.hasMore || items.length >= mostBatches };
}
