import type { Client } from '../../core/api/client';

/** The first page is asked for plainly; where the service says that there is more, `after` names the last one had. */
export async function loadBatches(client: Pick<Client, 'batches'>, rounds: number, signal: AbortSignal) {
  let page = await client.batches.list({}, signal);
  const items = [...page.batches];
  for (let round = 0; round < rounds && page.hasMore; round++) {
    const after = page.lastId ?? items.at(-1)?.id;
    if (after === undefined) break;
    page = await client.batches.list({ after }, signal);
    const known = new Set(items.map(({ id }) => id));
    const fresh = page.batches.filter(({ id }) => !known.has(id));
    // A service that does not page answers the same again.
    if (fresh.length === 0) return { items, hasMore: false };
    items.push(...fresh);
  }
  return { items, hasMore: page.hasMore };
}
