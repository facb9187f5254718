import type * as vscode from 'vscode';
import { sourceSchema } from './submitSource';
import type { SubmitSource } from './submitSource';

const pagesKey = 'batchSubmit.pages';
/** Older entries are dropped: their tabs were closed long ago. */
const mostPages = 50;

/** What is stored of a page for a reload. The page itself only stores an id because it could not be trusted with a path. */
export interface PageMemory {
  readonly id: string;
  /** When its job was submitted, in Unix milliseconds. */
  readonly sentAt: number | undefined;
  readonly jobId: string | undefined;
  write(part: { readonly sentAt?: number; readonly jobId?: string }): Promise<void>;
}

interface KeptPage {
  readonly source: unknown;
  readonly sentAt?: number;
  readonly jobId?: string;
}

export interface PageMemories {
  /** Resolves once it is saved; the memory itself can be used at once. */
  add(id: string, source: SubmitSource): Promise<PageMemory>;
  of(id: string): PageMemory;
  /** Returns `undefined` if the id is unknown. */
  find(id: string): { readonly source: SubmitSource; readonly memory: PageMemory } | undefined;
}

export function createPageMemories(state: vscode.Memento): PageMemories {
  const pages = () => state.get<Readonly<Record<string, KeptPage>>>(pagesKey, {});
  const pageOf = (id: string) => (Object.hasOwn(pages(), id) ? pages()[id] : undefined);
  const memoryOf = (id: string): PageMemory => ({
    id,
    get sentAt() {
      return pageOf(id)?.sentAt;
    },
    get jobId() {
      return pageOf(id)?.jobId;
    },
    async write(part) {
      const page = pageOf(id);
      // A new submission has no job yet, so the previous job's id is dropped.
      if (page)
        await state.update(pagesKey, {
          ...pages(),
          [id]: { source: page.source, ...(page.sentAt !== undefined && { sentAt: page.sentAt }), ...part },
        });
    },
  });
  return {
    async add(id, source) {
      const kept = Object.entries(pages()).slice(1 - mostPages);
      await state.update(pagesKey, { ...Object.fromEntries(kept), [id]: { source } });
      return memoryOf(id);
    },
    of: memoryOf,
    find(id) {
      const read = sourceSchema.safeParse(pageOf(id)?.source);
      return read.success ? { source: read.data as SubmitSource, memory: memoryOf(id) } : undefined;
    },
  };
}
