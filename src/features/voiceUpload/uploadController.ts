import * as l10n from '@vscode/l10n';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { audioTypeOf } from '../../core/api/transcriptions/audioType';
import { foreign } from '../../core/text/foreignText';
import { runCommand } from '../../platform/contributions';
import { DisposableStore, type Disposable } from '../../platform/disposables';
import { reasonText } from '../../platform/errors/fileErrorMessages';
import { panelIcon } from '../../platform/panelIcon';
import { showScreen } from '../../platform/webview/webviewHost';
import { done, type Handlers } from '../../protocol/call';
import { voiceBounds } from '../../protocol/mediaBounds';
import {
  mostDrawnBytes,
  voiceUploadCalls,
  type VoiceUploadForm,
  type VoiceUploadRequest,
  type VoiceUploadScreen,
  type VoiceUploadView,
} from '../../protocol/voiceUpload';
import type { Services } from '../../services/services';
import { createTranscribing, type Transcribing } from '../../services/voices/transcribing';
import { voiceNotesOf } from '../../services/voices/voiceNotes';
import { invalidRequest, noConsent, otherAccount } from './logic/refusals';
import { SampleController, type SampleSource } from './logic/sampleController';
import { Sending } from './logic/sending';
import { act, chooseOther, droppedPath } from './uploadActions';
import type { SavedPage, UploadPanels } from './uploadPanels';
import { offeredModels, titleOf, viewUpload } from './uploadView';

/** The page that reviews a recording and uploads it. */
export class UploadController implements Disposable {
  readonly services: Services;
  readonly sample: SampleController;
  readonly sending: Sending;
  /** Continues while the page is hidden. */
  readonly listening: Transcribing;
  /** A transcript of the sample, until the page has used it. */
  heard: SavedPage['heard'];
  /** Why the note could not be saved. */
  noteError: string | undefined;
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new vscode.EventEmitter<void>());
  private sent: SavedPage['sent'];
  private isOpen = true;

  constructor(
    readonly panels: UploadPanels,
    readonly pageId: string,
  ) {
    const { services } = panels;
    this.services = services;
    const onChange = () => this.changed.fire();
    this.sample = new SampleController(panels.store, onChange);
    this.sending = new Sending(onChange, async (sent) => {
      this.sent = sent;
      await this.keep();
    });
    this.listening = this.store.add(
      createTranscribing({
        services,
        onChange,
        onHeard: async ({ text }) => {
          const words = text.trim().slice(0, voiceBounds.text);
          this.heard = words === '' ? undefined : { id: randomUUID(), text: words };
          await this.keep();
        },
      }),
    );
    this.store.add(services.profiles.onDidChange(onChange));
    this.store.add(services.models.onDidChange(onChange));
  }

  /** Draws the page in a tab and keeps it up to date. */
  show(panel: vscode.WebviewPanel): void {
    const { context, log, models } = this.services;
    panel.iconPath = panelIcon(context.extensionUri, 'submit');
    const view = () => viewUpload(this, (file) => panel.webview.asWebviewUri(vscode.Uri.file(file)).toString());
    const host = this.store.add(
      showScreen({
        screen: 'voiceUpload',
        title: l10n.t('Upload Voice Sample'),
        webview: panel.webview,
        extensionUri: context.extensionUri,
        handlers: this.handlers(view),
        calls: voiceUploadCalls,
        log,
        folders: [vscode.Uri.file(this.panels.store.folder)],
      }),
    );
    this.store.add(
      this.changed.event(() => {
        panel.title = foreign(titleOf(this));
        host.tell('voiceUpload/changed', view());
      }),
    );
    this.store.add(panel.onDidChangeViewState(() => !panel.visible && host.forgetPage()));
    this.store.add(models.follow());
  }

  private handlers(view: () => VoiceUploadView): Handlers<VoiceUploadScreen> {
    return {
      'voiceUpload/ready': async () => view(),
      'voiceUpload/form': async ({ form }) => done(this.sample.write(form)),
      'voiceUpload/sound': async () => {
        const sound = await this.sample.sound();
        const isSmall = sound !== undefined && sound.length <= mostDrawnBytes;
        return { base64: isSmall ? Buffer.from(sound).toString('base64') : '' };
      },
      'voiceUpload/levels': async ({ soundId, levels }) => done(this.sample.measure(soundId, levels)),
      'voiceUpload/choose': async () => done(chooseOther(this)),
      'voiceUpload/readAgain': async () => {
        const { path } = this.sample;
        return done(path === undefined ? undefined : this.load({ path }));
      },
      'voiceUpload/drop': async (dropped) =>
        done(
          this.load(
            'uri' in dropped
              ? { path: droppedPath(dropped.uri) }
              : { name: dropped.name, bytes: Buffer.from(dropped.base64, 'base64') },
          ),
        ),
      'voiceUpload/models': async () => ({ models: await offeredModels(this.services.models) }),
      'voiceUpload/transcribe': async ({ model }) => done(this.listen(model)),
      'voiceUpload/stopTranscribing': async () => done(this.listening.stop()),
      'voiceUpload/tookHeard': async ({ id }) => done(this.forgetHeard(id)),
      'voiceUpload/send': async (request) => done(this.send(request)),
      'voiceUpload/stop': async () => done(this.sending.stop()),
      'voiceUpload/act': async ({ id }) => done(act(this, id)),
    };
  }

  /** Shows a sample. Does nothing during an upload, whose sample must not be replaced. */
  async load(source: SampleSource, { sent, heard }: Partial<SavedPage> = {}): Promise<void> {
    if (this.sending.state.kind === 'sending') return;
    this.sent = sent ?? this.sent;
    if (!this.isShown(source)) {
      // A transcript of another recording is of no use for this one.
      this.listening.stop();
      this.heard = heard;
    }
    this.sending.clear();
    await this.sample.read(source);
    await this.keep();
    if (sent) await this.sending.lookFor(sent, this.voices);
  }

  /** Throws `UserError` if the voice cannot be sent as it is. Resolves once the upload has started. */
  async send({ form, profileId, evenIfNamed }: VoiceUploadRequest): Promise<void> {
    const { account, activity, log } = this.services;
    if (account.current.id !== profileId) throw otherAccount();
    await this.sample.write(form);
    const voice = { name: form.name.trim(), text: form.text.trim(), model: form.model.trim(), profileId };
    if (!this.isFit(voice)) throw invalidRequest();
    if (form.note.trim() === '' || !form.isAllowed) throw noConsent();
    const working = activity.start(l10n.t('Uploading a voice'));
    void this.sending
      .send({ voice, evenIfNamed, sample: async () => this.sampleOf(form), voices: this.voices })
      .then(() => this.onSent(form))
      .catch((error: unknown) => log.error('The state of a voice could not be saved.', error))
      .finally(() => working.dispose());
  }

  async lookNow(): Promise<void> {
    await this.sending.lookFor(undefined, this.voices);
    await this.refreshList();
  }

  /** Starts to transcribe the sample; only the user or a change of the sample stops it. */
  listen(model: string): void {
    const { state } = this.sample;
    if (state.kind !== 'ready') return;
    const { facts, saved, name } = state.sample;
    void this.listening.transcribe(facts.format === 'pcm' ? saved.playPath : saved.path, model, name);
  }

  async forgetHeard(id: string): Promise<void> {
    if (this.heard?.id !== id) return;
    this.heard = undefined;
    await this.keep();
  }

  private isShown(source: SampleSource): boolean {
    return !('bytes' in source) && source.path !== undefined && source.path === this.sample.path;
  }

  /** Aborts an upload in flight. */
  dispose(): void {
    this.isOpen = false;
    this.sending.stop();
    this.store.dispose();
  }

  private readonly voices = async (profileId: string) => (await this.services.connections.client(profileId)).voices;

  private isFit({
    name,
    text,
    model,
  }: {
    readonly name: string;
    readonly text: string;
    readonly model: string;
  }): boolean {
    if (this.sample.state.kind !== 'ready' || this.sample.findings.some(({ severity }) => severity === 'error'))
      return false;
    if (name === '' || name.includes(':') || Array.from(name).length > voiceBounds.name) return false;
    return text !== '' && text.length <= voiceBounds.text && model !== '' && model.length <= voiceBounds.model;
  }

  private async sampleOf({ way }: VoiceUploadForm) {
    const { state } = this.sample;
    if (state.kind !== 'ready') throw invalidRequest();
    const { path } = state.sample.saved;
    if (way === 'file') return { path };
    const bytes = await readFile(path);
    return { audio: `data:${audioTypeOf(path)};base64,${bytes.toString('base64')}` };
  }

  private async onSent({ note, isAllowed }: VoiceUploadForm): Promise<void> {
    const { state } = this.sending;
    if (state.kind !== 'created') return;
    // With the path of the recording, the page of the voice can play it.
    const { path: sample } = this.sample;
    const notes = voiceNotesOf(this.services.context, this.services.log);
    const written = { text: note.trim(), isAllowed, ...(sample !== undefined && { sample }) };
    await notes.write(state.uri, written).catch((error: unknown) => {
      this.noteError = reasonText(error);
      this.changed.fire();
    });
    await this.refreshList();
  }

  private async refreshList(): Promise<void> {
    await runCommand('inferenceDesk.voices.refresh');
  }

  private async keep(): Promise<void> {
    const { name, path, savedId } = this.sample;
    // The memory of a closed tab is deleted; that of a closed window stays as it was last.
    if (!this.isOpen) return;
    await this.panels.memory.write(this.pageId, { name, path, sampleId: savedId, heard: this.heard, sent: this.sent });
  }
}
