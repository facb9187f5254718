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
import type { PresetActions } from '../../components/presetBar';
import type { Host } from '../../host';
import { PageSession } from '../pageSession';
import { FormSync } from '../typedForm';

/** Reads a saved draft. Version 0.1.0 saved the numbers next to the lists. */
function toDraft(saved: CompletionDraft): CompletionDraft {
  if (!('form' in saved)) return saved;
  const { stop, logit_bias, numbers, ...beside } = saved.form;
  return { form: { numbers: numbers ?? beside, stop, logit_bias } };
}

/** The user's input, and the host's view of it. */
export class CompletionSession extends PageSession<CompletionScreen> implements PresetActions {
  readonly view = signal<CompletionView | undefined>(undefined);
  readonly tab = signal<CompletionTab>('form');
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
  private isUnsent = false;
  private readonly typedModel = signal<string | undefined>(undefined);
  /** Empty for automatic. */
  readonly model = computed(() => this.typedModel.value ?? this.view.value?.model ?? '');

  private readonly draftSync = new FormSync<CompletionDraft | undefined, CompletionView | undefined>(this.draft, {
    ask: (draft) => this.sendDraft(draft),
    onAnswer: (view) => {
      if (!view) return;
      this.isUnsent = false;
      this.save();
    },
    fail: (error) => this.fail(error),
  });
  private readonly modelSync = new FormSync<string | undefined, void>(this.typedModel, {
    ask: (model) => this.sendModel(model),
    onAnswer: () => (this.typedModel.value = undefined),
    fail: (error) => this.fail(error),
  });

  constructor(host: Host<CompletionScreen>, say: (text: string) => void) {
    super(host, say);
    const saved = host.load();
    if (!saved) return;
    this.tab.value = saved.tab;
    this.draft.value = saved.draft && toDraft(saved.draft);
    this.isUnsent = saved.draft !== undefined;
  }

  async start(): Promise<void> {
    this.take(await this.ask('completion/ready', {}));
    // Typed before a reload, and possibly never sent.
    if (this.draft.peek()) void this.draftSync.send();
  }

  /** Shows the host's new state. What was just typed stays, unless the values changed elsewhere. */
  show(view: CompletionView): void {
    const isOther = this.view.peek()?.text !== view.text;
    batch(() => {
      if (isOther && !this.isUnsent) this.draft.value = undefined;
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
    this.modelSync.sendSoon();
  }

  async loadModels(): Promise<void> {
    this.models.value = (await this.ask('completion/models', {}))?.models ?? [];
  }

  savePreset(name: string): Promise<boolean> {
    return this.change(() => this.ask('completion/savePreset', { name }));
  }

  applyPreset(id: string): Promise<boolean> {
    return this.change(() => this.ask('completion/applyPreset', { id }), true);
  }

  renamePreset(id: string, name: string): Promise<boolean> {
    return this.change(() => this.ask('completion/renamePreset', { id, name }));
  }

  deletePreset(id: string): Promise<boolean> {
    return this.change(() => this.ask('completion/deletePreset', { id }));
  }

  async dropText(): Promise<void> {
    await this.change(() => this.ask('completion/dropText', {}), true);
  }

  async sendAgain(name: string): Promise<void> {
    await this.change(() => this.ask('completion/sendAgain', { name }));
  }

  async run(way: CompletionWay): Promise<void> {
    await this.settle();
    await this.ask('completion/run', { way });
  }

  private type(draft: CompletionDraft): void {
    this.draft.value = draft;
    this.isUnsent = true;
    this.save();
    this.draftSync.sendSoon();
  }

  private async sendDraft(draft: CompletionDraft | undefined): Promise<CompletionView | undefined> {
    if (!draft) return undefined;
    const view = await ('form' in draft
      ? this.ask('completion/setForm', { form: draft.form })
      : this.ask('completion/setText', { text: draft.text }));
    this.take(view);
    return view;
  }

  private async sendModel(model: string | undefined): Promise<void> {
    if (model === undefined) return;
    await this.draftSync.settled();
    this.take(await this.ask('completion/setModel', { model }));
  }

  /** Resolves once the host has received everything that was typed. */
  private async settle(): Promise<void> {
    await this.draftSync.settled();
    await this.modelSync.settled();
  }

  private async change(work: () => Promise<CompletionView | undefined>, isNewForm = false): Promise<boolean> {
    await this.settle();
    const view = await work();
    if (!view) return false;
    batch(() => {
      if (isNewForm) this.draft.value = undefined;
      this.view.value = view;
    });
    return true;
  }

  private take(view: CompletionView | undefined): void {
    if (view) this.view.value = view;
  }

  private save(): void {
    const draft = this.draft.peek();
    this.host.save({ tab: this.tab.peek(), ...(draft && this.isUnsent && { draft }) });
  }
}
