import { batch, computed, signal } from '@preact/signals';
import type { BatchSubmitScreen, SubmitForm, SubmitModel, SubmitView } from '../../../src/protocol/batchSubmit';
import type { Host } from '../../host';
import { PageSession } from '../pageSession';
import { emptyForm, obstacleOf, toRequest } from './form';
import { titled } from '../../../src/protocol/sentences';

/** The user's form, and the host's view of the file and the batch. */
export class SubmitSession extends PageSession<BatchSubmitScreen> {
  readonly view = signal<SubmitView | undefined>(undefined);
  readonly form = signal<SubmitForm>(emptyForm);
  /** `undefined` until the models are loaded. */
  readonly models = signal<readonly SubmitModel[] | undefined>(undefined);
  readonly obstacle = computed(() => this.view.value && obstacleOf(this.form.value, this.view.value));

  private isSaved = false;

  constructor(host: Host<BatchSubmitScreen>, say: (text: string) => void) {
    super(host, say);
    const saved = host.load();
    if (!saved) return;
    this.isSaved = true;
    this.form.value = { ...emptyForm, ...saved.form };
  }

  async start(): Promise<void> {
    await this.attempt(async () => this.show(await this.host.call('submit/ready', {})));
  }

  /** Shows the host's new state. */
  show(view: SubmitView): void {
    const before = this.view.peek();
    batch(() => {
      this.view.value = view;
      if (!this.isSaved) {
        const { suggestedName: name, suggestedModel, bounds, hasFile } = view;
        const model = hasFile || bounds.replacementModels.includes(suggestedModel) ? suggestedModel : '';
        this.form.value = { ...this.form.peek(), name, model, hours: String(bounds.hours.usual) };
      }
    });
    this.isSaved = true;
    this.save();
    this.tell(before, view);
  }

  change(part: Partial<SubmitForm>): void {
    batch(() => {
      this.form.value = { ...this.form.peek(), ...part };
      this.error.value = undefined;
    });
    this.save();
  }

  changePair(index: number, part: Partial<SubmitForm['pairs'][number]>): void {
    const { pairs } = this.form.peek();
    this.change({ pairs: pairs.map((pair, at) => (at === index ? { ...pair, ...part } : pair)) });
  }

  addPair(): void {
    this.change({ pairs: [...this.form.peek().pairs, { key: '', value: '' }] });
  }

  removePair(index: number): void {
    this.change({ pairs: this.form.peek().pairs.toSpliced(index, 1) });
  }

  async send(): Promise<void> {
    const view = this.view.peek();
    const request = view && toRequest(this.form.peek(), view);
    if (!request || view.progress) return;
    await this.ask('submit/send', request);
  }

  async act(id: string): Promise<void> {
    if (id === 'retry') return this.send();
    await this.ask('submit/act', { id });
  }

  async loadModels(): Promise<void> {
    await this.attempt(async () => {
      this.models.value = (await this.host.call('submit/models', {})).models;
    });
  }

  /** Announces each change once, in full. */
  private tell(before: SubmitView | undefined, { check, outcome, progress }: SubmitView): void {
    if (check.state === 'done' && before?.check.state !== 'done') this.say(check.text);
    if (progress && !before?.progress) this.say(progress.text);
    if (outcome && outcome.title !== before?.outcome?.title) this.say(titled(outcome.title, outcome.detail));
  }

  private save(): void {
    const submitId = this.view.peek()?.submitId;
    if (submitId !== undefined) this.host.save({ submitId, form: this.form.peek() });
  }
}
