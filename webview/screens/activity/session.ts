import { signal } from '@preact/signals';
import type {
  ActivityAction,
  ActivityScreen,
  ActivitySelection,
  ActivityView,
  LimitView,
} from '../../../src/protocol/activity';
import { HostError } from '../../../src/protocol/caller';
import type { Host } from '../../host';

/** How many more rows are listed at a time. */
const stepRows = 300;

/** The page's state, and its calls to the host. */
export class ActivitySession {
  readonly view = signal<ActivityView | undefined>(undefined);
  readonly problem = signal<ActivityView['error']>(undefined);
  private selection: ActivitySelection;

  constructor(private readonly host: Host<ActivityScreen>) {
    this.selection = host.load() ?? { days: 7, by: 'client', account: '' };
    host.on('activity/changed', (view) => (this.view.value = view));
  }

  async start(): Promise<void> {
    this.host.save(this.selection);
    await this.calling(async () => {
      this.view.value = await this.host.call('activity/ready', this.selection);
    });
  }

  /** Lists more finished rows. */
  showMore(): void {
    this.select({ rows: (this.selection.rows ?? stepRows) + stepRows });
  }

  select(change: Partial<ActivitySelection>): void {
    const selection = { ...this.selection, ...change };
    this.selection = selection;
    this.host.save(selection);
    void this.calling(async () => {
      const view = await this.host.call('activity/select', selection);
      if (this.selection === selection) this.view.value = view;
    });
  }

  open(id: string): void {
    void this.calling(() => this.host.call('activity/open', { id }));
  }

  act(ids: readonly string[], action: ActivityAction): void {
    void this.calling(() => this.host.call('activity/act', { ids, action }));
  }

  changeLimit(id: LimitView['id']): void {
    void this.calling(() => this.host.call('activity/changeLimit', { id }));
  }

  export(): void {
    void this.calling(() => this.host.call('activity/export', {}));
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
