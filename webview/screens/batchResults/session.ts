import { signal } from '@preact/signals';
import type {
  BatchResultsScreen,
  ResultsChoice,
  ResultsDetails,
  ResultsHead,
  ResultsSummary,
  ResultsTableRow,
} from '../../../src/protocol/batchResults';
import { Loading } from '../../components/loading';
import { TableModel } from '../../components/tableModel';
import type { TableCalls } from '../../components/tableModel';
import type { Host } from '../../host';
import { PageSession } from '../pageSession';

const allResults: ResultsChoice = { tab: 'all', group: null, query: '', sort: 'line', descending: false };

type Table = TableModel<ResultsChoice, ResultsTableRow, ResultsDetails>;

/** The page's state for the run, and its calls to the host. */
export class ResultsSession extends PageSession<BatchResultsScreen> {
  readonly head = signal<ResultsHead | undefined>(undefined);
  readonly summary = signal<ResultsSummary | undefined>(undefined);
  readonly loading = new Loading((error) => this.fail(error));
  readonly asJson = signal(false);
  readonly table: Table;

  private resultsId = '';
  /** The selected row as last shown. */
  private selected: BatchResultsScreen['state']['selected'] = null;

  constructor(host: Host<BatchResultsScreen>, say: (text: string) => void) {
    super(host, say);
    const { resultsId: _id, selected, ...choice } = host.load() ?? { ...allResults, resultsId: '', selected: null };
    this.table = new TableModel(this.calls(), choice);
    // An earlier version saved only the row.
    this.selected = typeof selected === 'object' ? selected : null;
    this.table.selected.value = this.selected?.row ?? null;
  }

  async start(): Promise<void> {
    await this.attempt(async () => {
      const { resultsId, head } = await this.host.call('results/ready', {});
      this.resultsId = resultsId;
      this.head.value = head;
      this.save();
    });
    await this.load(false);
  }

  /** `again`: reads the files again. The current content stays visible until that is done. */
  async load(again: boolean): Promise<void> {
    this.error.value = undefined;
    await this.loading.run(
      (options) => this.host.call('results/load', { again }, options),
      async ({ summary }) => {
        if (!summary) return;
        await this.findSelected();
        this.summary.value = summary;
        this.table.choice.value = fitting(this.table.choice.peek(), summary);
        await this.table.refresh();
      },
    );
  }

  /** Shows new information about the run, and reloads the details of the selected request, which may have changed too. */
  showHead(head: ResultsHead): void {
    this.head.value = head;
    void this.table.refreshDetails();
  }

  /** Shows a row, after resetting the filter to all results if the row is not among those shown. */
  async show(row: number): Promise<void> {
    if (await this.table.show(row)) return;
    const { sort, descending } = this.table.choice.peek();
    this.table.choice.value = { ...allResults, sort, descending };
    this.table.selected.value = row;
    await this.table.refresh();
  }

  export(): void {
    void this.ask('results/export', this.table.choice.peek());
  }

  private calls(): TableCalls<ResultsChoice, ResultsTableRow, ResultsDetails> {
    const { host } = this;
    return {
      arrange: (choice, options) => host.call('results/arrange', choice, options),
      rows: async (from, count) => (await host.call('results/rows', { from, count })).rows,
      find: async (row) => (await host.call('results/find', { row })).index,
      details: (row) => host.call('results/details', { row }),
      save: () => this.save(),
      say: this.say,
      fail: (error) => this.fail(error),
    };
  }

  /** Selects the row that now has the `custom_id` of the selected one. */
  private async findSelected(): Promise<void> {
    const { selected } = this;
    if (!selected || this.table.selected.peek() !== selected.row) return;
    const { row } = await this.host.call('results/rowOf', selected);
    // Another row may have been selected since.
    if (this.table.selected.peek() !== selected.row) return;
    if (row === undefined) this.table.close();
    else this.table.selected.value = row;
  }

  private save(): void {
    const { resultsId, table } = this;
    const row = table.selected.peek();
    const details = table.details.peek();
    if (row === null) this.selected = null;
    else if (details?.row === row) this.selected = { row, customId: details.customId };
    if (resultsId === '') return;
    this.host.save({ resultsId, selected: this.selected, ...table.choice.peek() });
  }
}

/** Returns the choice without a tab or group that these results do not have. */
function fitting(choice: ResultsChoice, { counts, groups }: ResultsSummary): ResultsChoice {
  const tab = counts.some((one) => one.tab === choice.tab) ? choice.tab : 'all';
  const group = groups.some((one) => one.group === choice.group) && tab === 'failed' ? choice.group : null;
  return { ...choice, tab, group };
}
