import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { runCommand } from '../../platform/contributions';
import { DisposableStore, type Disposable } from '../../platform/disposables';
import { panelIcon } from '../../platform/panelIcon';
import { SingleTab } from '../../platform/webview/singleTab';
import { showScreen } from '../../platform/webview/webviewHost';
import { exists } from '../../core/storage/privateFiles';
import type { Handlers } from '../../protocol/call';
import { galleryCalls, type GalleryAction, type GalleryNotice, type GalleryScreen } from '../../protocol/gallery';
import type { Services } from '../../services/services';
import { GalleryController } from './logic/galleryController';
import { foreign } from '../../core/text/foreignText';
import path from 'node:path';
import type { UnreadableAsset } from '../../core/assets/recipe';
import { editModel } from '../../core/imageRuns/imageModels';

/** The gallery tab; at most one per window. */
export function createGallery(services: Services) {
  const tab = new SingleTab('inferenceDesk.gallery', (panel) => showGallery(services, panel));
  // Until then not all folders are known whose files the page shows.
  const ready = () => services.media();
  return {
    async open() {
      await ready();
      tab.open();
    },
    async restore(panel: vscode.WebviewPanel) {
      // On failure the page itself shows the error.
      await ready().catch(services.report);
      tab.restore(panel);
    },
    dispose: () => tab.dispose(),
  };
}

/** Shows the gallery in a tab. Dispose it when the tab is closed. */
function showGallery(services: Services, panel: vscode.WebviewPanel): Disposable {
  const { context, log, media, models, settings } = services;
  // Whether an image can be edited depends on them.
  void models.ensureFresh();
  const { webview } = panel;
  const store = new DisposableStore();
  panel.title = l10n.t('Gallery');
  panel.iconPath = panelIcon(context.extensionUri, 'gallery');
  const controller = new GalleryController(async () => (await media()).assets, {
    toSrc: (file) => webview.asWebviewUri(vscode.Uri.file(file)).toString(),
    exists: (file) => exists(file).catch(() => false),
    language: vscode.env.language,
    now: Date.now,
  });
  const host = store.add(
    showScreen({
      screen: 'gallery',
      title: panel.title,
      webview,
      extensionUri: context.extensionUri,
      handlers: galleryHandlers(controller, services),
      calls: galleryCalls,
      log,
      folders: media.roots(),
    }),
  );
  const change = () => {
    host.showFolders(media.roots());
    host.tell('gallery/changed', {});
  };
  store.add(media.onDidChangeAssets(change));
  store.add(services.connections.onDidChangeOffers(change));
  // The media folder may have changed.
  store.add(settings.onDidChange((name) => name === 'media.folder' && change()));
  store.add(panel.onDidChangeViewState(() => !panel.visible && host.forgetPage()));
  return store;
}

function galleryHandlers(controller: GalleryController, services: Services): Handlers<GalleryScreen> {
  const { account, media, models, usage } = services;
  return {
    'gallery/arrange': async (request, { signal }) => {
      const arrangement = await controller.arrange(request, signal);
      const canMake = !account.current.lacks('POST /images/generations');
      return { ...arrangement, canMake, notices: galleryNotices((await media()).assets.unreadable) };
    },
    'gallery/tiles': async ({ from, count }) => ({ tiles: controller.tiles(from, count) }),
    async 'gallery/details'({ id }) {
      const details = await controller.details(id);
      const ids = models.state.models.map((model) => model.id);
      const canEdit = editModel('', ids) !== undefined;
      const prices = await (await usage()).readyPrices();
      const regenerate = prices.regenerateLabel(controller.recipeOf(id));
      return { ...details, regenerate, actions: details.actions.filter((action) => canEdit || action !== 'edit') };
    },
    async 'gallery/act'({ id, action }) {
      await actions[action](controller.pathOf(id));
      return {};
    },
    async 'gallery/actOnSelected'({ ids, action }) {
      const paths = ids.map((id) => controller.pathOf(id));
      await runCommand(`inferenceDesk.media.${action}`, paths[0], paths);
      return {};
    },
    async 'gallery/useFrame'({ png }) {
      const { path: image } = await (
        await media()
      ).assets.keepInput({ bytes: Buffer.from(png, 'base64'), name: 'frame.png' });
      await runCommand('inferenceDesk.videos.open', { as: 'form', image });
      return {};
    },
    async 'gallery/copy'({ id, fact }) {
      const { name, value, copy = value } = (await controller.details(id)).facts[fact] ?? { name: '', value: '' };
      await vscode.env.clipboard.writeText(copy);
      return { message: l10n.t('Copied: {0}', foreign(name)) };
    },
    async 'gallery/mend'({ notice, action }) {
      const recipe = notice === 'recipes' ? recipesOf((await media()).assets.unreadable)[Number(action)] : undefined;
      if (recipe) await vscode.window.showTextDocument(vscode.Uri.file(recipe.path), { preview: true });
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
  edit: (path) => runCommand('inferenceDesk.media.edit', path),
  useAsFirstFrame: (path) => runCommand('inferenceDesk.media.useAsFirstFrame', path),
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

/** Localized notices about folders and recipes that the last listing could not read. */
function galleryNotices(unreadable: readonly UnreadableAsset[]): readonly GalleryNotice[] {
  const recipes = recipesOf(unreadable);
  return [
    ...unreadable.filter(({ what }) => what === 'folder').map(folderNotice),
    ...(recipes.length > 0 ? [recipesNotice(recipes)] : []),
  ];
}

function recipesOf(unreadable: readonly UnreadableAsset[]): readonly UnreadableAsset[] {
  return unreadable.filter(({ what }) => what === 'recipe');
}

function folderNotice({ path: folder, code = '' }: UnreadableAsset): GalleryNotice {
  return {
    id: `folder ${folder}`,
    title: l10n.t("Couldn't read a folder"),
    detail: l10n.t("{0} ({1}). Its contents aren't shown.", folder, code),
    actions: [],
  };
}

function recipesNotice(recipes: readonly UnreadableAsset[]): GalleryNotice {
  const names = recipes.slice(0, named).map((recipe) => path.basename(recipe.path));
  const count = recipes.length;
  return {
    id: 'recipes',
    title:
      count === 1
        ? l10n.t("Couldn't read the details of 1 file")
        : l10n.t("Couldn't read the details of {0} files", count),
    detail: l10n.t("Files with damaged or newer details aren't shown."),
    actions: names.map((name, index) => ({ id: String(index), label: name })),
  };
}
