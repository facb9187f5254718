import * as vscode from 'vscode';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import type { Services } from '../../services/services';
import { showImages } from './page/imagesPage';
import type { ImagesPageHost } from './page/imagesPage';
import { ImageRuns } from './runs/imageRuns';
import { retryJobs } from './runs/retries';

/** The tab that generates images; at most one per window. */
export interface ImagesRuntime extends Disposable {
  /** Opens the tab and handles a `MediaStart`. `{ retry: ids }` instead retries failed jobs (see `retryJobs`) without showing the tab. */
  open(start: unknown): Promise<void>;
  /** Restores the tab after a reload of the window. */
  restore(panel: vscode.WebviewPanel): Promise<void>;
}

export function createImages(services: Services): ImagesRuntime {
  const store = new DisposableStore();
  const runs = store.add(new ImageRuns(services));
  let shown: { readonly panel: vscode.WebviewPanel; readonly page: ImagesPageHost } | undefined;

  const show = (panel: vscode.WebviewPanel): ImagesPageHost => {
    const page = showImages(services, panel, runs);
    shown = { panel, page };
    panel.onDidDispose(() => {
      page.dispose();
      if (shown?.panel === panel) shown = undefined;
    });
    return page;
  };
  store.add({ dispose: () => shown?.page.dispose() });
  return {
    async open(start) {
      if (typeof start === 'object' && start !== null && 'retry' in start && Array.isArray(start.retry)) {
        // Errors are reported, not thrown: the caller should not wait until the message is dismissed.
        return retryJobs(start.retry, runs, services).catch((error: unknown) => void services.report(error));
      }
      shown?.panel.reveal();
      const page =
        shown?.page ?? show(vscode.window.createWebviewPanel('inferenceDesk.images', '', vscode.ViewColumn.Active));
      await page.start(start);
    },
    async restore(panel) {
      if (shown) panel.dispose();
      else show(panel);
    },
    dispose: () => store.dispose(),
  };
}
