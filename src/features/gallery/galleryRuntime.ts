import * as vscode from 'vscode';
import type { Disposable } from '../../platform/disposables';
import type { Services } from '../../services/services';
import { showGallery } from './galleryPage';

/** The one tab that shows what was made. */
export interface GalleryRuntime extends Disposable {
  open(): Promise<void>;
  /** Brings it back after a reload of the window. */
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
  // Before that not all folders are known that the page is to show files of.
  const ready = () => services.media.ready();
  return {
    async open() {
      await ready();
      if (shown) shown.panel.reveal();
      else show(vscode.window.createWebviewPanel(galleryPanel, '', vscode.ViewColumn.Active));
    },
    async restore(panel) {
      // Without them it tells itself what is wrong.
      await ready().catch(services.report);
      if (shown) panel.dispose();
      else show(panel);
    },
    dispose: () => shown?.page.dispose(),
  };
}
