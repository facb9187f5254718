import { signal } from '@preact/signals';
import type { EvalResultsScreen, EvalView } from '../../../src/protocol/evalResults';
import type { Host } from '../../host';
import { PageSession } from '../pageSession';

const usual = { reference: '', candidate: '' };

/** The page's state, and its calls to the host. */
export class EvalSession extends PageSession<EvalResultsScreen> {
  readonly view = signal<EvalView | undefined>(undefined);
  private compared: { readonly reference: string; readonly candidate: string };

  constructor(host: Host<EvalResultsScreen>, say: (text: string) => void) {
    super(host, say);
    const { reference, candidate } = { ...usual, ...host.load() };
    this.compared = { reference, candidate };
    host.on('eval/changed', (view) => this.show(view));
  }

  async load(): Promise<void> {
    await this.attempt(
      async () => this.show(await this.host.call('eval/load', this.compared)),
      () => this.load(),
    );
  }

  /** Compares other variants. */
  async compare(part: { readonly reference?: string; readonly candidate?: string }): Promise<void> {
    this.compared = { ...this.compared, ...part };
    await this.load();
  }

  act(action: string): void {
    const { candidate = '' } = this.view.peek() ?? {};
    if (action === 'accept') this.accept(candidate);
    else void this.ask('eval/act', { action });
  }

  accept(variant: string): void {
    void this.ask('eval/accept', { variant });
  }

  private show(view: EvalView): void {
    const before = this.view.peek();
    this.view.value = view;
    const { pageId, reference, candidate } = view;
    this.compared = { reference, candidate };
    this.host.save({ pageId, reference, candidate });
    if (before && before.sentence !== view.sentence) this.say(view.sentence);
  }
}
