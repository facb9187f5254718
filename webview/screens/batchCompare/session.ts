import { computed, signal } from '@preact/signals';
import type {
  BatchCompareScreen,
  CompareChoice,
  ComparedRun,
  CompareDetails,
  CompareRow,
  CompareSummary,
} from '../../../src/protocol/batchCompare';
import type { ResultsColumns, ResultsHeading } from '../../../src/protocol/batchResults';
import { toggleGroup } from '../../components/groupedRows';
import { Loading } from '../../components/loading';
import { TableModel } from '../../components/tableModel';
import type { TableCalls } from '../../components/tableModel';
import type { Host } from '../../host';
import { TableColumns } from '../batchResults/tableColumns';
import { PageSession } from '../pageSession';

/** Rows that changed come first. */
const allRows: CompareChoice = {
  reference: 0,
  by: null,
  tab: 'all',
  query: '',
  sort: 'run:state',
  descending: false,
  isLoose: false,
  groupBy: null,
  closed: [],
};

/** Shown until the columns are known. */
const firstColumns = ['run:state', 'run:customId', 'run:request', 'run:answer'];

/** The page's state for the runs, and its calls to the host. */
export class CompareSession extends PageSession<BatchCompareScreen> {
  readonly runs = signal<readonly ComparedRun[]>([]);
  readonly canAddRuns = signal(false);
  readonly summary = signal<CompareSummary | undefined>(undefined);
  readonly loading = new Loading((error) => this.fail(error));
  readonly available = signal<ResultsColumns | undefined>(undefined);
  readonly columns = new TableColumns({
    available: () => this.available.value,
    first: firstColumns,
    onOther: () => this.table.pages.forget(),
    save: (layout) => void this.ask('compare/layout', layout),
  });
  readonly table: TableModel<CompareChoice, CompareRow, CompareDetails>;
  /** The id of the column that is compared. */
  readonly by = computed(() => this.table.choice.value.by ?? this.usual.value);

  /** The columns to show. The one that is compared always is. */
  readonly ids = computed(() => {
    const [by, usual] = [this.by.value, this.usual.value];
    const shown = this.columns.shown.value;
    if (shown.includes(by)) return shown;
    return shown.includes(usual) ? shown.map((id) => (id === usual ? by : id)) : [...shown, by];
  });

  private readonly usual = signal('run:answer');
  private compareId = '';

  constructor(host: Host<BatchCompareScreen>, say: (text: string) => void) {
    super(host, say);
    const saved = host.load();
    this.table = new TableModel(this.calls(), choiceIn(saved));
    this.table.selected.value = saved?.selected ?? null;
  }

  async start(): Promise<void> {
    await this.attempt(async () => {
      const { compareId, runs, layout, canAddRuns } = await this.host.call('compare/ready', {});
      this.compareId = compareId;
      this.runs.value = runs;
      this.canAddRuns.value = canAddRuns;
      this.columns.layout.value = layout;
      this.save();
    });
    await this.load(false);
  }

  /** `again`: reads the files again. */
  async load(again: boolean): Promise<void> {
    this.error.value = undefined;
    await this.loading.run(
      (options) => this.host.call('compare/load', { again }, options),
      ({ runs, columns, by }) => {
        this.runs.value = runs;
        this.available.value = columns;
        this.usual.value = by;
        this.table.choice.value = this.fitting(this.table.choice.peek(), columns);
        return this.table.refresh();
      },
    );
  }

  /** Compares the others with this run. Its number is from 0. */
  setReference(run: number): void {
    if (run < this.runs.peek().length && run !== this.table.choice.peek().reference) {
      this.table.change({ reference: run });
      this.say(this.runs.peek()[run]?.name ?? '');
    }
  }

  async addRuns(): Promise<void> {
    const { isChanged } = (await this.ask('compare/addRuns', {})) ?? { isChanged: false };
    if (isChanged) await this.start();
  }

  export(): void {
    void this.ask('compare/export', { choice: this.table.choice.peek(), columns: this.ids.peek() });
  }

  toggleGroup(heading: ResultsHeading): void {
    toggleGroup(this.table, heading);
  }

  /** Returns the choice without what these runs do not have. */
  private fitting(choice: CompareChoice, { all }: ResultsColumns): CompareChoice {
    const has = (id: string | null) => id !== null && all.some((column) => column.id === id.replace(/@\d+$/, ''));
    return {
      ...choice,
      reference: choice.reference < this.runs.peek().length ? choice.reference : 0,
      by: has(choice.by) ? choice.by : null,
      sort: choice.sort === 'run:line' || has(choice.sort) ? choice.sort : allRows.sort,
      groupBy: has(choice.groupBy) ? choice.groupBy : null,
    };
  }

  private calls(): TableCalls<CompareChoice, CompareRow, CompareDetails> {
    const { host } = this;
    return {
      arrange: async (choice, options) => {
        const arranged = await host.call('compare/arrange', choice, options);
        this.summary.value = arranged.summary;
        return arranged;
      },
      rows: async (from, count) => (await host.call('compare/rows', { from, count, columns: this.ids.peek() })).rows,
      find: async (row) => (await host.call('compare/find', { row })).index,
      details: (row) => host.call('compare/details', { row }),
      save: () => this.save(),
      say: this.say,
      fail: (error) => this.fail(error),
    };
  }

  private save(): void {
    const { compareId, table } = this;
    if (compareId === '') return;
    this.host.save({ compareId, selected: table.selected.peek(), ...table.choice.peek() });
  }
}

/** An earlier version compared two runs, with other filters and without columns. */
function choiceIn(saved: Partial<CompareChoice> | undefined): CompareChoice {
  if (saved?.reference === undefined) return allRows;
  const { reference, by, tab, query, sort, descending, isLoose, groupBy, closed } = { ...allRows, ...saved };
  return { reference, by, tab, query, sort, descending, isLoose, groupBy, closed };
}
