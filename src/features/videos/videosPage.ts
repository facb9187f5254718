import type * as vscode from 'vscode';
import { Uri, l10n } from 'vscode';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import { throttle } from '../../platform/throttle';
import { showScreen } from '../../platform/webview/webviewHost';
import type { ScreenHost } from '../../platform/webview/webviewHost';
import type { Services } from '../../services/services';
import type { VideosController } from './videosController';
import { videosHandlers } from './videosHandlers';
import { videosParams } from './videosParams';
import { videosStrings } from './videosStrings';
import { viewPage } from './viewPage';

export interface VideosPageOptions {
  readonly services: Services;
  readonly panel: vscode.WebviewPanel;
  readonly controller: VideosController;
}

/** Throttle for bursts of changes. */
const gatherMs = 50;

/** Shows the form and the jobs in a tab. Dispose it when the tab is closed; jobs continue. */
export function showVideos({ services, panel, controller }: VideosPageOptions): Disposable {
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
        strings: videosStrings(),
        handlers: videosHandlers({ services, controller, view, toUri }),
        params: videosParams,
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
