import { randomUUID } from 'node:crypto';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Disposable } from '../../platform/disposables';
import { createLastEditor } from '../../platform/workspace/lastEditor';
import type { Services } from '../../services/services';
import { chooseSample } from './chooseSample';
import { createPageMemory } from './pageMemory';
import { createSampleStore } from './sampleStore';
import { showUpload } from './uploadPage';
import type { UploadPage } from './uploadPage';

/** The open upload pages; at most one per file. */
export interface UploadPanels extends Disposable {
  /** Opens a page for the file passed, else asks for one; if it is open already, shows that page and reads the file again. */
  open(file: unknown): Promise<void>;
  /** Restores a page after a reload of the window. */
  restore(panel: vscode.WebviewPanel, state: unknown): Promise<void>;
}

interface OpenPage {
  readonly panel: vscode.WebviewPanel;
  readonly page: UploadPage;
}

export function createUploadPanels(services: Services): UploadPanels {
  const { context, log } = services;
  const store = createSampleStore(path.join(context.globalStorageUri.fsPath, 'voiceSamples'));
  const memory = createPageMemory(context.workspaceState);
  const lastEditor = createLastEditor();
  const open = new Map<string, OpenPage>();
  void store.sweep(Date.now()).catch((error: unknown) => log.debug(`Old samples stay: ${String(error)}`));

  const show = (panel: vscode.WebviewPanel, pageId: string): UploadPage => {
    const page = showUpload({
      services,
      panel,
      pageId,
      store,
      lastEditor,
      remember: (kept) => (open.has(pageId) ? memory.write(pageId, kept) : Promise.resolve()),
    });
    open.set(pageId, { panel, page });
    panel.onDidDispose(() => {
      open.delete(pageId);
      const { keptId } = page.session.controller;
      page.dispose();
      void Promise.all([memory.forget(pageId), keptId === undefined ? undefined : store.remove(keptId)]).catch(
        (error: unknown) => log.debug(`A sample stays: ${String(error)}`),
      );
    });
    return page;
  };

  return {
    async open(file) {
      const place = await chooseSample(file);
      if (place === undefined) return;
      const known = [...open.values()].find(({ page }) => page.session.controller.path === place);
      if (known) {
        known.panel.reveal();
        await known.page.session.show({ path: place });
        return;
      }
      const panel = vscode.window.createWebviewPanel('inferenceDesk.voiceUpload', '', vscode.ViewColumn.Active);
      await show(panel, randomUUID()).session.show({ path: place });
    },
    async restore(panel, state) {
      const id = typeof state === 'object' && state !== null && 'pageId' in state ? state.pageId : undefined;
      const kept = typeof id === 'string' ? memory.read(id) : undefined;
      if (typeof id !== 'string' || !kept || open.has(id)) {
        panel.dispose();
        return;
      }
      const { name, sampleId = '', path: place } = kept;
      await show(panel, id).session.show({ name, sampleId, path: place }, kept);
    },
    dispose() {
      for (const { page } of open.values()) page.dispose();
      lastEditor.dispose();
    },
  };
}
