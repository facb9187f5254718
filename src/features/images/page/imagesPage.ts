import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { runCommand } from '../../../platform/contributions';
import { DisposableStore } from '../../../platform/disposables';
import type { Disposable } from '../../../platform/disposables';
import { throttle } from '../../../platform/throttle';
import { panelIcon } from '../../../platform/panelIcon';
import { runAction } from '../../../platform/errors/reportError';
import { showScreen } from '../../../platform/webview/webviewHost';
import type { Handlers } from '../../../protocol/call';
import type { ImagesScreen } from '../../../protocol/images';
import type { Services } from '../../../services/services';
import { imagesParams } from '../imagesParams';
import { imagesStrings } from '../imagesStrings';
import type { ImageRuns } from '../runs/imageRuns';
import { ImagesController } from './imagesController';
import { submitForm } from './submitImages';
import { startWith } from './starts';
import { actOnTile, clearFailed, rememberTile, retryFailed, stepOfTile } from './tileActs';

/** Throttle: changes come in bursts, one for each image that is saved. */
const gatherMs = 40;

export interface ImagesPageHost extends Disposable {
  /** Handles the argument of the command that opened the page. */
  start(start: unknown): Promise<void>;
}

/** Shows the page in a tab. Dispose it when the tab is closed; jobs continue. */
export function showImages(services: Services, panel: vscode.WebviewPanel, runs: ImageRuns): ImagesPageHost {
  const store = new DisposableStore();
  const { webview } = panel;
  const { extensionUri } = services.context;
  const { assets } = services.media;
  panel.iconPath = panelIcon(extensionUri, 'images');
  panel.title = l10n.t('Images');
  const controller = store.add(
    new ImagesController(services, runs, (path) => webview.asWebviewUri(vscode.Uri.file(path)).toString()),
  );
  const host = store.add(
    showScreen({
      screen: 'images',
      title: l10n.t('Images'),
      webview,
      extensionUri,
      strings: imagesStrings(),
      handlers: imagesHandlers(controller, services),
      params: imagesParams,
      log: services.log,
      folders: assets.roots(),
    }),
  );
  const changes = store.add(
    throttle(gatherMs, () => {
      // The media folder may have changed.
      host.showFolders(assets.roots());
      host.tell('images/changed', controller.page());
    }),
  );
  store.add(controller.onDidChange(changes.soon));
  store.add(panel.onDidChangeViewState(() => !panel.visible && host.forgetPage()));
  return {
    async start(start) {
      await controller.refresh();
      await startWith(start, controller, services);
    },
    dispose: () => store.dispose(),
  };
}

function imagesHandlers(controller: ImagesController, services: Services): Handlers<ImagesScreen> {
  const done = async (work: PromiseLike<unknown> | void) => {
    await work;
    return {};
  };
  const parts = { controller, services };
  return {
    async 'images/ready'() {
      await controller.refresh();
      return controller.page();
    },
    'images/form': ({ form }) => controller.type(form),
    'images/generate': ({ form }) => done(submitForm(controller, form, services)),
    'images/run': ({ id, action }) => {
      if (action === 'stop') return done(controller.runs.stop(id));
      return done(action === 'goOn' ? controller.runs.goOn(id) : controller.runs.forget(id));
    },
    'images/failed': ({ action }) => done(action === 'retry' ? retryFailed(parts) : clearFailed(parts)),
    'images/tile': ({ id, action }) => done(actOnTile(id, action, parts)),
    'images/copied': ({ id, pixels }) => done(rememberTile(id, pixels, parts)),
    'images/step': ({ id, action }) => done(stepOfTile(id, action, parts)),
    async 'images/chooseInput'() {
      const ref = await controller.inputs.choose();
      return ref === undefined ? {} : { ref };
    },
    'images/dropInput': async (given) => ({ ref: await controller.inputs.drop(given) }),
    'images/older': () => done(controller.showOlder()),
    'images/act': ({ action }) => done(act(action)),
  };
}

/** Ignores unknown action ids: the page is not trusted. */
async function act(action: string): Promise<void> {
  if (action === 'gallery') await runCommand('inferenceDesk.gallery.open');
  else if (action === 'paceSetting')
    await vscode.commands.executeCommand('workbench.action.openSettings', 'inferenceDesk.images.perMinute');
  else await runAction(action);
}
