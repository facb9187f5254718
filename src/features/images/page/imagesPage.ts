import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { runCommand } from '../../../platform/contributions';
import { DisposableStore, type Disposable } from '../../../platform/disposables';
import { throttle } from '../../../platform/throttle';
import { panelIcon } from '../../../platform/panelIcon';
import { runAction } from '../../../platform/errors/reportError';
import { showScreen } from '../../../platform/webview/webviewHost';
import type { Handlers } from '../../../protocol/call';
import { inputFields } from '../../../protocol/imageForm';
import { imagesCalls, type ImagesScreen, type InputField } from '../../../protocol/images';
import type { Services } from '../../../services/services';
import type { ImageRuns } from '../runs/imageRuns';
import { ImagesController } from './imagesController';
import { submitForm, submitRequests } from './submitImages';
import { actOnTile, clearFailed, rememberTile, retryFailed, stepOfTile } from './tileActs';
import { inputMark } from '../../../core/assets/recipe';
import type { ImageRequest } from '../../../core/api/images/images.schema';
import { toMediaStart } from '../../../services/media/media';
import { UserError } from '../../../platform/errors/userError';
import { toForm } from '../form/toForm';

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
      handlers: imagesHandlers(controller, services),
      calls: imagesCalls,
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

/** Starts the page with what it was opened for; see `MediaStart`. Throws `UserError` if that job or recipe does not exist. */
export async function startWith(start: unknown, controller: ImagesController, services: Services): Promise<void> {
  const wanted = toMediaStart(start);
  switch (wanted?.as) {
    case undefined:
      return;
    case 'form':
      return controller.fill({
        // Keep the rest of the form as edited.
        ...controller.typed,
        ...(wanted.model !== undefined && { model: wanted.model }),
        ...(wanted.prompt !== undefined && { prompt: wanted.prompt }),
      });
    case 'job':
      return showJob(wanted.id, controller, services);
    case 'vary':
      return vary(await requestOf(wanted.path, services), controller, services);
    case 'regenerate': {
      const request = await requestOf(wanted.path, services);
      if ((await inputsAway(request, services)).length > 0) return vary(request, controller, services);
      return submitRequests(controller, [request], services);
    }
  }
}

async function showJob(id: string, controller: ImagesController, { media }: Services): Promise<void> {
  const job = media.jobs.find((one) => one.id === id);
  const run = job && (await controller.runs.runOf(job));
  if (!run)
    throw new UserError(
      l10n.t('Nothing more is known of this order'),
      l10n.t('Its record was removed. The pictures that came of it are in the gallery.'),
    );
  controller.want(run.id);
}

async function vary(request: ImageRequest, controller: ImagesController, services: Services): Promise<void> {
  const away = await inputsAway(request, services);
  const { seed: _seed, ...form } = toForm(request);
  const emptied = Object.fromEntries(away.map((field) => [field, '']));
  const notices =
    away.length === 0
      ? []
      : [
          {
            tone: 'warning' as const,
            title: l10n.t('A picture that was sent along is not kept here'),
            detail: l10n.t('Choose it again, then generate. Nothing was sent.'),
            actions: [],
          },
        ];
  controller.fill({ ...form, ...emptied }, notices);
}

async function requestOf(path: string, { media }: Services): Promise<ImageRequest> {
  const asset = await media.assets.read(path);
  if (asset?.recipe.kind === 'image') return asset.recipe.request;
  throw new UserError(
    l10n.t('There is no recipe of a picture'),
    l10n.t('No recipe stands beside {0}, so it is not known how it was made.', path),
  );
}

/** Returns the fields of the request whose input images are not on this machine. */
async function inputsAway(request: ImageRequest, { media }: Services): Promise<readonly InputField[]> {
  const kept = await Promise.all(
    inputFields.map(async (field) => {
      const value = request[field];
      return !value?.startsWith(inputMark) || (await media.assets.input(value)) !== undefined;
    }),
  );
  return inputFields.filter((_, at) => !kept[at]);
}
