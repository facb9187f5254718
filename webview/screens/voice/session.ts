import { batch, signal } from '@preact/signals';
import { emptyVoiceForm } from '../../../src/protocol/voiceForm';
import type {
  TakeStep,
  TranscriptStep,
  VoiceForm,
  VoiceNoteText,
  VoiceScreen,
  VoiceStep,
  VoiceView,
} from '../../../src/protocol/voice';
import type { OpenMenu } from '../../components/menu';
import type { Host } from '../../host';
import { PageSession } from '../pageSession';
import { FormSync } from '../typedForm';
import { titled } from '../../../src/protocol/sentences';

/** The user's input, and the host's view of it. */
export class VoiceSession extends PageSession<VoiceScreen> {
  readonly view = signal<VoiceView | undefined>(undefined);
  readonly form = signal<VoiceForm>(emptyVoiceForm);
  /** The note as typed, until the host has it. */
  readonly note = signal<VoiceNoteText | undefined>(undefined);
  /** Ids of the clips to compare; at most two. */
  readonly chosen = signal<readonly string[]>([]);
  readonly transcriptionModel = signal<string | undefined>(undefined);
  private readonly formSync;
  private readonly noteSync;
  /** Whether the host does not have the form as typed yet. */
  private isFormUnsent = false;

  constructor(
    host: Host<VoiceScreen>,
    say: (text: string) => void,
    readonly openMenu: OpenMenu,
  ) {
    super(host, say);
    this.formSync = new FormSync(this.form, {
      ask: (form) => {
        this.error.value = undefined;
        return host.call('voice/form', { form });
      },
      onAnswer: (view) => {
        this.isFormUnsent = false;
        this.show(view);
      },
      fail: (error) => this.fail(error),
    });
    this.noteSync = new FormSync(this.note, {
      ask: async (note) => {
        this.error.value = undefined;
        return note && host.call('voice/note', note);
      },
      onAnswer: (view) => {
        this.note.value = undefined;
        if (view) this.show(view);
      },
      fail: (error) => this.fail(error),
    });
    const saved = host.load();
    if (!saved) return;
    this.form.value = saved.form;
    this.isFormUnsent = true;
    this.note.value = saved.note ?? undefined;
    this.chosen.value = saved.chosen;
  }

  async start(): Promise<void> {
    await this.take(this.ask('voice/ready', {}));
    // Typed before a reload, and possibly never sent.
    if (this.isFormUnsent) void this.formSync.send();
    if (this.note.peek()) void this.noteSync.send();
  }

  /** Shows the host's new state. What was typed stays, unless the host itself changed the form. */
  show(view: VoiceView): void {
    const before = this.view.peek();
    const isOther = before !== undefined && before.formRevision !== view.formRevision;
    batch(() => {
      if (isOther || (!before && !this.isFormUnsent)) this.form.value = view.form;
      this.view.value = view;
      const ids = new Set(view.takes.map(({ id }) => id));
      if (before && this.chosen.peek().some((id) => !ids.has(id)))
        this.chosen.value = this.chosen.peek().filter((id) => ids.has(id));
    });
    this.announce(before, view);
    this.save();
  }

  edit(change: Partial<VoiceForm>): void {
    this.form.value = { ...this.form.peek(), ...change };
    this.isFormUnsent = true;
    this.save();
    this.formSync.sendSoon();
  }

  writeNote(change: Partial<VoiceNoteText>): void {
    const { text = '', isAllowed = false } = this.note.peek() ?? this.view.peek()?.note ?? {};
    this.note.value = { text, isAllowed, ...change };
    this.save();
    this.noteSync.sendSoon();
  }

  choose(id: string, isChosen: boolean): void {
    const others = this.chosen.peek().filter((one) => one !== id);
    this.chosen.value = isChosen ? [...others, id].slice(-2) : others;
    this.save();
  }

  chooseNone(): void {
    this.chosen.value = [];
    this.save();
  }

  async speak(): Promise<void> {
    this.formSync.cancel();
    this.isFormUnsent = false;
    await this.take(this.ask('voice/speak', { form: this.form.peek() }));
  }

  stop(): void {
    void this.take(this.ask('voice/stop', {}));
  }

  doWithTake(id: string, step: TakeStep): void {
    void this.hear(this.ask('voice/take', { id, step }));
  }

  transcribe(take?: string): void {
    const model = this.transcriptionModel.peek() ?? this.view.peek()?.transcriptionModel ?? '';
    void this.take(this.ask('voice/transcribe', { model, take }));
  }

  stopTranscribing(): void {
    void this.take(this.ask('voice/stopTranscribing', {}));
  }

  doWithTranscript(step: TranscriptStep): void {
    void this.hear(this.ask('voice/transcript', { step }));
  }

  do(step: VoiceStep): void {
    void this.hear(this.ask('voice/do', { step }));
  }

  private async take(answer: Promise<VoiceView | undefined>): Promise<void> {
    const view = await answer;
    if (view) this.show(view);
  }

  private async hear(answer: Promise<{ readonly message: string } | undefined>): Promise<void> {
    const message = (await answer)?.message;
    if (message !== undefined) this.say(message);
  }

  private announce(before: VoiceView | undefined, view: VoiceView): void {
    if (!before) return;
    const { outcome, transcriptError, transcript } = view;
    if (outcome && outcome.title !== before.outcome?.title) this.say(titled(outcome.title, outcome.detail));
    if (transcriptError && transcriptError.title !== before.transcriptError?.title)
      this.say(titled(transcriptError.title, transcriptError.detail));
    if (transcript && transcript.text !== before.transcript?.text) this.say(transcript.text);
  }

  private save(): void {
    const uri = this.view.peek()?.uri ?? this.host.load()?.uri;
    if (uri === undefined) return;
    this.host.save({ uri, form: this.form.peek(), note: this.note.peek() ?? null, chosen: this.chosen.peek() });
  }
}

export interface VoiceProps {
  readonly session: VoiceSession;
  readonly view: VoiceView;
}
