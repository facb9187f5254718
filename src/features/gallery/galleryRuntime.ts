import * as vscode from 'vscode';
import type { Disposable } from '../../platform/disposables';
import type { Services } from '../../services/services';
import { showGallery } from './galleryPage';

/** The gallery tab; at most one per window. */
export interface GalleryRuntime extends Disposable {
  open(): Promise<void>;
  /** Restores the tab after a reload of the window. */
  restore(panel: vscode.WebviewPanel): Promise<void>;
}

const galleryPanel = 'inferenceDesk.gallery';

export function createGallery(services: Services): GalleryRuntime {
  let shown: { readonly panel: vscode.WebviewPanel; readonly page: Disposable } | undefined;

  const show = (panel: vscode.WebviewPanel): void => {
    const one = { panel, page: showGallery(services, panel) };
    shown = one;
    panel.onDidDispose(() => {
      one.page.dispose();
      if (shown === one) shown = undefined;
    });
  };
  // Until then not all folders are known whose files the page shows.
  const ready = () => services.media.ready();
  return {
    async open() {
      await ready();
      if (shown) shown.panel.reveal();
      else show(vscode.window.createWebviewPanel(galleryPanel, '', vscode.ViewColumn.Active));
    },
    async restore(panel) {
      // On failure the page itself shows the error.
      await ready().catch(services.report);
      if (shown) panel.dispose();
      else show(panel);
    },
    dispose: () => shown?.page.dispose(),
  };
}
