import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { l10n } from 'vscode';
import { audioTypeOf } from '../../core/api/transcriptions/audioType';
import { speakingSeconds } from '../../core/audio/speakingTime';
import type { VoiceRequest } from '../../core/api/voices/voices.schema';
import { runCommand } from '../../platform/contributions';
import { reasonText } from '../../platform/errors/fileErrorMessages';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import { createTranscribing } from '../../services/voices/transcribing';
import type { Transcribing } from '../../services/voices/transcribing';
import { voiceNotesOf } from '../../services/voices/voiceNotes';
import { voiceBounds } from '../../protocol/mediaBounds';
import type { VoiceUploadForm, VoiceUploadRequest } from '../../protocol/voiceUpload';
import type { Services } from '../../services/services';
import type { SavedPage } from './pageMemory';
import { otherAccount, invalidRequest } from './refusals';
import { SampleController } from './sampleController';
import type { SampleSource } from './sampleController';
import type { SampleStore } from './sampleStore';
import { Sending } from './sending';

export interface SessionOptions {
  readonly services: Services;
  readonly store: SampleStore;
  readonly onChange: () => void;
  /** Saves the state of the page across reloads. */
  readonly remember: (page: SavedPage) => Promise<void>;
}

/** The state of an upload page, and its actions. */
export class UploadSession implements Disposable {
  readonly controller: SampleController;
  readonly sending: Sending;
  /** Continues while the page is hidden. */
  readonly listening: Transcribing;
  /** A transcript of the sample, until the page has used it. */
  heard: SavedPage['heard'];
  /** Why the note could not be saved. */
  noteTrouble: string | undefined;
  private readonly disposables = new DisposableStore();
  private sent: SavedPage['sent'];

  constructor(private readonly options: SessionOptions) {
    const { services, store, onChange } = options;
    this.controller = new SampleController(store, onChange);
    this.sending = new Sending({
      onChange,
      remember: async (sent) => {
        this.sent = sent;
        await this.keep();
      },
    });
    this.listening = this.disposables.add(
      createTranscribing({
        openService: async () => (await services.connections.client()).transcriptions,
        activity: services.activity,
        label: () => l10n.t('Transcribing'),
        onChange,
        onHeard: async ({ text }) => {
          const words = text.trim().slice(0, voiceBounds.text);
          this.heard = words === '' ? undefined : { id: randomUUID(), text: words };
          await this.keep();
        },
      }),
    );
    this.disposables.add(services.profiles.onDidChange(onChange));
    this.disposables.add(services.models.onDidChange(onChange));
  }

  /** Estimated time to speak the text, in seconds. */
  get textSeconds(): number {
    return speakingSeconds(this.controller.text);
  }

  /** Shows a sample. Does nothing during an upload, whose sample must not be replaced. */
  async show(source: SampleSource, { sent, heard }: Pick<SavedPage, 'sent' | 'heard'> = {}): Promise<void> {
    if (this.sending.state.kind === 'sending') return;
    this.sent = sent ?? this.sent;
    if (!this.isShown(source)) {
      // A transcript of another recording is of no use for this one.
      this.listening.stop();
      this.heard = heard;
    }
    this.sending.clear();
    await this.controller.read(source);
    await this.keep();
    if (sent) await this.sending.lookFor(sent, this.voices);
  }

  /** Throws `UserError` if the voice cannot be sent as it is. Resolves once the upload has started. */
  async send({ form, profileId, evenIfNamed }: VoiceUploadRequest): Promise<void> {
    const { profiles, activity, log } = this.options.services;
    if (profiles.active?.id !== profileId) throw otherAccount();
    await this.controller.write(form);
    const voice = { name: form.name.trim(), text: form.text.trim(), model: form.model.trim(), profileId };
    if (!this.isFit(voice)) throw invalidRequest();
    const working = activity.start(l10n.t('Uploading a voice'));
    void this.sending
      .send({ voice, evenIfNamed, sample: async () => this.sampleOf(form), voices: this.voices })
      .then(() => this.onSent(form))
      .catch((error: unknown) => log.error('What became of a voice could not be kept.', error))
      .finally(() => working.dispose());
  }

  async lookNow(): Promise<void> {
    await this.sending.lookFor(undefined, this.voices);
    await this.refreshList();
  }

  /** Starts to transcribe the sample; only the user or a change of the sample stops it. */
  listen(model: string): void {
    const { state } = this.controller;
    if (state.kind !== 'ready') return;
    const { facts, kept, name } = state.sample;
    void this.listening.transcribe(facts.format === 'pcm' ? kept.playPath : kept.path, model, name);
  }

  async forgetHeard(id: string): Promise<void> {
    if (this.heard?.id !== id) return;
    this.heard = undefined;
    await this.keep();
  }

  private isShown(source: SampleSource): boolean {
    return !('bytes' in source) && source.path !== undefined && source.path === this.controller.path;
  }

  /** Aborts an upload in flight. */
  dispose(): void {
    this.sending.stop();
    this.disposables.dispose();
  }

  private readonly voices = async (profileId: string) =>
    (await this.options.services.connections.client(profileId)).voices;

  private isFit({
    name,
    text,
    model,
  }: {
    readonly name: string;
    readonly text: string;
    readonly model: string;
  }): boolean {
    if (this.controller.state.kind !== 'ready' || this.controller.findings.some(({ severity }) => severity === 'error'))
      return false;
    if (name === '' || name.includes(':') || Array.from(name).length > voiceBounds.name) return false;
    return text !== '' && text.length <= voiceBounds.text && model !== '' && model.length <= voiceBounds.model;
  }

  private async sampleOf({ way }: VoiceUploadForm): Promise<VoiceRequest['sample']> {
    const { state } = this.controller;
    if (state.kind !== 'ready') throw invalidRequest();
    const { path } = state.sample.kept;
    if (way === 'file') return { path };
    const bytes = await readFile(path);
    return { audio: `data:${audioTypeOf(path)};base64,${bytes.toString('base64')}` };
  }

  private async onSent({ note, isAllowed }: VoiceUploadForm): Promise<void> {
    const { state } = this.sending;
    if (state.kind !== 'created') return;
    // With the path of the recording, the page of the voice can play it.
    const { path: sample } = this.controller;
    if (note.trim() !== '' || isAllowed || sample !== undefined) {
      const notes = voiceNotesOf(this.options.services.context, this.options.services.log);
      const written = { text: note.trim(), isAllowed, ...(sample !== undefined && { sample }) };
      await notes.write(state.uri, written).catch((error: unknown) => {
        this.noteTrouble = reasonText(error);
        this.options.onChange();
      });
    }
    await this.refreshList();
  }

  private async refreshList(): Promise<void> {
    await runCommand('inferenceDesk.voices.refresh');
  }

  private async keep(): Promise<void> {
    const { name, path, keptId } = this.controller;
    await this.options.remember({ name, path, sampleId: keptId, heard: this.heard, sent: this.sent });
  }
}
