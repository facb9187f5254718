import '../../core/api/jitless';
import * as z from 'zod/mini';
import type * as vscode from 'vscode';
import type { SentVoice } from '../../core/voices/voiceNames';

const pagesKey = 'voiceUpload.pages';
/** Older ones are forgotten: their tabs are long closed. */
const mostPages = 30;

const keptPage = z.object({
  path: z.optional(z.string()),
  name: z.string(),
  sampleId: z.optional(z.string()),
  heard: z.optional(z.object({ id: z.string(), text: z.string() })),
  sent: z.optional(
    z.object({
      name: z.string(),
      text: z.string(),
      model: z.string(),
      profileId: z.string(),
      before: z.array(z.string()),
    }),
  ),
});

/** What is kept of a page over a reload. The page itself keeps an id only: it could not be trusted with a path. */
export interface SavedPage {
  /** Where the file was chosen; absent of one that was dropped without an address. */
  readonly path?: string | undefined;
  readonly name: string;
  readonly sampleId?: string | undefined;
  /** What a model heard in it, which the page has not taken yet. */
  readonly heard?: { readonly id: string; readonly text: string } | undefined;
  /** A voice whose upload has not ended, or ended without an answer. */
  readonly sent?: SentVoice | undefined;
}

export interface PageMemory {
  read(id: string): SavedPage | undefined;
  write(id: string, page: SavedPage): Promise<void>;
  forget(id: string): Promise<void>;
}

export function createPageMemory(state: vscode.Memento): PageMemory {
  const pages = () => state.get<Readonly<Record<string, unknown>>>(pagesKey, {});
  const others = (id: string) => Object.entries(pages()).filter(([key]) => key !== id);
  return {
    read(id) {
      const read = keptPage.safeParse(Object.hasOwn(pages(), id) ? pages()[id] : undefined);
      return read.success ? read.data : undefined;
    },
    write: async (id, page) =>
      state.update(pagesKey, Object.fromEntries([...others(id).slice(1 - mostPages), [id, page]])),
    forget: async (id) => state.update(pagesKey, Object.fromEntries(others(id))),
  };
}
