import { pageList } from '../../components/pageLanguage';
import { signal } from '@preact/signals';
import type { CheckedRow, ModelCheckScreen, ModelCheckView } from '../../../src/protocol/modelCheck';
import type { Host } from '../../host';
import { PageSession } from '../pageSession';

/** The page's state, and its calls to the host. */
export class CheckSession extends PageSession<ModelCheckScreen> {
  readonly view = signal<ModelCheckView | undefined>(undefined);

  constructor(host: Host<ModelCheckScreen>, say: (text: string) => void) {
    super(host, say);
    host.on('modelCheck/changed', (view) => this.show(view));
  }

  async start(): Promise<void> {
    const view = await this.ask('modelCheck/ready', {});
    if (view) this.show(view);
  }

  /** Starts a check, or stops the one that is running. */
  toggle(): void {
    const method = this.view.peek()?.stage === 'checking' ? 'modelCheck/stop' : 'modelCheck/check';
    void this.ask(method, {});
  }

  showRequest({ id, hasRequest }: CheckedRow): void {
    if (hasRequest) void this.ask('modelCheck/showRequest', { id });
  }

  copyOption({ id, option }: CheckedRow): void {
    if (option !== undefined) void this.ask('modelCheck/copyOption', { id });
  }

  private show(view: ModelCheckView): void {
    const isEnd = this.view.peek()?.stage === 'checking' && view.stage !== 'checking';
    this.view.value = view;
    this.host.save({ pageId: view.pageId });
    if (isEnd) this.say(pageList(view.facts));
  }
}
