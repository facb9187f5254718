import '../../core/api/jitless';
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
import { videosStrings } from './videosStrings';
import { viewPage } from './viewPage';
import * as z from 'zod/mini';
import type { ParamSchemas } from '../../platform/webview/webviewEnvelope';
import { maxImageBytes } from '../../protocol/mediaBounds';
import type { VideosScreen } from '../../protocol/videos';
import { formSchema } from './savedForm';

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

const nothing = z.strictObject({});
const text = (most: number) => z.string().check(z.maxLength(most));
const base64 = text(Math.ceil(maxImageBytes / 3) * 4);
const job = text(200);
const index = z.int().check(z.nonnegative(), z.maximum(100));
const name = text(300);

/** Schemas of the parameters that the page may send with each call. */
const videosParams: ParamSchemas<VideosScreen> = {
  'videos/ready': nothing,
  'videos/form': z.strictObject({ form: formSchema }),
  'videos/submit': z.strictObject({ form: formSchema }),
  'videos/stop': nothing,
  'videos/choosePicture': nothing,
  'videos/givePicture': z.strictObject({
    uris: z.array(text(10_000)).check(z.maxLength(2)),
    pictures: z
      .array(
        z.union([
          z.strictObject({ name, base64 }),
          z.strictObject({ name, trouble: z.enum(['folder', 'tooLarge', 'unreadable']) }),
        ]),
      )
      .check(z.maxLength(2)),
  }),
  'videos/actOnJob': z.strictObject({
    job,
    action: z.enum(['checkNow', 'fetchAgain', 'fetchAnyway', 'submitAgain', 'fillForm', 'forget']),
  }),
  'videos/failed': z.strictObject({ action: z.enum(['retry', 'clear']) }),
  'videos/actOnFile': z.strictObject({
    job,
    index,
    action: z.enum([
      'insert',
      'saveAs',
      'regenerate',
      'vary',
      'openOutside',
      'reveal',
      'copyPath',
      'showRecipe',
      'remove',
    ]),
  }),
  'videos/saveFrame': z.strictObject({ job, index, seconds: z.number().check(z.nonnegative()), png: base64 }),
  'videos/act': z.strictObject({ action: text(1000) }),
};
