import { signal } from '@preact/signals';
import type { ActivityScreen, ActivitySelection, ActivityView, LimitView } from '../../../src/protocol/activity';
import type { Host } from '../../host';
import { PageSession } from '../pageSession';

/** How many more rows are listed at a time. */
const stepRows = 300;

/** The page's state, and its calls to the host. */
export class ActivitySession extends PageSession<ActivityScreen> {
  readonly view = signal<ActivityView | undefined>(undefined);
  private selection: ActivitySelection;

  constructor(host: Host<ActivityScreen>, say: (text: string) => void) {
    super(host, say);
    this.selection = host.load() ?? { days: 7, by: 'client', account: '' };
    host.on('activity/changed', (view) => (this.view.value = view));
  }

  async start(): Promise<void> {
    this.host.save(this.selection);
    const view = await this.ask('activity/ready', this.selection);
    if (view) this.view.value = view;
  }

  /** Lists more finished rows. */
  showMore(): void {
    this.select({ rows: (this.selection.rows ?? stepRows) + stepRows });
  }

  select(change: Partial<ActivitySelection>): void {
    const selection = { ...this.selection, ...change };
    this.selection = selection;
    this.host.save(selection);
    void this.ask('activity/select', selection).then((view) => {
      if (view && this.selection === selection) this.view.value = view;
    });
  }

  chooseTools(): void {
    void this.ask('activity/chooseTools', {});
  }

  changeLimit(id: LimitView['id']): void {
    void this.ask('activity/changeLimit', { id });
  }
}
