import type { QueryHistory } from '../controller/rerankWorkspace';

/** The part of `vscode.Memento` that is used. */
export interface SavedQueries {
  get<T>(key: string, other: T): T;
  update(key: string, value: unknown): PromiseLike<void>;
}

const key = 'rerank.queries';
const mostQueries = 50;
/** Characters. A longer query is not suited to a list. */
const longest = 2000;

export function createQueryHistory(history: SavedQueries): QueryHistory {
  const read = (): readonly string[] => {
    const kept = history.get<unknown>(key, []);
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : [];
  };
  const others = (query: string) => read().filter((one) => one !== query);
  return {
    get list() {
      return read();
    },
    async add(query) {
      if (query.length > longest) return;
      await history.update(key, [query, ...others(query)].slice(0, mostQueries));
    },
    async forget(query) {
      await history.update(key, others(query));
    },
  };
}
