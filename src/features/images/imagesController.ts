import * as l10n from '@vscode/l10n';
import '../../schema/jitless';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { GateWait } from '../../core/api/transport/gate';
import { chooseModel, modelsForJob } from '../../core/catalogue/jobs';
import { DisposableStore, type Disposable } from '../../platform/disposables';
import { numberText } from '../../platform/displayText';
import { describe } from '../../platform/errors/reportError';
import { panelIcon } from '../../platform/panelIcon';
import { throttle } from '../../platform/throttle';
import { SingleTab } from '../../platform/webview/singleTab';
import { showScreen } from '../../platform/webview/webviewHost';
import { done, type Handlers } from '../../protocol/call';
import { emptyImageForm } from '../../protocol/imageForm';
import {
  imageForm,
  imagesCalls,
  type ImageForm,
  type ImageFormAnswer,
  type ImagesNotice,
  type ImagesPage,
  type ImagesScreen,
} from '../../protocol/images';
import { rulesOf } from '../../core/profiles/vendorRules';
import { missingNotice } from '../../services/account/notOffered';
import { RememberedForm } from '../../services/models/rememberedForm';
import type { Services } from '../../services/services';
import { hasPrices } from '../../core/profiles/knownServices';
import { priceLine } from '../../services/usage/costMessages';
import type { ImageRequest } from '../../core/api/images/images.schema';
import { expectedMedia } from '../../core/prices/paidWork';
import type { PriceBook } from '../../services/usage/prices';
import { formAnswer, planOf, type FormPace } from './form/formAnswer';
import { readForm } from './logic/readForm';
import {
  act,
  actOnTile,
  clearFailed,
  rememberTile,
  retryFailed,
  startWith,
  stepOfTile,
  submitForm,
  KnownAssets,
  ProvidedInputs,
} from './imageActions';
import { ImageRuns } from './runs/imageRuns';
import { pathsOf, refusedField, runView } from './runs/runView';

const endpoint = 'POST /images/generations';
/** The form as last edited in this workspace. */
interface SavedImages {
  readonly form: ImageForm;
  /** Changes whenever the form is replaced on the page. */
  readonly filled: number;
  readonly account?: string | undefined;
}

const savedImages = z.object({ form: imageForm, filled: z.number(), account: z.optional(z.string()) });
/** Approximate number of images shown initially and added per request for older ones. */
const shownAtOnce = 120;
/** Throttle: changes come in bursts, one for each image that is saved. */
const gatherMs = 40;

/** The page that generates images: the form as last edited, and the runs. Jobs continue after it is disposed. */
export class ImagesController implements Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new vscode.EventEmitter<void>());
  readonly assets: KnownAssets;
  readonly inputs: ProvidedInputs;
  /** By model: a request in flight that is waiting for a limit. */
  readonly waits = new Map<string, GateWait>();
  private readonly remembered;
  private notices: readonly ImagesNotice[] = [];
  private runToShow: ImagesPage['runToShow'];
  /** Absent until the page is ready. */
  private prices: PriceBook | undefined;
  private shown = shownAtOnce;

  constructor(
    readonly services: Services,
    readonly runs: ImageRuns,
    /** Returns the URI from which the page can load a file. */
    readonly uriOf: (path: string) => string,
  ) {
    const { context, media, models, profiles, settings, connections, costs } = services;
    this.remembered = this.store.add(
      new RememberedForm<SavedImages>(context.workspaceState, services, {
        key: 'images.form',
        modelKey: 'images.model',
        read: (stored) => savedImages.safeParse(stored).data,
        first: { form: emptyImageForm, filled: 1 },
        replaceModel: ({ form, filled }, model) => ({ form: { ...form, model }, filled: filled + 1 }),
        fail: (error) => void services.report(error),
      }),
    );
    const tell = () => this.changed.fire();
    const generated = async () => (await media()).assets;
    this.assets = new KnownAssets(generated, tell);
    this.inputs = new ProvidedInputs(generated, uriOf);
    this.store.add(runs.onDidChange(tell));
    this.store.add(models.onDidChange(tell));
    this.store.add(costs.onDidChange(tell));
    this.store.add(connections.onDidChangeOffers(tell));
    this.store.add(profiles.onDidChange(tell));
    this.store.add(settings.onDidChange((name) => name === 'images.perMinute' && tell()));
    this.store.add(media.onDidChangeAssets(() => this.assets.lookAgain()));
    this.store.add(
      connections.onDidWait((wait) => {
        if (!wait.endpoint.endsWith('/images/generations') || wait.model === undefined) return;
        this.waits.set(wait.model, wait);
        tell();
      }),
    );
  }

  /** Draws the page in a tab and keeps it up to date. */
  show(panel: vscode.WebviewPanel): void {
    const { context, log, media } = this.services;
    panel.iconPath = panelIcon(context.extensionUri, 'images');
    panel.title = l10n.t('Images');
    const host = this.store.add(
      showScreen({
        screen: 'images',
        title: panel.title,
        webview: panel.webview,
        extensionUri: context.extensionUri,
        handlers: this.handlers(),
        calls: imagesCalls,
        log,
        folders: media.roots(),
      }),
    );
    const changes = this.store.add(
      throttle(gatherMs, () => {
        // The media folder may have changed.
        host.showFolders(media.roots());
        host.tell('images/changed', this.page());
      }),
    );
    this.store.add(this.changed.event(changes.soon));
    this.store.add(this.services.models.follow());
    this.store.add(panel.onDidChangeViewState(() => !panel.visible && host.forgetPage()));
  }

  /** Loads everything the page shows; rejects only if nothing can be read. */
  async refresh(): Promise<void> {
    void this.services.models.ensureFresh();
    const { models, usage } = this.services;
    const [prices] = await Promise.all([
      usage().then((service) => service.readyPrices()),
      models.ready(),
      this.runs.ready(),
      this.inputs.learn(this.form),
    ]);
    this.prices = prices;
  }

  /** The form as edited on the page, possibly a moment old. */
  get form(): ImageForm {
    return this.remembered.current.form;
  }

  /** Replaces the form on the page. */
  fill(part: Partial<ImageForm>, notices: readonly ImagesNotice[] = []): void {
    const form = { ...emptyImageForm, model: this.form.model, ...part };
    const saving = this.remembered.save({ form, filled: this.remembered.current.filled + 1 });
    this.say(notices);
    const { report } = this.services;
    Promise.all([saving, this.inputs.learn(form)]).then(() => this.changed.fire(), report);
  }

  /** Shows notices in place of those before. */
  say(notices: readonly ImagesNotice[]): void {
    this.notices = notices;
    this.changed.fire();
  }

  /** Shows a run on the page, whatever it shows now. */
  want(run: string): void {
    this.runToShow = { run, count: (this.runToShow?.count ?? 0) + 1 };
    this.changed.fire();
  }

  pace(): FormPace {
    const { account, settings } = this.services;
    const { queue } = this.runs;
    const profile = account.current.id;
    const [sent, waiting] = [queue.sentBy(profile), queue.waitingBy(profile)];
    return { perMinute: settings.get('images.perMinute'), sent, waiting, now: Date.now() };
  }

  jobOf(id: string | undefined) {
    return id === undefined ? undefined : this.services.media.jobs.find((job) => job.id === id);
  }

  /** The page's current state. */
  page(): ImagesPage {
    const { models, settings } = this.services;
    const { state } = models;
    const failed = this.runs.failed();
    const failedCount = failed.reduce((sum, { items }) => sum + items.length, 0);
    const runs = this.shownRuns();
    const [latest] = this.runs.all;
    const refused = latest && refusedField(latest, this);
    const missing = missingNotice(this.services.account.current, endpoint);
    const cost = this.expectedCost();
    return {
      models: modelsForJob('image', state.models, state.pins).map(({ id }) => id),
      preferred: chooseModel('image', state) ?? '',
      modelsAreLoading: state.session === 'starting' || (state.loading && state.models.length === 0),
      ...(state.error !== undefined && state.models.length === 0 && { modelsError: describe(state.error) }),
      isSignedIn: state.session !== 'signedOut',
      form: this.form,
      filled: this.remembered.current.filled,
      inputs: this.inputs.of(this.form),
      ...(missing && { isNotOffered: true }),
      notices: [...(missing ? [missing] : []), ...this.notices],
      ...(refused && { refused }),
      runs: runs.map((run) => runView(run, this)),
      ...(failedCount > 0 && {
        failed: failedText(failedCount, this.runs.lostAmong(failed)),
        retryFailed: this.priced(
          l10n.t('Retry Failed'),
          failed.flatMap((one) => this.runs.itemsOf(one).map(({ request }) => request)),
        ),
      }),
      hasOlder: runs.length < this.runs.all.length,
      ...(this.runToShow && { runToShow: this.runToShow }),
      pace: paceText(settings.get('images.perMinute')),
      ...(cost && { cost }),
    };
  }

  dispose(): void {
    this.store.dispose();
  }

  private handlers(): Handlers<ImagesScreen> {
    return {
      'images/ready': async () => {
        await this.refresh();
        return this.page();
      },
      'images/form': ({ form }) => this.type(form),
      'images/generate': ({ form }) => done(submitForm(this, form)),
      'images/run': ({ id, action }) => {
        if (action === 'stop') return done(this.runs.stop(id));
        return done(action === 'goOn' ? this.runs.goOn(id) : this.runs.forget(id));
      },
      'images/failed': ({ action }) => done(action === 'retry' ? retryFailed(this) : clearFailed(this)),
      'images/tile': ({ id, action }) => done(actOnTile(this, id, action)),
      'images/copied': ({ id, pixels }) => done(rememberTile(this, id, pixels)),
      'images/step': ({ id, action }) => done(stepOfTile(this, id, action)),
      'images/chooseInput': async () => {
        const ref = await this.inputs.choose();
        return ref === undefined ? {} : { ref };
      },
      'images/dropInput': async (image) => ({ ref: await this.inputs.drop(image) }),
      'images/older': () => {
        this.shown += shownAtOnce;
        return done(this.changed.fire());
      },
      'images/act': ({ action }) => done(act(action)),
    };
  }

  /** Saves the edited form, and resolves to its checks. */
  private async type(form: ImageForm): Promise<ImageFormAnswer> {
    const shown = () => [...Object.keys(this.inputs.of(this.form)), this.expectedCost()?.text].join();
    const before = shown();
    await this.remembered.save({ ...this.remembered.current, form });
    await this.inputs.learn(form);
    if (shown() !== before) this.changed.fire();
    return formAnswer(form, this.pace(), this.ownBounds());
  }

  private ownBounds() {
    return rulesOf(this.services.account.current.baseUrl).bounds;
  }

  /** The price of all images; absent if the service has no prices, or the form isn't complete. */
  private expectedCost() {
    const model = this.form.model.trim();
    const { baseUrl = '' } = this.services.account.current;
    const count = planOf(readForm(this.form, this.ownBounds())).pictures;
    if (model === '' || count === 0 || !hasPrices(baseUrl)) return undefined;
    return this.prices && priceLine(this.prices.quote([{ model, piece: 'image', count }]));
  }

  /** Returns the label of an action that sends requests again, with their price. */
  priced(label: string, requests: readonly ImageRequest[]): string {
    const parts = requests.map((request) => expectedMedia({ kind: 'image', request }));
    return this.prices?.label(label, parts) ?? label;
  }

  /** The latest runs. */
  private shownRuns() {
    const { all } = this.runs;
    const runToShow = this.runToShow?.run;
    let count = 0;
    const runs = all.filter(({ id, items }) => {
      const isShown = count < this.shown || id === runToShow;
      count += items.length;
      return isShown;
    });
    const paths = runs.flatMap(({ items }) => items.flatMap((item) => pathsOf(item, this.jobOf(item.jobId))));
    this.assets.want(paths.filter((path) => path !== undefined));
    return runs;
  }
}

/** The tab that generates images; at most one per window. */
export function createImages(services: Services) {
  const store = new DisposableStore();
  const runs = store.add(new ImageRuns(services));
  const tab = store.add(
    new SingleTab('inferenceDesk.images', (panel) => {
      const uriOf = (path: string) => panel.webview.asWebviewUri(vscode.Uri.file(path)).toString();
      const controller = new ImagesController(services, runs, uriOf);
      controller.show(panel);
      return controller;
    }),
  );
  return {
    /** Opens the tab and handles a `MediaStart`. */
    open: async (start: unknown) => startWith(tab.open(), start),
    /** Retries failed jobs without showing the tab; see `retryJobs`. */
    async retry(ids: unknown) {
      // Errors are reported, not thrown: the caller should not wait until the message is dismissed.
      await runs.retryJobs(Array.isArray(ids) ? ids : []).catch((error: unknown) => void services.report(error));
    },
    restore: (panel: vscode.WebviewPanel) => tab.restore(panel),
    dispose: () => store.dispose(),
  };
}

/** `lost`: how many of them may have been charged. */
function failedText(count: number, lost: number): string {
  const number = (value: number) => numberText(value, vscode.env.language);
  if (lost === 0) return l10n.t('Failed: {0}', number(count));
  return l10n.t('{0} failed. You may have been charged for {1} of these.', number(count), number(lost));
}

function paceText(perMinute: number): string {
  if (perMinute === 0) return l10n.t('No limit per minute');
  return l10n.t('Up to {0} per minute', numberText(perMinute, vscode.env.language));
}
