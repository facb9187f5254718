import * as l10n from '@vscode/l10n';
import { batch, computed, signal } from '@preact/signals';
import type {
  VoiceUploadForm,
  VoiceUploadModel,
  VoiceUploadScreen,
  VoiceUploadView,
} from '../../../src/protocol/voiceUpload';
import type { WireError } from '../../../src/protocol/wire';
import type { Host } from '../../host';
import { attempt } from '../pageErrors';
import { formOf, obstacleOf, toRequest } from './form';
import { Player } from './player';
import { SoundLoader } from './soundLoader';
import { titled } from '../../../src/protocol/sentences';

/** Debounce of edits sent to the host. */
const quietMs = 250;

/** What the user entered, and the host's view of the recording and the voice. */
export class UploadSession {
  readonly view = signal<VoiceUploadView | undefined>(undefined);
  readonly written = signal<Partial<VoiceUploadForm>>({});
  /** The error of the last call. */
  readonly trouble = signal<WireError | undefined>(undefined);
  /** `undefined` until the models are loaded. */
  readonly models = signal<readonly VoiceUploadModel[] | undefined>(undefined);
  readonly form = computed(() => formOf(this.written.value, this.view.value));
  readonly obstacle = computed(() => this.view.value && obstacleOf(this.form.value, this.view.value));
  readonly player = new Player();
  readonly sound: SoundLoader;
  readonly proposal: Proposal;
  private timer: number | undefined;

  /** `say` announces a text to screen readers. */
  constructor(
    private readonly host: Host<VoiceUploadScreen>,
    private readonly say: (text: string) => void,
  ) {
    this.written.value = host.load()?.form ?? {};
    this.sound = new SoundLoader(
      {
        fetch: async () => (await host.call('voiceUpload/sound', {})).base64,
        onLevels: (soundId, levels) =>
          void this.attempt(async () => void (await host.call('voiceUpload/levels', { soundId, levels }))),
      },
      this.player,
    );
    this.proposal = new Proposal({
      text: () => this.form.peek().text,
      write: (text) => this.change({ text }),
      onTaken: (id) => {
        say(l10n.t('This is what the model heard. Correct it where it misheard.'));
        void this.attempt(async () => void (await host.call('voiceUpload/tookHeard', { id })));
      },
    });
  }

  async start(): Promise<void> {
    await this.attempt(async () => {
      this.show(await this.host.call('voiceUpload/ready', {}));
      await this.tellForm();
    });
  }

  /** Shows the host's new state. */
  show(view: VoiceUploadView): void {
    const before = this.view.peek();
    this.view.value = view;
    this.save();
    void this.sound.show(view.sample);
    const { hearing, progress, outcome, trouble } = view;
    if (hearing?.kind === 'heard') this.proposal.take(hearing);
    if (hearing?.kind === 'failed' && before?.hearing?.kind !== 'failed')
      this.say(titled(hearing.trouble.title, hearing.trouble.detail));
    if (trouble && trouble.title !== before?.trouble?.title) this.say(titled(trouble.title, trouble.detail));
    if (progress && !before?.progress) this.say(progress.text);
    if (outcome && outcome.title !== before?.outcome?.title) this.say(titled(outcome.title, outcome.detail));
  }

  change(part: Partial<VoiceUploadForm>): void {
    batch(() => {
      this.written.value = { ...this.written.peek(), ...part };
      this.trouble.value = undefined;
    });
    this.save();
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.attempt(() => this.tellForm()), quietMs);
  }

  async send(evenIfNamed = false): Promise<void> {
    const view = this.view.peek();
    const order = view && toRequest(this.form.peek(), view, evenIfNamed);
    if (!order || view.progress) return;
    clearTimeout(this.timer);
    await this.attempt(async () => void (await this.host.call('voiceUpload/send', order)));
  }

  async listen(model: string): Promise<void> {
    await this.attempt(async () => void (await this.host.call('voiceUpload/transcribe', { model })));
  }

  /** Runs an action without parameters. */
  async ask(name: 'choose' | 'readAgain' | 'stop' | 'stopTranscribing'): Promise<void> {
    await this.attempt(async () => void (await this.host.call(`voiceUpload/${name}`, {})));
  }

  async drop(dropped: { readonly uri: string } | { readonly name: string; readonly base64: string }): Promise<void> {
    await this.attempt(async () => void (await this.host.call('voiceUpload/drop', dropped)));
  }

  async act(id: string): Promise<void> {
    if (id === 'retry') return this.send();
    if (id === 'sendAnyway') return this.send(true);
    if (id === 'another') this.begin();
    return this.attempt(async () => void (await this.host.call('voiceUpload/act', { id })));
  }

  /** Clears the form, because another voice has another transcript and name. */
  private begin(): void {
    const { model, way } = this.form.peek();
    this.written.value = { model, way };
    this.change({});
  }

  async loadModels(): Promise<void> {
    await this.attempt(async () => {
      this.models.value = (await this.host.call('voiceUpload/models', {})).models;
    });
  }

  private async tellForm(): Promise<void> {
    await this.host.call('voiceUpload/form', { form: this.form.peek() });
  }

  private save(): void {
    const pageId = this.view.peek()?.pageId;
    if (pageId !== undefined) this.host.save({ pageId, form: this.written.peek() });
  }

  private async attempt(work: () => Promise<void>): Promise<void> {
    await attempt(work, { trouble: this.trouble, say: this.say });
  }
}

interface ProposalParts {
  readonly text: () => string;
  /** Must save the text before it returns. */
  readonly write: (text: string) => void;
  readonly onTaken: (id: string) => void;
}

/** A transcript by a model, which replaces the typed text until that is undone. */
class Proposal {
  /** The text before; `undefined` if there is nothing to undo. */
  readonly before = signal<string | undefined>(undefined);
  private proposed = '';
  private taken = '';

  constructor(private readonly parts: ProposalParts) {}

  /** Applies a transcript, unless it was applied before. */
  take({ id, text }: { readonly id: string; readonly text: string }): void {
    if (id === this.taken) return;
    this.taken = id;
    batch(() => {
      this.before.value = this.parts.text();
      this.proposed = text;
      this.parts.write(text);
    });
    this.parts.onTaken(id);
  }

  /** Whether the transcript can be undone: not any more once the user has edited it. */
  isShown(text: string): boolean {
    return this.before.value !== undefined && text === this.proposed;
  }

  undo(): void {
    const { value } = this.before;
    this.before.value = undefined;
    if (value !== undefined) this.parts.write(value);
  }
}
