import { signal } from '@preact/signals';
import type {
  EvalChoice,
  EvalDetails,
  EvalPart,
  EvalResultsScreen,
  EvalTableRow,
  EvalTableSummary,
  EvalView,
} from '../../../src/protocol/evalResults';
import { titled } from '../../../src/protocol/sentences';
import type { WireError } from '../../../src/protocol/wire';
import { TableModel } from '../../components/tableModel';
import type { TableCalls } from '../../components/tableModel';
import type { Host } from '../../host';
import { PageSession } from '../pageSession';
import { ReviewSession } from './reviewSession';

const allRows: EvalChoice = { group: 'all', failedBy: null, query: '', isGrouped: true, closed: ['bothPassed'] };
const usual: EvalResultsScreen['state'] = {
  ...allRows,
  pageId: '',
  reference: '',
  candidate: '',
  part: 'verdict',
  selected: null,
  size: 0,
  scale: 'better',
  drafts: {},
};

/** The page's state, and its calls to the host. */
export class EvalSession extends PageSession<EvalResultsScreen> {
  readonly view = signal<EvalView | undefined>(undefined);
  readonly summary = signal<EvalTableSummary | undefined>(undefined);
  readonly part = signal<EvalPart>('verdict');
  /** Why the host couldn't load what has changed; until it could. */
  readonly lookError = signal<WireError | undefined>(undefined);
  /** Whether details mark the words in which the responses differ. */
  readonly showsDifference = signal(false);
  readonly table: TableModel<EvalChoice, EvalTableRow, EvalDetails>;
  readonly review: ReviewSession;
  /** The user's selection for the comparison. Empty for the default, such as the baseline once there is one. */
  private compared: { readonly reference: string; readonly candidate: string };
  private pageId = '';

  constructor(host: Host<EvalResultsScreen>, say: (text: string) => void) {
    super(host, say);
    const saved = { ...usual, ...host.load() };
    const { reference, candidate, part, selected, size, scale, drafts, pageId: _id, ...choice } = saved;
    this.review = new ReviewSession(this, host, { size, scale, drafts });
    this.compared = { reference, candidate };
    this.part.value = part;
    this.table = new TableModel(this.calls(), choice);
    this.table.selected.value = selected;
    host.on('eval/changed', (view) => this.show(view));
    host.on('eval/failed', (error) => {
      const before = this.lookError.peek();
      this.lookError.value = error;
      // The host looks again and again.
      if (before?.title !== error.title || before.detail !== error.detail) this.say(titled(error.title, error.detail));
    });
  }

  async load(): Promise<void> {
    await this.attempt(
      async () => this.show(await this.host.call('eval/load', this.compared)),
      () => this.load(),
    );
  }

  /** Loads the run again, after an error. */
  async reload(): Promise<void> {
    const wasShown = this.view.peek() !== undefined;
    await this.load();
    // The first view begins a review itself.
    if (wasShown && this.part.peek() === 'review' && !this.error.peek()) await this.review.begin();
  }

  /** Runs an action that an error offers. The error stays, because the action alone doesn't solve it. */
  actOnError(action: string): void {
    if (action !== 'retry') this.host.call('eval/act', { action }).catch((error: unknown) => this.fail(error));
    else if (this.error.peek() === undefined || !this.retry()) void this.reload();
  }

  /** Compares other variants. */
  async compare(part: { readonly reference?: string; readonly candidate?: string }): Promise<void> {
    this.compared = { ...this.compared, ...part };
    await this.load();
  }

  open(part: EvalPart): void {
    this.part.value = part;
    this.save();
    if (part === 'review') void this.review.begin();
    // Ratings affect the judge's results.
    if (part === 'verdict') void this.load();
  }

  /** Shows the regressions in the table, with the details of one of them. */
  async showRegressions(row = this.view.peek()?.regressions.rows[0]?.row): Promise<void> {
    this.open('table');
    this.table.choose({ ...allRows, group: 'regressions' });
    await this.table.refresh();
    // By its number, because a refresh may arrange the rows again in the meantime.
    if (row !== undefined) await this.table.show(row);
    document.querySelector<HTMLElement>('.virtual-table')?.focus();
  }

  act(action: string): void {
    const { candidate = '' } = this.view.peek() ?? {};
    if (action === 'accept') void this.accept(candidate);
    else if (action === 'regressions') void this.showRegressions();
    else void this.ask('eval/act', { action });
  }

  /** Sets the baseline, with which the verdict is compared from then on. */
  async accept(variant: string): Promise<void> {
    await this.attempt(async () => {
      const { isAccepted } = await this.host.call('eval/accept', { variant });
      if (isAccepted) await this.compare({ reference: '', candidate: '' });
    });
  }

  toggleGroup({ group, isClosed }: NonNullable<EvalTableRow['heading']>): void {
    const { closed } = this.table.choice.peek();
    this.table.changeInPlace({ closed: isClosed ? closed.filter((one) => one !== group) : [...closed, group] });
  }

  private show(view: EvalView): void {
    const before = this.view.peek();
    this.view.value = view;
    this.pageId = view.pageId;
    this.save();
    this.lookError.value = undefined;
    // A blind review doesn't tell which variant is better.
    const isShown = this.part.peek() === 'verdict' || view.stage === 'none';
    if (before && isShown && before.sentence !== view.sentence) this.say(view.sentence);
    void this.table.refresh();
    if (this.part.peek() === 'review' && !before) void this.review.begin();
  }

  private calls(): TableCalls<EvalChoice, EvalTableRow, EvalDetails> {
    const { host } = this;
    return {
      arrange: async (choice) => {
        const { count, text, summary } = await host.call('eval/arrange', choice);
        this.summary.value = summary;
        return { count, text };
      },
      rows: async (from, count) => (await host.call('eval/rows', { from, count })).rows,
      find: async (row) => (await host.call('eval/find', { row })).index,
      details: (row) => host.call('eval/details', { row }),
      save: () => this.save(),
      // The number of rows is only said while the table is shown.
      say: (text) => this.part.peek() === 'table' && this.say(text),
      fail: (error) => this.fail(error),
    };
  }

  /** Saves where the user is, and what they have typed. */
  save(): void {
    const { pageId, compared, part, table, review } = this;
    if (pageId === '') return;
    const selected = table.selected.peek();
    this.host.save({ ...table.choice.peek(), pageId, ...compared, part: part.peek(), selected, ...review.saved });
  }
}
