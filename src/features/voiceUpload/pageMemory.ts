import '../../schema/jitless';
import * as z from 'zod/mini';
import type * as vscode from 'vscode';
import type { SentVoice } from '../../core/voices/voiceNames';

const pagesKey = 'voiceUpload.pages';
/** Older pages are deleted: their tabs are long closed. */
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

/** What is saved of a page across reloads. The page itself stores only an id, because it cannot be trusted with a path. */
export interface SavedPage {
  /** Path of the chosen file; absent if it was dropped without a URI. */
  readonly path?: string | undefined;
  readonly name: string;
  readonly sampleId?: string | undefined;
  /** A transcript of the sample that the page has not used yet. */
  readonly heard?: { readonly id: string; readonly text: string } | undefined;
  /** A voice whose upload has not finished, or finished without a response. */
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
