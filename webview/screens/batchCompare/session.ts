import { signal } from '@preact/signals';
import type {
  BatchCompareScreen,
  CompareChoice,
  ComparedRun,
  CompareDetails,
  CompareRow,
  CompareSummary,
} from '../../../src/protocol/batchCompare';
import { Loading } from '../../components/loading';
import { TableModel } from '../../components/tableModel';
import type { TableCalls } from '../../components/tableModel';
import type { Host } from '../../host';
import { PageSession } from '../pageSession';

/** Responses that differ come first. */
const allPairs: CompareChoice = { tab: 'all', query: '', sort: 'state', descending: false, isLoose: false };

/** The page's state for two runs, and its calls to the host. */
export class CompareSession extends PageSession<BatchCompareScreen> {
  readonly runs = signal<{ readonly a: ComparedRun; readonly b: ComparedRun } | undefined>(undefined);
  readonly summary = signal<CompareSummary | undefined>(undefined);
  readonly loading = new Loading((error) => this.fail(error));
  readonly table: TableModel<CompareChoice, CompareRow, CompareDetails>;

  private compareId = '';

  constructor(host: Host<BatchCompareScreen>, say: (text: string) => void) {
    super(host, say);
    const { compareId: _id, selected, ...choice } = host.load() ?? { ...allPairs, compareId: '', selected: null };
    this.table = new TableModel(this.calls(), choice);
    this.table.selected.value = selected;
  }

  async start(): Promise<void> {
    await this.attempt(async () => {
      const { compareId, a, b } = await this.host.call('compare/ready', {});
      this.compareId = compareId;
      this.runs.value = { a, b };
      this.save();
    });
    await this.load(false);
  }

  /** `again`: reads the files again. */
  async load(again: boolean): Promise<void> {
    this.error.value = undefined;
    await this.loading.run(
      (options) => this.host.call('compare/load', { again }, options),
      (runs) => {
        this.runs.value = runs;
        return this.table.refresh();
      },
    );
  }

  export(): void {
    void this.ask('compare/export', this.table.choice.peek());
  }

  private calls(): TableCalls<CompareChoice, CompareRow, CompareDetails> {
    const { host } = this;
    return {
      arrange: async (choice, options) => {
        const arranged = await host.call('compare/arrange', choice, options);
        this.summary.value = arranged.summary;
        return arranged;
      },
      rows: async (from, count) => (await host.call('compare/rows', { from, count })).rows,
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
