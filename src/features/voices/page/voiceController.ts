import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isApiError } from '../../../core/api/errors';
import type { SpeechRequest } from '../../../core/api/speech/speech.schema';
import { chooseModel } from '../../../core/catalogue/jobs';
import { foreign } from '../../../core/text/foreignText';
import { toBuiltInVoice, type BuiltInVoice } from '../../../core/voices/builtInVoices';
import { formOfRequest, readSpeechForm, refusedField, type SpeechField } from '../../../core/voices/speechForm';
import { isSameSpeech, isSpeechAsset, takesOf, type SpeechAsset } from '../../../core/voices/takes';
import type { VoiceNote } from '../../../core/voices/voiceNotes';
import { runCommand } from '../../../platform/contributions';
import { DisposableStore, type Disposable } from '../../../platform/disposables';
import { runAction } from '../../../platform/errors/reportError';
import { UserError } from '../../../platform/errors/userError';
import { panelIcon } from '../../../platform/panelIcon';
import { throttle } from '../../../platform/throttle';
import { showScreen, type ScreenOptions } from '../../../platform/webview/webviewHost';
import { insertAtCursor } from '../../../platform/workspace/insertAtCursor';
import {
  voiceCalls,
  type VoiceForm,
  type VoiceNoteText,
  type TakeStep,
  type TranscriptStep,
  type VoiceStep,
} from '../../../protocol/voice';
import type { Asset } from '../../../services/media/media';
import type { Services } from '../../../services/services';
import type { PriceBook } from '../../../services/usage/prices';
import { createPlayableFiles, playingFolder, type Playable, type PlayableFiles } from '../logic/playableFiles';
import { recordingEndings } from '../recording';
import { refusalText, keepAgain, speakAgain } from './speechWords';
import type { VoicePanels, VoiceWork } from './voicePanels';
import { nameOfVoice, viewVoice, lookAgain } from './voiceView';

/** Throttle for bursts of changes, such as the bytes of a response. */
const gatherMs = 100;
/** Elapsed time is shown in seconds. */
const tickMs = 1000;

export interface ShownTake extends Playable {
  readonly id: string;
  readonly asset: SpeechAsset;
}

/** A field value that the service refused, as it was sent. */
interface FieldRefusal {
  readonly field: SpeechField;
  readonly value: VoiceForm[SpeechField];
  readonly text: string;
}

/** The page of a voice. Requests continue after it is disposed. */
export class VoiceController implements Disposable {
  readonly services: Services;
  readonly builtIn: BuiltInVoice | undefined;
  readonly memory: VoiceWork['memory'];
  readonly speaking: VoiceWork['speaking'];
  readonly transcribing: VoiceWork['transcribing'];
  form: VoiceForm;
  formRevision = 0;
  refusal: FieldRefusal | undefined;
  note: VoiceNote | undefined;
  /** Path of a playable copy of the recording. */
  samplePath: string | undefined;
  takes: readonly ShownTake[] = [];
  takesError: unknown;
  /** Id of the take created last. */
  newTake: string | undefined;
  /** The existing clip that matches the submitted form, for which no request was sent. */
  repeated: ShownTake | undefined;
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new vscode.EventEmitter<void>());
  private readonly files: PlayableFiles;
  /** The last request, if it came from a take and not from the form. */
  private again: SpeechRequest | undefined;
  private readingTakes: Promise<void> = Promise.resolve();
  private knownPrices: PriceBook | undefined;

  constructor(
    readonly panels: VoicePanels,
    readonly uri: string,
  ) {
    const { services, list, notes } = panels.styles;
    this.services = services;
    this.files = createPlayableFiles(playingFolder(services.context));
    this.builtIn = toBuiltInVoice(uri);
    const work = panels.workOf(uri, () => l10n.t('Generating speech with {0}', nameOfVoice(this)));
    this.memory = work.memory;
    this.form = work.memory.form;
    this.speaking = work.speaking;
    this.transcribing = work.transcribing;
    const onChange = () => this.changed.fire();
    this.store.add(work.watch(onChange));
    this.store.add(list.onDidChange(onChange));
    this.store.add(services.models.onDidChange(onChange));
    this.store.add(services.connections.onDidChangeOffers(onChange));
    this.store.add(services.models.follow());
    if (!this.builtIn) {
      this.store.add(list.follow());
      // The service's features might have been checked again.
      this.store.add(services.connections.onDidChange(() => void list.ensureFresh()));
    }
    this.store.add(services.media.onDidChangeAssets(() => void this.readTakes()));
    this.store.add(notes.onDidChange(() => void this.readNote()));
  }

  /** Draws the page in a tab and keeps it up to date. */
  show(panel: vscode.WebviewPanel): void {
    const { context, media, costs, log } = this.services;
    const srcOf = (path: string) => panel.webview.asWebviewUri(vscode.Uri.file(path)).toString();
    const folders = () => [...media.roots(), vscode.Uri.file(this.files.folder)];
    panel.iconPath = panelIcon(context.extensionUri, 'voice');
    panel.title = foreign(nameOfVoice(this));
    const host = this.store.add(
      showScreen({
        screen: 'voice',
        title: panel.title,
        webview: panel.webview,
        extensionUri: context.extensionUri,
        handlers: this.handlers(srcOf),
        calls: voiceCalls,
        log,
        folders: folders(),
      }),
    );
    const changes = this.store.add(
      throttle(gatherMs, () => {
        panel.title = foreign(nameOfVoice(this));
        // The media folder may have changed since the page was opened.
        host.showFolders(folders());
        if (panel.visible) host.tell('voice/changed', viewVoice(this, srcOf));
      }),
    );
    const ticking = setInterval(() => this.speaking.running && changes.soon(), tickMs);
    this.store.add({ dispose: () => clearInterval(ticking) });
    this.store.add(this.changed.event(changes.soon));
    this.store.add(costs.onDidChange(changes.soon));
    this.store.add(panel.onDidChangeViewState(() => (panel.visible ? changes.soon() : host.forgetPage())));
    this.readPrices().catch((error: unknown) => log.error('Prices could not be read.', error));
    this.start().catch((error: unknown) => log.error('A voice page could not be loaded.', error));
  }

  /** `undefined` until they are read. */
  get prices(): PriceBook | undefined {
    return this.knownPrices;
  }

  private async readPrices(): Promise<void> {
    this.knownPrices = await (await this.services.usage()).readyPrices();
    this.changed.fire();
  }

  /** Handlers of the page. Long-running work is only started here; events report its progress. */
  handlers(srcOf: (path: string) => string): ScreenOptions<'voice'>['handlers'] {
    const view = () => viewVoice(this, srcOf);
    const begin = (work: Promise<unknown>) => {
      work.catch(this.services.report);
      return view();
    };
    const after = async (work: void | Promise<unknown>) => {
      await work;
      return view();
    };
    return {
      'voice/ready': async () => view(),
      'voice/form': ({ form }) => after(this.setForm(form)),
      'voice/note': (note) => after(this.writeNote(note)),
      'voice/speak': async ({ form }) => begin(this.speak(form)),
      'voice/stop': () => after(this.speaking.stop()),
      'voice/take': async ({ id, step }) => {
        const take = this.take(id);
        if (!take) throw goneTake();
        return { message: await doWithTake(this, step, take) };
      },
      'voice/transcribe': async ({ model, take }) => {
        const recording = take === undefined ? await chooseRecording() : recordingOf(this.take(take));
        return recording ? begin(this.transcribing.transcribe(recording.path, model, recording.name)) : view();
      },
      'voice/stopTranscribing': () => after(this.transcribing.stop()),
      'voice/transcript': async ({ step }) => ({ message: await doWithTranscript(this, step) }),
      'voice/do': async ({ step }) => ({ message: await doWithVoice(this, step) }),
      'voice/act': async ({ id }) => {
        await act(this, id);
        return {};
      },
    };
  }

  /** The voice style as listed; `undefined` for a built-in voice, or if it is not in the list. */
  get voice() {
    return this.panels.styles.list.state.items.find(({ uri }) => uri === this.uri);
  }

  get list() {
    return this.panels.styles.list.state;
  }

  /** The model to use while the form names none. */
  get defaultModel(): string {
    const known = this.builtIn?.model ?? this.voice?.model;
    return known ?? chooseModel('voice', this.services.models.state) ?? '';
  }

  /** Resolves when local data is read. */
  async start(): Promise<void> {
    await Promise.all([this.readNote(), this.readTakes()]);
  }

  async setForm(form: VoiceForm): Promise<void> {
    if (JSON.stringify(form) !== JSON.stringify(this.form)) this.repeated = undefined;
    this.form = form;
    if (this.refusal && form[this.refusal.field] !== this.refusal.value) this.refusal = undefined;
    await this.memory.write({ form });
  }

  read(form = this.form) {
    return readSpeechForm({ ...form, model: form.model.trim() || this.defaultModel }, this.uri);
  }

  /** Speaks the form. If an equal take exists, only sets `repeated`; `isMeant` speaks it again. */
  async speak(form: VoiceForm, { isMeant = false } = {}): Promise<void> {
    this.again = undefined;
    await this.setForm(form);
    const { request } = this.read();
    if (!request) return;
    await this.readingTakes;
    this.repeated = isMeant ? undefined : this.takes.find(({ asset }) => isSameSpeech(asset.recipe.request, request));
    if (this.repeated) this.changed.fire();
    else await this.send(request);
  }

  /** Sends the last request again. */
  async retry(): Promise<void> {
    await (this.again ? this.send(this.again) : this.speak(this.form, { isMeant: true }));
  }

  async speakAgain({ recipe: { request } }: SpeechAsset): Promise<void> {
    this.again = request;
    await this.send(request);
  }

  /** Fills the form with the text and settings of a take. */
  async use({ recipe: { request } }: SpeechAsset): Promise<void> {
    this.formRevision++;
    await this.setForm(formOfRequest(request));
    this.changed.fire();
  }

  async writeNote({ text, isAllowed }: VoiceNoteText): Promise<void> {
    const { sample } = this.note ?? {};
    await this.panels.styles.notes.write(this.uri, { text, isAllowed, ...(sample !== undefined && { sample }) });
    // The response must contain the new note: the page continues editing from it.
    await this.readNote();
  }

  async forgetTranscript(): Promise<void> {
    await this.memory.write({ transcript: undefined });
    this.changed.fire();
  }

  take(id: string): ShownTake | undefined {
    return this.takes.find((take) => take.id === id);
  }

  dispose(): void {
    this.store.dispose();
  }

  private async send(request: SpeechRequest): Promise<void> {
    const { speaking } = this;
    this.repeated = undefined;
    this.refusal = undefined;
    this.newTake = undefined;
    await speaking.speak(request);
    const { outcome } = speaking;
    if (outcome?.kind === 'kept') this.newTake = idOf(outcome.asset);
    if (outcome?.kind === 'failed') this.refusal = this.refusalOf(outcome.error, outcome.request);
    await this.readTakes();
  }

  private refusalOf(error: unknown, request: SpeechRequest): FieldRefusal | undefined {
    if (!isApiError(error) || error.kind !== 'badRequest') return undefined;
    const field = refusedField({ parameter: error.details.parameter, message: error.message }, request);
    return field && { field, value: this.form[field], text: refusalText() };
  }

  private async readNote(): Promise<void> {
    const { files } = this;
    const { notes } = this.panels.styles;
    if (this.builtIn) return;
    try {
      this.note = await notes.read(this.uri);
      this.samplePath = this.note?.sample === undefined ? undefined : await files.ofSample(this.note.sample);
      await files.tidySamples(await notes.samples());
    } catch (error) {
      this.services.log.warn(`The note on a voice could not be read: ${String(error)}`);
    }
    this.changed.fire();
  }

  /** Reads one after the other, so that the last one wins. */
  private readTakes(): Promise<void> {
    this.readingTakes = this.readingTakes.then(async () => {
      try {
        await this.readTakesNow();
        this.takesError = undefined;
      } catch (error) {
        this.takesError = error;
      }
      this.changed.fire();
    });
    return this.readingTakes;
  }

  private async readTakesNow(): Promise<void> {
    const { files } = this;
    const assets = await (await this.services.media()).assets.list();
    this.takes = await Promise.all(
      takesOf(assets, this.uri).map(async (asset) => {
        // List an unreadable take all the same: its recipe can still be used.
        const playable = await files.ofTake(asset).catch(() => ({ path: '', seconds: undefined }));
        return { ...playable, asset, id: idOf(asset) };
      }),
    );
    await files.tidy(assets.filter(isSpeechAsset));
  }
}

/** File names are derived from the content: two files with the same name are the same. */
function idOf({ recipe: { file, createdAt } }: Asset): string {
  return `${createdAt} ${file.name}`;
}

/** Returns the error for a clip that is no longer listed. */
function goneTake(): UserError {
  return new UserError(l10n.t('This clip no longer exists'), l10n.t('The file has been moved or deleted.'));
}

function recordingOf(take: ShownTake | undefined) {
  if (!take) throw goneTake();
  return { path: take.path, name: take.asset.recipe.file.name };
}

async function chooseRecording(): Promise<{ readonly path: string; readonly name?: string } | undefined> {
  const [uri] =
    (await vscode.window.showOpenDialog({
      title: l10n.t('Transcribe'),
      openLabel: l10n.t('Transcribe'),
      filters: { [l10n.t('Recordings')]: recordingEndings, [l10n.t('All Files')]: ['*'] },
    })) ?? [];
  return uri && { path: uri.fsPath };
}

/** Returns a message for the user, or an empty text if the effect is visible. */
async function doWithTake(controller: VoiceController, step: TakeStep, take: ShownTake): Promise<string> {
  const { asset } = take;
  switch (step) {
    case 'use':
      await controller.use(asset);
      return l10n.t('Copied the text and settings to the form.');
    case 'again':
      // The command first asks where to send it if the take was generated at another service.
      runCommand('inferenceDesk.media.regenerate', asset.path).catch(controller.services.report);
      return '';
    case 'recipe':
      await runCommand('inferenceDesk.media.showRecipe', asset.path);
      return '';
    case 'insert':
    case 'saveAs':
    case 'reveal':
    case 'openOutside':
    case 'remove':
      await runCommand(`inferenceDesk.media.${step}`, asset.path);
      return '';
  }
}

/** The same for the transcript. */
async function doWithTranscript(controller: VoiceController, step: TranscriptStep): Promise<string> {
  const { transcript } = controller.memory;
  if (!transcript) return '';
  switch (step) {
    case 'copy':
      await vscode.env.clipboard.writeText(transcript.text);
      return l10n.t('Copied the transcript.');
    case 'insert':
      await insertAtCursor(transcript.text, await controller.panels.lastEditor.reveal());
      return l10n.t('Inserted the transcript.');
    case 'open':
      await (await controller.services.contents()).show(`${transcript.name}.txt`, transcript.text);
      return '';
    case 'dismiss':
      await controller.forgetTranscript();
      return '';
  }
}

/** The same for the voice. */
async function doWithVoice({ uri, panels }: VoiceController, step: VoiceStep): Promise<string> {
  switch (step) {
    case 'copyUri':
      await vscode.env.clipboard.writeText(uri);
      return l10n.t('Copied the URI.');
    case 'insertUri':
      await insertAtCursor(uri, await panels.lastEditor.reveal());
      return l10n.t('Inserted the URI.');
    case 'delete':
      await runCommand('inferenceDesk.voices.delete', uri);
      return '';
    case 'other':
      await runCommand('inferenceDesk.voices.open');
      return '';
  }
}

/** Runs an action of a notice. Unknown ids do nothing: the page is not trusted. */
async function act(controller: VoiceController, id: string): Promise<void> {
  const { services, speaking, transcribing, panels } = controller;
  const { request } = transcribing;
  if (id === 'retry') controller.retry().catch(services.report);
  else if (id === speakAgain) controller.speak(controller.form, { isMeant: true }).catch(services.report);
  else if (id === keepAgain) await speaking.keepAgain();
  else if (id === lookAgain) await panels.styles.refresh();
  else if (id === 'transcribeAgain') {
    if (request) void transcribing.transcribe(request.path, request.model, request.name);
  } else await runAction(id);
}
