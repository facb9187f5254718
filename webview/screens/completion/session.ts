import { batch, computed, signal } from '@preact/signals';
import type {
  CompletionDraft,
  CompletionForm,
  CompletionModel,
  CompletionScreen,
  CompletionTab,
  CompletionView,
  CompletionWay,
} from '../../../src/protocol/completion';
import type { WireError } from '../../../src/protocol/wire';
import type { PresetActions } from '../../components/presetBar';
import type { Host } from '../../host';
import { attempt } from '../pageErrors';

/** Debounce of edits sent to the host. */
const hostDelayMs = 250;

/** Reads a saved draft. Version 0.1.0 saved the numbers beside the lists. */
function toDraft(saved: CompletionDraft): CompletionDraft {
  if (!('form' in saved)) return saved;
  const { stop, logit_bias, numbers, ...beside } = saved.form;
  return { form: { numbers: numbers ?? beside, stop, logit_bias } };
}

/** What the user typed, and the host's view of it. */
export class CompletionSession implements PresetActions {
  readonly view = signal<CompletionView | undefined>(undefined);
  readonly tab = signal<CompletionTab>('form');
  readonly trouble = signal<WireError | undefined>(undefined);
  /** `undefined` until the models are loaded. */
  readonly models = signal<readonly CompletionModel[] | undefined>(undefined);
  /** The draft as typed. Shown instead of the host's values until those are known to be newer. */
  private readonly draft = signal<CompletionDraft | undefined>(undefined);
  readonly form = computed(() => {
    const draft = this.draft.value;
    return draft && 'form' in draft ? draft.form : this.view.value?.form;
  });
  readonly text = computed(() => {
    const draft = this.draft.value;
    return draft && 'text' in draft ? draft.text : (this.view.value?.text ?? '');
  });

  /** Whether the host does not have the whole draft yet. */
  private isUntold = false;
  private readonly typedModel = signal<string | undefined>(undefined);
  /** Empty for automatic. */
  readonly model = computed(() => this.typedModel.value ?? this.view.value?.model ?? '');

  private modelTimer: ReturnType<typeof setTimeout> | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private telling: Promise<unknown> = Promise.resolve();

  /** `say` announces a text to screen readers. */
  constructor(
    private readonly host: Host<CompletionScreen>,
    readonly say: (text: string) => void,
  ) {
    const kept = host.load();
    if (!kept) return;
    this.tab.value = kept.tab;
    this.draft.value = kept.draft && toDraft(kept.draft);
    this.isUntold = kept.draft !== undefined;
  }

  async start(): Promise<void> {
    await this.attempt(this.host.call('completion/ready', {}));
    // Typed before a reload, and possibly never sent.
    if (this.draft.peek()) this.tell();
  }

  /** Shows the host's new state. What was just typed stays, unless the values changed elsewhere. */
  show(view: CompletionView): void {
    const isOther = this.view.peek()?.text !== view.text;
    batch(() => {
      if (isOther && !this.isUntold) this.draft.value = undefined;
      this.view.value = view;
    });
  }

  choose(tab: CompletionTab): void {
    this.tab.value = tab;
    this.save();
    void this.settle();
  }

  edit(change: Partial<CompletionForm>): void {
    const before = this.form.peek();
    if (before) this.type({ form: { ...before, ...change } });
  }

  editNumber(name: string, typed: string): void {
    this.edit({ numbers: { ...this.form.peek()?.numbers, [name]: typed } });
  }

  write(text: string): void {
    this.type({ text });
  }

  setModel(model: string): void {
    this.typedModel.value = model;
    clearTimeout(this.modelTimer);
    this.modelTimer = setTimeout(() => this.tellModel(), hostDelayMs);
  }

  async loadModels(): Promise<void> {
    this.models.value = (await this.guarded(this.host.call('completion/models', {})))?.models ?? [];
  }

  savePreset(name: string): Promise<boolean> {
    return this.change(() => this.host.call('completion/savePreset', { name }));
  }

  applyPreset(id: string): Promise<boolean> {
    return this.change(() => this.host.call('completion/applyPreset', { id }), true);
  }

  renamePreset(id: string, name: string): Promise<boolean> {
    return this.change(() => this.host.call('completion/renamePreset', { id, name }));
  }

  deletePreset(id: string): Promise<boolean> {
    return this.change(() => this.host.call('completion/deletePreset', { id }));
  }

  async dropText(): Promise<void> {
    await this.change(() => this.host.call('completion/dropText', {}), true);
  }

  async sendAgain(name: string): Promise<void> {
    await this.change(() => this.host.call('completion/sendAgain', { name }));
  }

  async run(way: CompletionWay): Promise<void> {
    await this.settle();
    await this.guarded(this.host.call('completion/run', { way }));
  }

  async act(id: string): Promise<void> {
    await this.guarded(this.host.call('completion/act', { id }));
  }

  private type(draft: CompletionDraft): void {
    this.draft.value = draft;
    this.isUntold = true;
    this.save();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.tell(), hostDelayMs);
  }

  private tell(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const draft = this.draft.peek();
    if (draft) this.telling = this.tellDraft(draft);
  }

  private tellModel(): void {
    clearTimeout(this.modelTimer);
    this.modelTimer = undefined;
    const model = this.typedModel.peek();
    if (model === undefined) return;
    const before = this.telling;
    this.telling = before.then(async () => {
      const answer = await this.guarded(this.host.call('completion/setModel', { model }));
      batch(() => {
        if (answer) this.view.value = answer;
        if (this.typedModel.peek() === model) this.typedModel.value = undefined;
      });
    });
  }

  private async tellDraft(draft: CompletionDraft): Promise<void> {
    const answer = await this.guarded(
      'form' in draft
        ? this.host.call('completion/setForm', { form: draft.form })
        : this.host.call('completion/setText', { text: draft.text }),
    );
    if (!answer) return;
    this.view.value = answer;
    if (this.draft.peek() !== draft) return;
    this.isUntold = false;
    this.save();
  }

  /** Resolves once the host has received everything that was typed. */
  private async settle(): Promise<void> {
    if (this.timer !== undefined) this.tell();
    if (this.modelTimer !== undefined) this.tellModel();
    await this.telling;
  }

  private async change(work: () => Promise<CompletionView>, isNewForm = false): Promise<boolean> {
    await this.settle();
    const answer = await this.guarded(work());
    if (!answer) return false;
    batch(() => {
      if (isNewForm) this.draft.value = undefined;
      this.view.value = answer;
    });
    return true;
  }

  private async attempt(work: Promise<CompletionView>): Promise<void> {
    const answer = await this.guarded(work);
    if (answer) this.view.value = answer;
  }

  private guarded<Result>(work: Promise<Result>): Promise<Result | undefined> {
    return attempt(() => work, { trouble: this.trouble, say: this.say });
  }

  private save(): void {
    const draft = this.draft.peek();
    this.host.save({ tab: this.tab.peek(), ...(draft && this.isUntold && { draft }) });
  }
}
