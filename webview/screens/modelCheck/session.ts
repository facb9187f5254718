import { pageList } from '../../components/pageLanguage';
import { signal } from '@preact/signals';
import { HostError } from '../../../src/protocol/caller';
import type { CheckedRow, ModelCheckScreen, ModelCheckView } from '../../../src/protocol/modelCheck';
import type { Host } from '../../host';

/** The page's state, and its calls to the host. */
export class CheckSession {
  readonly view = signal<ModelCheckView | undefined>(undefined);
  readonly problem = signal<ModelCheckView['error']>(undefined);

  /** `say` announces a text to screen readers. */
  constructor(
    private readonly host: Host<ModelCheckScreen>,
    private readonly say: (text: string) => void,
  ) {
    host.on('modelCheck/changed', (view) => this.show(view));
  }

  async start(): Promise<void> {
    await this.calling(async () => this.show(await this.host.call('modelCheck/ready', {})));
  }

  /** Starts a check, or stops the one that is running. */
  toggle(): void {
    const method = this.view.peek()?.stage === 'checking' ? 'modelCheck/stop' : 'modelCheck/check';
    void this.calling(() => this.host.call(method, {}));
  }

  showRequest({ id, hasRequest }: CheckedRow): void {
    if (hasRequest) void this.calling(() => this.host.call('modelCheck/showRequest', { id }));
  }

  copyOption({ id, option }: CheckedRow): void {
    if (option !== undefined) void this.calling(() => this.host.call('modelCheck/copyOption', { id }));
  }

  copy(what: 'copyOptions' | 'copyReport'): void {
    void this.calling(() => this.host.call(`modelCheck/${what}`, {}));
  }

  /** Runs an action of the error that is shown. */
  act(action: string): void {
    void this.calling(() => this.host.call('modelCheck/act', { action }));
  }

  edit(): void {
    void this.calling(() => this.host.call('modelCheck/edit', {}));
  }

  private show(view: ModelCheckView): void {
    const isEnd = this.view.peek()?.stage === 'checking' && view.stage !== 'checking';
    this.view.value = view;
    this.host.save({ pageId: view.pageId });
    if (isEnd) this.say(pageList(view.facts));
  }

  private async calling(call: () => Promise<unknown>): Promise<void> {
    this.problem.value = undefined;
    try {
      await call();
    } catch (error) {
      if (error instanceof HostError && error.error.kind !== 'cancelled') this.problem.value = error.error;
    }
  }
}
