import type { QueryHistory } from '../desk/deskOptions';

/** What of a memento is used. */
export interface Shelf {
  get<T>(key: string, other: T): T;
  update(key: string, value: unknown): PromiseLike<void>;
}

const key = 'rerank.queries';
const mostQueries = 50;
/** A longer one is no query to choose from a list. */
const longest = 2000;

export function createQueryHistory(shelf: Shelf): QueryHistory {
  const read = (): readonly string[] => {
    const kept = shelf.get<unknown>(key, []);
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : [];
  };
  const others = (query: string) => read().filter((one) => one !== query);
  return {
    get list() {
      return read();
    },
    async add(query) {
      if (query.length > longest) return;
      await shelf.update(key, [query, ...others(query)].slice(0, mostQueries));
    },
    async forget(query) {
      await shelf.update(key, others(query));
    },
  };
}
