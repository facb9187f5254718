import * as vscode from 'vscode';
import { l10n } from 'vscode';
import type { Disposable } from '../../platform/disposables';
import type { MediaStart } from '../../services/media/mediaStart';
import { panelIcon } from '../../platform/panelIcon';
import type { Services } from '../../services/services';
import { createVideosController } from './videosController';
import { showVideos } from './videosPage';

const panelType = 'inferenceDesk.videos';

/** The videos tab; at most one per window. */
export interface VideosPanel extends Disposable {
  open(start: MediaStart | undefined): Promise<void>;
  /** Restores the tab after a reload of the window. */
  restore(panel: vscode.WebviewPanel): void;
}

export function createVideosPanel(services: Services): VideosPanel {
  const controller = createVideosController(services);
  let shown: { readonly panel: vscode.WebviewPanel; readonly page: Disposable } | undefined;
  const show = (panel: vscode.WebviewPanel) => {
    panel.title = l10n.t('Videos');
    panel.iconPath = panelIcon(services.context.extensionUri, 'videos');
    const page = showVideos({ services, panel, controller });
    shown = { panel, page };
    panel.onDidDispose(() => {
      page.dispose();
      if (shown?.panel === panel) shown = undefined;
    });
  };
  return {
    async open(start) {
      if (shown) shown.panel.reveal();
      else show(vscode.window.createWebviewPanel(panelType, '', vscode.ViewColumn.Active));
      if (start) await controller.start(start);
    },
    restore(panel) {
      if (shown) panel.dispose();
      else show(panel);
    },
    dispose() {
      shown?.page.dispose();
      controller.dispose();
    },
  };
}
