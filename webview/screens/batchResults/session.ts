import { signal } from '@preact/signals';
import type {
  BatchResultsScreen,
  ResultsChoice,
  ResultsDetails,
  ResultsHead,
  ResultsHeading,
  ResultsSummary,
  ResultsTableRow,
} from '../../../src/protocol/batchResults';
import { toggleGroup } from '../../components/groupedRows';
import { Loading } from '../../components/loading';
import { TableModel } from '../../components/tableModel';
import type { TableCalls } from '../../components/tableModel';
import type { Host } from '../../host';
import { PageSession } from '../pageSession';
import { TableColumns } from './tableColumns';

const allResults: ResultsChoice = {
  tab: 'all',
  group: null,
  query: '',
  sort: 'run:line',
  descending: false,
  isUnexpected: false,
  isDifferent: false,
  groupBy: null,
  closed: [],
};

type Table = TableModel<ResultsChoice, ResultsTableRow, ResultsDetails>;

/** The page's state for the run, and its calls to the host. */
export class ResultsSession extends PageSession<BatchResultsScreen> {
  readonly head = signal<ResultsHead | undefined>(undefined);
  readonly summary = signal<ResultsSummary | undefined>(undefined);
  readonly loading = new Loading((error) => this.fail(error));
  /** How the details show the row; it stays for the next one. */
  readonly view = signal<'text' | 'json' | 'request'>('text');
  readonly columns = new TableColumns({
    available: () => this.summary.value?.columns,
    first: firstColumns,
    onOther: () => this.table.pages.forget(),
    save: (layout) => void this.ask('results/layout', layout),
  });
  readonly table: Table;

  private resultsId = '';
  /** The selected row as last shown. */
  private selected: BatchResultsScreen['state']['selected'] = null;

  constructor(host: Host<BatchResultsScreen>, say: (text: string) => void) {
    super(host, say);
    const { resultsId: _id, selected, ...saved } = host.load() ?? { ...allResults, resultsId: '', selected: null };
    // An earlier version saved fewer choices, and the names of sort columns without their group.
    const choice = { ...allResults, ...saved };
    this.table = new TableModel(this.calls(), { ...choice, sort: withGroup(choice.sort) });
    // An earlier version saved only the row.
    this.selected = typeof selected === 'object' ? selected : null;
    this.table.selected.value = this.selected?.row ?? null;
  }

  async start(): Promise<void> {
    await this.attempt(async () => {
      const { resultsId, head, layout } = await this.host.call('results/ready', {});
      this.resultsId = resultsId;
      this.head.value = head;
      this.columns.layout.value = layout;
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
    const { sort, descending, groupBy } = this.table.choice.peek();
    this.table.choice.value = { ...allResults, sort, descending, groupBy };
    this.table.selected.value = row;
    await this.table.refresh();
  }

  export(): void {
    void this.ask('results/export', { choice: this.table.choice.peek(), columns: this.columns.shown.peek() });
  }

  /** Compares the responses with those of a run that the user selects, or with none. */
  async setReference(choose: boolean): Promise<void> {
    await this.attempt(async () => {
      const { isChanged } = await this.host.call('results/reference', { choose });
      if (!isChanged) return;
      await this.load(false);
      const added = this.summary.peek()?.columns.all.find(({ group }) => group === 'reference');
      // Chosen columns do not include a new one by themselves.
      if (added && !this.columns.shown.peek().includes(added.id)) this.columns.toggle(added.id);
    });
  }

  /** Copies the rows shown, for a spreadsheet. */
  async copyRows(): Promise<void> {
    await this.attempt(async () => {
      const { text } = await this.host.call('results/copyRows', { columns: this.columns.shown.peek() });
      this.say(text);
    });
  }

  /** Opens or closes the group of a heading. */
  toggleGroup(heading: ResultsHeading): void {
    toggleGroup(this.table, heading);
  }

  private calls(): TableCalls<ResultsChoice, ResultsTableRow, ResultsDetails> {
    const { host } = this;
    return {
      arrange: (choice, options) => host.call('results/arrange', choice, options),
      rows: async (from, count) => {
        const columns = this.columns.shown.peek();
        return (await host.call('results/rows', { from, count, columns })).rows;
      },
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

/** Shown until the columns are known. */
const firstColumns = ['run:state', 'run:customId', 'run:request', 'run:answer', 'run:tokens'];

function withGroup(sort: string): string {
  return sort.includes(':') ? sort : `run:${sort}`;
}

/** Returns the choice without a tab, group or column that these results do not have. */
function fitting(
  choice: ResultsChoice,
  { counts, groups, columns, unexpected, reference }: ResultsSummary,
): ResultsChoice {
  const has = (id: string | null) => columns.all.some((column) => column.id === id);
  const tab = counts.some((one) => one.tab === choice.tab) ? choice.tab : 'all';
  const group = groups.some((one) => one.group === choice.group) && tab === 'failed' ? choice.group : null;
  return {
    ...choice,
    tab,
    group,
    sort: has(choice.sort) ? choice.sort : 'run:line',
    groupBy: has(choice.groupBy) ? choice.groupBy : null,
    isUnexpected: choice.isUnexpected && unexpected !== undefined,
    isDifferent: choice.isDifferent && reference !== undefined,
  };
}
