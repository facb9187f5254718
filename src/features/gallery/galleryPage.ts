import { access } from 'node:fs/promises';
import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { runCommand } from '../../platform/contributions';
import { DisposableStore, type Disposable } from '../../platform/disposables';
import { panelIcon } from '../../platform/panelIcon';
import { showScreen } from '../../platform/webview/webviewHost';
import type { Handlers } from '../../protocol/call';
import { galleryCalls, type GalleryAction, type GalleryNotice, type GalleryScreen } from '../../protocol/gallery';
import type { Services } from '../../services/services';
import { createGalleryController, type GalleryController } from './galleryController';
import { galleryWords } from './galleryWords';
import { foreign } from '../../core/text/foreignText';
import path from 'node:path';
import type { UnreadableAsset } from '../../core/assets/recipe';
import type { MediaAssets } from '../../services/media/media';

/** Shows the gallery in a tab. Dispose it when the tab is closed. */
export function showGallery(services: Services, panel: vscode.WebviewPanel): Disposable {
  const { context, log, media, settings } = services;
  const { webview } = panel;
  const store = new DisposableStore();
  panel.title = l10n.t('Gallery');
  panel.iconPath = panelIcon(context.extensionUri, 'gallery');
  const notices = galleryNotices(media.assets);
  const controller = createGalleryController({
    assets: media.assets,
    words: galleryWords(Date.now),
    toSrc: (path) => webview.asWebviewUri(vscode.Uri.file(path)).toString(),
    exists: (path) =>
      access(path).then(
        () => true,
        () => false,
      ),
    notices: notices.list,
  });
  const host = store.add(
    showScreen({
      screen: 'gallery',
      title: panel.title,
      webview,
      extensionUri: context.extensionUri,
      handlers: galleryHandlers(controller, notices.mend),
      params: galleryCalls,
      log,
      folders: media.assets.roots(),
    }),
  );
  const change = () => {
    host.showFolders(media.assets.roots());
    host.tell('gallery/changed', {});
  };
  store.add(media.assets.onDidChange(change));
  // The media folder may have changed.
  store.add(settings.onDidChange((name) => name === 'media.folder' && change()));
  store.add(panel.onDidChangeViewState(() => !panel.visible && host.forgetPage()));
  return store;
}

function galleryHandlers(
  controller: GalleryController,
  mend: (notice: string, action: string) => Promise<void>,
): Handlers<GalleryScreen> {
  return {
    'gallery/arrange': (order, { signal }) => controller.arrange(order, signal),
    'gallery/tiles': async ({ from, count }) => ({ tiles: controller.tiles(from, count) }),
    'gallery/details': ({ id }) => controller.details(id),
    async 'gallery/act'({ id, action }) {
      await actions[action](controller.pathOf(id));
      return {};
    },
    async 'gallery/copy'({ id, fact }) {
      const { name, value, copy = value } = (await controller.details(id)).facts[fact] ?? { name: '', value: '' };
      await vscode.env.clipboard.writeText(copy);
      return { said: l10n.t('Copied: {0}', foreign(name)) };
    },
    async 'gallery/mend'({ notice, action }) {
      await mend(notice, action);
      return {};
    },
    async 'gallery/make'({ kind }) {
      await runCommand(kind === 'image' ? 'inferenceDesk.images.open' : 'inferenceDesk.videos.open');
      return {};
    },
  };
}

const actions: Readonly<Record<GalleryAction, (path: string) => Promise<void>>> = {
  regenerate: (path) => runCommand('inferenceDesk.media.regenerate', path),
  vary: (path) => runCommand('inferenceDesk.media.vary', path),
  insert: (path) => runCommand('inferenceDesk.media.insert', path),
  saveAs: (path) => runCommand('inferenceDesk.media.saveAs', path),
  copyPath: (path) => runCommand('inferenceDesk.media.copyPath', path),
  open: (path) => runCommand('inferenceDesk.media.open', path),
  openOutside: (path) => runCommand('inferenceDesk.media.openOutside', path),
  reveal: (path) => runCommand('inferenceDesk.media.reveal', path),
  showRecipe: (path) => runCommand('inferenceDesk.media.showRecipe', path),
  remove: (path) => runCommand('inferenceDesk.media.remove', path),
};

/** Number of recipes that are listed by name. */
const named = 3;

interface GalleryNotices {
  /** Notices about the last listing. */
  readonly list: () => readonly GalleryNotice[];
  /** Runs an action that a notice offers. */
  readonly mend: (notice: string, action: string) => Promise<void>;
}

/** Localized notices about folders and recipes that could not be read. */
function galleryNotices(assets: MediaAssets): GalleryNotices {
  const recipes = () => assets.unreadable.filter(({ what }) => what === 'recipe');
  return {
    list: () => [
      ...assets.unreadable.filter(({ what }) => what === 'folder').map(folderNotice),
      ...(recipes().length > 0 ? [recipesNotice(recipes())] : []),
    ],
    async mend(notice, action) {
      const recipe = notice === 'recipes' ? recipes()[Number(action)] : undefined;
      if (recipe) await vscode.window.showTextDocument(vscode.Uri.file(recipe.path), { preview: true });
    },
  };
}

function folderNotice({ path: folder, code = '' }: UnreadableAsset): GalleryNotice {
  return {
    id: `folder ${folder}`,
    title: l10n.t('A folder could not be read'),
    detail: l10n.t('{0} ({1}). What is in it is not shown.', folder, code),
    actions: [],
  };
}

function recipesNotice(recipes: readonly UnreadableAsset[]): GalleryNotice {
  const names = recipes.slice(0, named).map((recipe) => path.basename(recipe.path));
  const count = recipes.length;
  return {
    id: 'recipes',
    title: count === 1 ? l10n.t('A recipe could not be read') : l10n.t('{0} recipes could not be read', count),
    detail:
      count === 1
        ? l10n.t('It is damaged, or of a later version. The file beside it is kept, but not shown here.')
        : l10n.t('They are damaged, or of a later version. The files beside them are kept, but not shown here.'),
    actions: names.map((name, index) => ({ id: String(index), label: name })),
  };
}
