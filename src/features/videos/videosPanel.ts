import * as vscode from 'vscode';
import { l10n, Uri } from 'vscode';
import { type Disposable, DisposableStore } from '../../platform/disposables';
import type { MediaStart } from '../../services/media/media';
import { panelIcon } from '../../platform/panelIcon';
import type { Services } from '../../services/services';
import { createVideosController, type VideosController } from './videosController';
import { throttle } from '../../platform/throttle';
import { showScreen, type ScreenHost } from '../../platform/webview/webviewHost';
import { videosHandlers } from './videosHandlers';
import { viewPage } from './viewPage';
import { videosCalls } from '../../protocol/videos';

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

interface VideosPageOptions {
  readonly services: Services;
  readonly panel: vscode.WebviewPanel;
  readonly controller: VideosController;
}

/** Throttle for bursts of changes. */
const gatherMs = 50;

/** Shows the form and the jobs in a tab. Dispose it when the tab is closed; jobs continue. */
function showVideos({ services, panel, controller }: VideosPageOptions): Disposable {
  const { media, models, profiles, costs, log, context } = services;
  const store = new DisposableStore();
  let isOpen = true;
  const warn = (error: unknown) => log.warn(`The page of videos could not be brought up to date: ${String(error)}`);
  const toUri = (path: string) => panel.webview.asWebviewUri(Uri.file(path)).toString();
  const view = () => viewPage({ services, controller, toUri });
  let host: ScreenHost<'videos'> | undefined;
  const show = () => {
    host = store.add(
      showScreen({
        screen: 'videos',
        title: l10n.t('Videos'),
        webview: panel.webview,
        extensionUri: context.extensionUri,
        handlers: videosHandlers({ services, controller, view, toUri }),
        calls: videosCalls,
        log,
        folders: media.assets.roots(),
      }),
    );
  };
  const tell = async () => {
    if (!host || !panel.visible || !isOpen) return;
    host.showFolders(media.assets.roots());
    const page = await view();
    if (isOpen) host.tell('videos/changed', page);
  };
  const { soon } = store.add(throttle(gatherMs, () => void tell().catch(warn)));

  const begin = async () => {
    // Until then not all folders are known, and changing them later reloads the page.
    await Promise.all([media.ready().catch(warn), costs.ready()]);
    if (isOpen) show();
  };
  void begin();
  for (const source of [media, media.assets, controller]) store.add(source.onDidChange(soon));
  store.add(models.onDidChange(soon));
  store.add(costs.onDidChange(soon));
  store.add(profiles.onDidChange(soon));
  store.add(panel.onDidChangeViewState(() => (panel.visible ? soon() : host?.forgetPage())));
  // `visible` must not be read on a panel that was closed.
  store.add({ dispose: () => (isOpen = false) });
  return store;
}
