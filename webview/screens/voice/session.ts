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
import type { WireError } from '../../../src/protocol/wire';
import type { OpenMenu } from '../../components/menu';
import type { Host } from '../../host';
import { attempt } from '../pageErrors';
import { titled } from '../../../src/protocol/sentences';

/** Debounce of edits sent to the host. */
const hostDelayMs = 250;

/** What the user typed and chose, and the host's view of it. */
export class VoiceSession {
  readonly view = signal<VoiceView | undefined>(undefined);
  readonly trouble = signal<WireError | undefined>(undefined);
  readonly form = signal<VoiceForm>(emptyVoiceForm);
  /** The note as typed, until the host has it. */
  readonly note = signal<VoiceNoteText | undefined>(undefined);
  /** Ids of the clips to compare; at most two. */
  readonly chosen = signal<readonly string[]>([]);
  readonly transcriptionModel = signal<string | undefined>(undefined);
  private isFormUntold = false;
  private formTimer: ReturnType<typeof setTimeout> | undefined;
  private noteTimer: ReturnType<typeof setTimeout> | undefined;

  /** `say` announces a text to screen readers. */
  constructor(
    private readonly host: Host<VoiceScreen>,
    private readonly say: (text: string) => void,
    readonly openMenu: OpenMenu,
  ) {
    const kept = host.load();
    if (!kept) return;
    this.form.value = kept.form;
    this.isFormUntold = true;
    this.note.value = kept.note ?? undefined;
    this.chosen.value = kept.chosen;
  }

  async start(): Promise<void> {
    await this.take(this.host.call('voice/ready', {}));
    // Typed before a reload, and possibly never sent.
    if (this.isFormUntold) this.tellForm();
    if (this.note.peek()) this.tellNote();
  }

  /** Shows the host's new state. What was typed stays, unless the host itself changed the form. */
  show(view: VoiceView): void {
    const before = this.view.peek();
    const isOther = before !== undefined && before.formRevision !== view.formRevision;
    batch(() => {
      if (isOther || (!before && !this.isFormUntold)) this.form.value = view.form;
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
    this.isFormUntold = true;
    this.save();
    clearTimeout(this.formTimer);
    this.formTimer = setTimeout(() => this.tellForm(), hostDelayMs);
  }

  writeNote(change: Partial<VoiceNoteText>): void {
    const { text = '', isAllowed = false } = this.note.peek() ?? this.view.peek()?.note ?? {};
    this.note.value = { text, isAllowed, ...change };
    this.save();
    clearTimeout(this.noteTimer);
    this.noteTimer = setTimeout(() => this.tellNote(), hostDelayMs);
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
    clearTimeout(this.formTimer);
    this.isFormUntold = false;
    await this.take(this.host.call('voice/speak', { form: this.form.peek() }));
  }

  stop(): void {
    void this.take(this.host.call('voice/stop', {}));
  }

  doWithTake(id: string, step: TakeStep): void {
    void this.hear(this.host.call('voice/take', { id, step }));
  }

  transcribe(take?: string): void {
    const model = this.transcriptionModel.peek() ?? this.view.peek()?.transcriptionModel ?? '';
    void this.take(this.host.call('voice/transcribe', { model, take }));
  }

  stopTranscribing(): void {
    void this.take(this.host.call('voice/stopTranscribing', {}));
  }

  doWithTranscript(step: TranscriptStep): void {
    void this.hear(this.host.call('voice/transcript', { step }));
  }

  do(step: VoiceStep): void {
    void this.hear(this.host.call('voice/do', { step }));
  }

  act(id: string): void {
    void this.guarded(this.host.call('voice/act', { id }));
  }

  private tellForm(): void {
    const form = this.form.peek();
    const told = async () => {
      const view = await this.guarded(this.host.call('voice/form', { form }));
      if (!view) return;
      if (this.form.peek() === form) this.isFormUntold = false;
      this.show(view);
    };
    void told();
  }

  private tellNote(): void {
    const note = this.note.peek();
    if (!note) return;
    const told = async () => {
      const view = await this.guarded(this.host.call('voice/note', note));
      if (!view) return;
      if (this.note.peek() === note) this.note.value = undefined;
      this.show(view);
    };
    void told();
  }

  private async take(work: Promise<VoiceView>): Promise<void> {
    const view = await this.guarded(work);
    if (view) this.show(view);
  }

  private async hear(work: Promise<{ readonly said: string }>): Promise<void> {
    const answer = await this.guarded(work);
    if (answer) this.say(answer.said);
  }

  private guarded<Result>(work: Promise<Result>): Promise<Result | undefined> {
    return attempt(() => work, { trouble: this.trouble, say: this.say });
  }

  private announce(before: VoiceView | undefined, view: VoiceView): void {
    if (!before) return;
    const { said, transcriptTrouble, transcript } = view;
    if (said && said.title !== before.said?.title) this.say(titled(said.title, said.detail));
    if (transcriptTrouble && transcriptTrouble.title !== before.transcriptTrouble?.title)
      this.say(titled(transcriptTrouble.title, transcriptTrouble.detail));
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
