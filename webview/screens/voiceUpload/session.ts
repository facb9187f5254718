import * as l10n from '@vscode/l10n';
import { batch, computed, signal } from '@preact/signals';
import type {
  VoiceUploadForm,
  VoiceUploadModel,
  VoiceUploadScreen,
  VoiceUploadView,
} from '../../../src/protocol/voiceUpload';
import type { Host } from '../../host';
import { PageSession } from '../pageSession';
import { FormSync } from '../typedForm';
import { formOf, obstacleOf, toRequest } from './form';
import { Player, SoundLoader } from './sound';
import { titled } from '../../../src/protocol/sentences';

/** The user's input, and the host's view of the recording and the voice. */
export class UploadSession extends PageSession<VoiceUploadScreen> {
  readonly view = signal<VoiceUploadView | undefined>(undefined);
  readonly written = signal<Partial<VoiceUploadForm>>({});
  /** `undefined` until the models are loaded. */
  readonly models = signal<readonly VoiceUploadModel[] | undefined>(undefined);
  readonly form = computed(() => formOf(this.written.value, this.view.value));
  readonly obstacle = computed(() => this.view.value && obstacleOf(this.form.value, this.view.value));
  readonly player = new Player();
  readonly sound: SoundLoader;
  readonly proposal: Proposal;
  private readonly formSync;

  constructor(host: Host<VoiceUploadScreen>, say: (text: string) => void) {
    super(host, say);
    this.written.value = host.load()?.form ?? {};
    this.formSync = new FormSync(this.form, {
      ask: (form) => host.call('voiceUpload/form', { form }),
      onAnswer: () => undefined,
      fail: (error) => this.fail(error),
    });
    this.sound = new SoundLoader(
      {
        fetch: async () => (await host.call('voiceUpload/sound', {})).base64,
        onLevels: (soundId, levels) => void this.ask('voiceUpload/levels', { soundId, levels }),
      },
      this.player,
    );
    this.proposal = new Proposal(
      () => this.form.peek().text,
      (text) => this.change({ text }),
      (id) => {
        say(l10n.t('Review the transcript and fix any mistakes.'));
        void this.ask('voiceUpload/tookHeard', { id });
      },
    );
  }

  async start(): Promise<void> {
    await this.attempt(async () => {
      this.show(await this.host.call('voiceUpload/ready', {}));
      await this.formSync.send();
    });
  }

  /** Shows the host's new state. */
  show(view: VoiceUploadView): void {
    const before = this.view.peek();
    this.view.value = view;
    this.save();
    void this.sound.show(view.sample);
    const { hearing, progress, outcome, error } = view;
    if (hearing?.kind === 'heard') this.proposal.take(hearing);
    if (hearing?.kind === 'failed' && before?.hearing?.kind !== 'failed')
      this.say(titled(hearing.error.title, hearing.error.detail));
    if (error && error.title !== before?.error?.title) this.say(titled(error.title, error.detail));
    if (progress && !before?.progress) this.say(progress.text);
    if (outcome && outcome.title !== before?.outcome?.title) this.say(titled(outcome.title, outcome.detail));
  }

  change(part: Partial<VoiceUploadForm>): void {
    batch(() => {
      this.written.value = { ...this.written.peek(), ...part };
      this.error.value = undefined;
    });
    this.save();
    this.formSync.sendSoon();
  }

  async send(evenIfNamed = false): Promise<void> {
    const view = this.view.peek();
    const request = view && toRequest(this.form.peek(), view, evenIfNamed);
    if (!request || view.progress) return;
    this.formSync.cancel();
    await this.ask('voiceUpload/send', request);
  }

  async act(id: string): Promise<void> {
    if (id === 'retry') return this.send();
    if (id === 'sendAnyway') return this.send(true);
    if (id === 'another') this.startOver();
    await this.ask('voiceUpload/act', { id });
  }

  /** Clears the form, because another voice has another transcript and name. */
  private startOver(): void {
    const { model, way } = this.form.peek();
    this.written.value = { model, way };
    this.change({});
  }

  async loadModels(): Promise<void> {
    await this.attempt(async () => {
      this.models.value = (await this.host.call('voiceUpload/models', {})).models;
    });
  }

  private save(): void {
    const pageId = this.view.peek()?.pageId;
    if (pageId !== undefined) this.host.save({ pageId, form: this.written.peek() });
  }
}

/** A transcript by a model, which replaces the typed text until that is undone. */
class Proposal {
  /** The text before; `undefined` if there is nothing to undo. */
  readonly before = signal<string | undefined>(undefined);
  private proposed = '';
  private taken = '';

  /** `write` must save the text before it returns. */
  constructor(
    private readonly text: () => string,
    private readonly write: (text: string) => void,
    private readonly onTaken: (id: string) => void,
  ) {}

  /** Applies a transcript, unless it was applied before. */
  take({ id, text }: { readonly id: string; readonly text: string }): void {
    if (id === this.taken) return;
    this.taken = id;
    batch(() => {
      this.before.value = this.text();
      this.proposed = text;
      this.write(text);
    });
    this.onTaken(id);
  }

  /** Whether the transcript can be undone, which isn't possible once the user has edited it. */
  isShown(text: string): boolean {
    return this.before.value !== undefined && text === this.proposed;
  }

  undo(): void {
    const { value } = this.before;
    this.before.value = undefined;
    if (value !== undefined) this.write(value);
  }
}
