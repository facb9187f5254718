import '../../schema/jitless';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { SentVoice } from '../../core/voices/voiceNames';
import type { Disposable } from '../../platform/disposables';
import { createLastEditor } from '../../platform/workspace/lastEditor';
import { checkOffered } from '../../services/account/notOffered';
import type { Services } from '../../services/services';
import { createSampleStore, type SampleStore } from './logic/sampleStore';
import { chooseSample } from './uploadActions';
import { UploadController } from './uploadController';

interface OpenPage {
  readonly panel: vscode.WebviewPanel;
  readonly page: UploadController;
}

/** The open upload pages; at most one per file. */
export class UploadPanels implements Disposable {
  readonly store: SampleStore;
  readonly memory: PageMemory;
  readonly lastEditor = createLastEditor();
  private readonly shown = new Map<string, OpenPage>();

  constructor(readonly services: Services) {
    const { context, log } = services;
    this.store = createSampleStore(path.join(context.globalStorageUri.fsPath, 'voiceSamples'));
    this.memory = createPageMemory(context.workspaceState);
    void this.store.sweep(Date.now()).catch((error: unknown) => log.debug(`Old samples stay: ${String(error)}`));
  }

  /** Opens a page for the file passed, else asks for one; if it is open already, shows that page and reads the file again. */
  async open(file: unknown): Promise<void> {
    checkOffered(this.services.account.current, 'GET /audio/voice/list', 'POST /uploads/audio/voice');
    const place = await chooseSample(file);
    if (place === undefined) return;
    const known = [...this.shown.values()].find(({ page }) => page.sample.path === place);
    if (known) {
      known.panel.reveal();
      await known.page.load({ path: place });
      return;
    }
    const panel = vscode.window.createWebviewPanel('inferenceDesk.voiceUpload', '', vscode.ViewColumn.Active);
    await this.show(panel, randomUUID()).load({ path: place });
  }

  /** Restores a page after a reload of the window. */
  async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const id = typeof state === 'object' && state !== null && 'pageId' in state ? state.pageId : undefined;
    const saved = typeof id === 'string' ? this.memory.read(id) : undefined;
    if (typeof id !== 'string' || !saved || this.shown.has(id)) {
      panel.dispose();
      return;
    }
    const { name, sampleId = '', path: place } = saved;
    await this.show(panel, id).load({ name, sampleId, path: place }, saved);
  }

  dispose(): void {
    for (const { page } of this.shown.values()) page.dispose();
    this.lastEditor.dispose();
  }

  private show(panel: vscode.WebviewPanel, pageId: string): UploadController {
    const page = new UploadController(this, pageId);
    page.show(panel);
    this.shown.set(pageId, { panel, page });
    panel.onDidDispose(() => {
      this.shown.delete(pageId);
      page.dispose();
      const { memory, store } = this;
      const { savedId } = page.sample;
      void Promise.all([memory.forget(pageId), savedId === undefined ? undefined : store.remove(savedId)]).catch(
        (error: unknown) => this.services.log.debug(`A sample stays: ${String(error)}`),
      );
    });
    return page;
  }
}

const pagesKey = 'voiceUpload.pages';
/** Older pages are deleted: their tabs are long closed. */
const mostPages = 30;

const savedPage = z.object({
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

/** The saved data of a page across reloads. The page itself stores only an ID, because it can't be trusted with a path. */
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

interface PageMemory {
  read(id: string): SavedPage | undefined;
  write(id: string, page: SavedPage): Promise<void>;
  forget(id: string): Promise<void>;
}

function createPageMemory(state: vscode.Memento): PageMemory {
  const pages = () => state.get<Readonly<Record<string, unknown>>>(pagesKey, {});
  const others = (id: string) => Object.entries(pages()).filter(([key]) => key !== id);
  return {
    read(id) {
      const read = savedPage.safeParse(Object.hasOwn(pages(), id) ? pages()[id] : undefined);
      return read.success ? read.data : undefined;
    },
    write: async (id, page) =>
      state.update(pagesKey, Object.fromEntries([...others(id).slice(1 - mostPages), [id, page]])),
    forget: async (id) => state.update(pagesKey, Object.fromEntries(others(id))),
  };
}
