import { isApiError } from '../../../core/api/errors';
import type { SpeechRequest } from '../../../core/api/speech/speech.schema';
import type { Voice } from '../../../core/api/voices/voices.schema';
import { chooseModel } from '../../../core/catalogue/jobs';
import { toBuiltInVoice } from '../../../core/voices/builtInVoices';
import type { BuiltInVoice } from '../../../core/voices/builtInVoices';
import { formOfRequest, readSpeechForm, refusedField } from '../../../core/voices/speechForm';
import type { SpeechField } from '../../../core/voices/speechForm';
import { isSameSpeech, isSpeechAsset, takesOf } from '../../../core/voices/takes';
import type { SpeechAsset } from '../../../core/voices/takes';
import type { VoiceNote } from '../../../core/voices/voiceNotes';
import type { Asset } from '../../../services/media/media';
import { DisposableStore } from '../../../platform/disposables';
import type { Disposable } from '../../../platform/disposables';
import type { RemoteList } from '../../../services/lists/remoteList';
import type { VoiceForm, VoiceNoteText } from '../../../protocol/voice';
import type { Services } from '../../../services/services';
import type { NotedVoices } from '../notedVoices';
import type { Playable, PlayableFiles } from './playableFiles';
import type { Speaking } from './speaking';
import { refusalText } from './speechWords';
import type { Transcribing } from '../../../services/voices/transcribing';
import type { VoiceMemory } from './voiceMemory';
import type { VoiceWorkOptions, VoiceWorks } from './voiceWorks';

export interface ShownTake extends Playable {
  readonly id: string;
  readonly asset: SpeechAsset;
}

export interface VoiceSessionOptions {
  readonly services: Services;
  readonly works: VoiceWorks;
  readonly list: RemoteList<Voice>;
  readonly notes: NotedVoices;
  readonly files: PlayableFiles;
  readonly memory: VoiceMemory;
  readonly uri: string;
  readonly labels: VoiceWorkOptions['labels'];
  readonly onChange: () => void;
}

/** A field value that the service refused, as it was sent. */
interface FieldRefusal {
  readonly field: SpeechField;
  readonly value: VoiceForm[SpeechField];
  readonly text: string;
}

/** The state of a voice's page. Requests continue after it is disposed. */
export class VoiceSession implements Disposable {
  readonly uri: string;
  readonly builtIn: BuiltInVoice | undefined;
  readonly speaking: Speaking;
  readonly transcribing: Transcribing;
  readonly memory: VoiceMemory;
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
  /** The existing take that equals the submitted form; nothing was sent. */
  repeated: ShownTake | undefined;
  private readonly store = new DisposableStore();
  /** The last request, if it came from a take and not from the form. */
  private again: SpeechRequest | undefined;
  private readingTakes: Promise<void> = Promise.resolve();

  constructor(private readonly options: VoiceSessionOptions) {
    const { uri, memory, services, works, list, labels, onChange } = options;
    const { media } = services;
    this.uri = uri;
    this.memory = memory;
    this.builtIn = toBuiltInVoice(uri);
    this.form = memory.form;
    const work = works.of({ uri, memory, labels });
    this.speaking = work.speaking;
    this.transcribing = work.transcribing;
    this.store.add(work.watch(onChange));
    this.store.add(list.onDidChange(onChange));
    this.store.add(services.models.onDidChange(onChange));
    this.store.add(media.assets.onDidChange(() => void this.readTakes()));
    this.store.add(options.notes.onDidChange(() => void this.readNote()));
  }

  /** The voice style as listed; `undefined` for a built-in voice, or if it is not in the list. */
  get voice(): Voice | undefined {
    return this.options.list.state.items.find(({ uri }) => uri === this.uri);
  }

  get list() {
    return this.options.list.state;
  }

  /** The model to use while the form names none. */
  get defaultModel(): string {
    const known = this.builtIn?.model ?? this.voice?.model;
    return known ?? chooseModel('voice', this.options.services.models.state) ?? '';
  }

  /** Resolves when local data is read. Also refreshes models and voices from the service, and reports changes as they arrive. */
  async start(): Promise<void> {
    void this.options.services.models.ensureFresh();
    if (!this.builtIn) void this.options.list.ensureFresh();
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
    if (this.repeated) this.options.onChange();
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
    this.options.onChange();
  }

  async writeNote({ text, isAllowed }: VoiceNoteText): Promise<void> {
    const { sample } = this.note ?? {};
    await this.options.notes.write(this.uri, { text, isAllowed, ...(sample !== undefined && { sample }) });
    // The response must contain the new note: the page continues editing from it.
    await this.readNote();
  }

  async forgetTranscript(): Promise<void> {
    await this.memory.write({ transcript: undefined });
    this.options.onChange();
  }

  take(id: string): ShownTake | undefined {
    return this.takes.find((take) => take.id === id);
  }

  dispose(): void {
    this.store.dispose();
  }

  private async send(request: Parameters<Speaking['speak']>[0]): Promise<void> {
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

  private refusalOf(error: unknown, request: Parameters<Speaking['speak']>[0]): FieldRefusal | undefined {
    if (!isApiError(error) || error.kind !== 'badRequest') return undefined;
    const field = refusedField({ parameter: error.details.parameter, message: error.message }, request);
    return field && { field, value: this.form[field], text: refusalText() };
  }

  private async readNote(): Promise<void> {
    const { notes, files, services } = this.options;
    if (this.builtIn) return;
    try {
      this.note = await notes.read(this.uri);
      this.samplePath = this.note?.sample === undefined ? undefined : await files.ofSample(this.note.sample);
      await files.tidySamples(await notes.samples());
    } catch (error) {
      services.log.warn(`The note on a voice could not be read: ${String(error)}`);
    }
    this.options.onChange();
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
      this.options.onChange();
    });
    return this.readingTakes;
  }

  private async readTakesNow(): Promise<void> {
    const { files, services } = this.options;
    const assets = await services.media.assets.list();
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
