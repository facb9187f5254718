import '../../../schema/jitless';
import * as vscode from 'vscode';
import { l10n } from 'vscode';
import * as z from 'zod/mini';
import { chooseModel, modelsForJob } from '../../../core/catalogue/jobs';
import type { GateWait } from '../../../core/api/transport/gate';
import { DisposableStore, type Disposable } from '../../../platform/disposables';
import { describe } from '../../../platform/errors/reportError';
import { emptyImageForm } from '../../../protocol/imageForm';
import {
  imageForm,
  type ImageForm,
  type ImageFormAnswer,
  type ImagesNotice,
  type ImagesPage,
} from '../../../protocol/images';
import type { Services } from '../../../services/services';
import { formAnswer, type FormPace } from '../form/formAnswer';
import { createProvidedInputs, type ProvidedInputs } from '../form/providedInputs';
import type { ImageRun } from '../../../core/imageRuns/imageRun';
import { lastCosts } from '../../../services/usage/costMessages';
import { numberText } from '../../../platform/displayText';
import type { ImageRuns } from '../runs/imageRuns';
import { failedRequests } from '../runs/retries';
import { createKnownAssets } from '../runs/knownAssets';
import { runView } from '../runs/runView';
import { pathsOf, placeOf, type TilePlace } from '../runs/tileView';
import { waitTitle } from '../../../platform/errors/apiErrorMessages';
import { dateFormat } from '../../../protocol/formats';
import { refusedImageParameter } from '../../../core/imageRuns/refusedImageParameter';
import type { MediaJob } from '../../../services/media/media';

const formKey = 'images.form';
/** The form as saved across reloads of the window. */
const savedForm = z.object({ form: imageForm, filled: z.number() });
/** Approximate number of images shown initially and added per request for older ones. */
const shownAtOnce = 120;

/** Holds what the page shows: the form as last edited, and the runs. */
export class ImagesController implements Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new vscode.EventEmitter<void>());
  private readonly assets;
  readonly inputs: ProvidedInputs;
  private form: ImageForm;
  private filled: number;
  private notices: readonly ImagesNotice[] = [];
  private wanted: ImagesPage['wanted'];
  private shown = shownAtOnce;
  /** By model: a request in flight that is waiting for a limit. */
  private readonly waits = new Map<string, GateWait>();

  readonly onDidChange = this.changed.event;

  constructor(
    private readonly services: Services,
    readonly runs: ImageRuns,
    private readonly uriOf: (path: string) => string,
  ) {
    const { context, media, models, profiles, settings, connections, costs } = services;
    const kept = savedForm.safeParse(context.workspaceState.get(formKey));
    this.form = kept.success ? kept.data.form : emptyImageForm;
    this.filled = kept.success ? kept.data.filled : 1;
    const tell = () => this.changed.fire();
    this.assets = createKnownAssets(media.assets, tell);
    this.inputs = createProvidedInputs(media.assets, uriOf);
    this.store.add(runs.onDidChange(tell));
    this.store.add(models.onDidChange(tell));
    this.store.add(costs.onDidChange(tell));
    this.store.add(profiles.onDidChange(tell));
    this.store.add(settings.onDidChange((name) => name === 'images.perMinute' && tell()));
    this.store.add(media.assets.onDidChange(() => this.assets.lookAgain()));
    this.store.add(
      connections.onDidWait((wait) => {
        if (!wait.endpoint.endsWith('/images/generations') || wait.model === undefined) return;
        this.waits.set(wait.model, wait);
        tell();
      }),
    );
  }

  /** Loads everything the page shows; rejects only if nothing can be read. */
  async refresh(): Promise<void> {
    void this.services.models.ensureFresh();
    const { models, costs } = this.services;
    await Promise.all([models.ready(), costs.ready(), this.runs.ready(), this.inputs.learn(this.form)]);
  }

  /** Saves the edited form, and resolves to its checks. */
  async type(form: ImageForm): Promise<ImageFormAnswer> {
    const before = Object.keys(this.inputs.of(this.form)).join();
    this.form = form;
    await this.keep();
    await this.inputs.learn(form);
    if (Object.keys(this.inputs.of(form)).join() !== before) this.changed.fire();
    return formAnswer(form, this.pace());
  }

  /** The form as edited on the page, possibly a moment behind. */
  get typed(): ImageForm {
    return this.form;
  }

  /** Replaces the form on the page. */
  fill(part: Partial<ImageForm>, notices: readonly ImagesNotice[] = []): void {
    this.form = { ...emptyImageForm, model: this.form.model, ...part };
    this.filled++;
    this.say(notices);
    const { report } = this.services;
    Promise.all([this.keep(), this.inputs.learn(this.form)]).then(() => this.changed.fire(), report);
  }

  say(notices: readonly ImagesNotice[]): void {
    this.notices = notices;
    this.changed.fire();
  }

  /** Scrolls the page to a run. */
  want(run: string): void {
    this.wanted = { run, count: (this.wanted?.count ?? 0) + 1 };
    this.changed.fire();
  }

  showOlder(): void {
    this.shown += shownAtOnce;
    this.changed.fire();
  }

  pace(): FormPace {
    const { profiles, settings } = this.services;
    const { queue } = this.runs;
    const profile = profiles.active?.id ?? '';
    const [ordered, waiting] = [queue.orderedBy(profile), queue.waitingBy(profile)];
    return { perMinute: settings.get('images.perMinute'), ordered, waiting, now: Date.now() };
  }

  placeOf(tile: string): TilePlace | undefined {
    return placeOf(tile, this.runs.all, (id) => this.jobOf(id));
  }

  page(): ImagesPage {
    const { models, settings } = this.services;
    const { state } = models;
    const failed = failedRequests(this.runs, this.services);
    const failedCount = failed.reduce((sum, { items }) => sum + items.length, 0);
    const runs = this.shownRuns(failed);
    const isSignedIn = state.session !== 'signedOut';
    const latest = this.runs.all[0];
    const refused = latest && refusedField(latest, (id) => this.jobOf(id));
    return {
      models: modelsForJob('image', state.models, state.pins).map(({ id }) => id),
      preferred: chooseModel('image', state) ?? '',
      modelsAreLoading: state.session === 'starting' || (state.loading && state.models.length === 0),
      ...(state.error !== undefined && state.models.length === 0 && { modelsTrouble: describe(state.error) }),
      isSignedIn,
      form: this.form,
      filled: this.filled,
      inputs: this.inputs.of(this.form),
      notices: this.notices,
      ...(refused && { refused }),
      runs: runs.map((run) =>
        runView(run, {
          jobOf: (id) => this.jobOf(id),
          asset: (path) => this.assets.get(path),
          costs: this.services.costs,
          uriOf: this.uriOf,
          sendingNote: this.sendingNoteOf(run.items[0]?.request.model ?? ''),
          waitOf: (one) => this.runs.queue.waitOf(one),
          isElsewhere: this.runs.isElsewhere(run.id),
          now: Date.now(),
        }),
      ),
      ...(failedCount > 0 && { failed: l10n.t('Failed: {0}', numberText(failedCount, vscode.env.language)) }),
      hasOlder: runs.length < this.runs.all.length,
      ...(this.wanted && { wanted: this.wanted }),
      pace: paceText(settings.get('images.perMinute')),
      costs: lastCosts(this.services.costs, 'image'),
    };
  }

  dispose(): void {
    this.store.dispose();
  }

  private async keep(): Promise<void> {
    const { form, filled } = this;
    await this.services.context.workspaceState.update(formKey, { form, filled });
  }

  private shownRuns(failed: ReturnType<typeof failedRequests>) {
    let count = 0;
    const isBelow = ({ id, items }: ImageRun) =>
      id !== this.wanted?.run && failed.some((one) => one.id === id && one.items.length === items.length);
    const inOrder = this.runs.all.toSorted((a, b) => Number(isBelow(a)) - Number(isBelow(b)));
    const runs = inOrder.filter(({ id, items }) => {
      const isShown = count < this.shown || id === this.wanted?.run;
      count += items.length;
      return isShown;
    });
    const paths = runs.flatMap(({ items }) =>
      items.flatMap((item) => pathsOf(item, item.jobId === undefined ? undefined : this.jobOf(item.jobId))),
    );
    this.assets.want(paths.filter((path) => path !== undefined));
    return runs;
  }

  private sendingNoteOf(model: string): string {
    const wait = this.waits.get(model);
    return wait && wait.until > Date.now() ? sendingNote(wait) : '';
  }

  private jobOf(id: string) {
    return this.services.media.jobs.find((job) => job.id === id);
  }
}

function paceText(perMinute: number): string {
  if (perMinute === 0) return l10n.t('No limit per minute');
  return l10n.t('At most {0} per minute', numberText(perMinute, vscode.env.language));
}

/** Describes why a request in flight is delayed, and until when. */
function sendingNote(wait: GateWait): string {
  const time = dateFormat(vscode.env.language, { timeStyle: 'medium' }).format(wait.until);
  return l10n.t('{0}. It goes on at {1}.', waitTitle(wait), time);
}

/** Returns the form field whose value the service refused in a run, if its response says which. */
function refusedField(
  { items }: ImageRun,
  jobOf: (id: string) => MediaJob | undefined,
): ImagesPage['refused'] | undefined {
  for (const { jobId, request, state } of items) {
    // For a request that is being retried, this is not known yet.
    const job = jobId === undefined || state !== 'ordered' ? undefined : jobOf(jobId);
    const error = job?.stage === 'refused' ? job.trouble?.error : undefined;
    if (error?.kind !== 'badRequest') continue;
    const field = refusedImageParameter({ parameter: error.parameter, message: error.message }, request);
    if (field !== undefined) return { field, text: l10n.t('The service refused this value.') };
  }
  return undefined;
}
