import { batch, signal } from '@preact/signals';
import type {
  BatchPreviewScreen,
  PreviewDetails,
  PreviewNotices,
  PreviewSummary,
  PreviewTableRow,
  PreviewView,
} from '../../../src/protocol/batchPreview';
import { Loading } from '../../components/loading';
import { TableModel } from '../../components/tableModel';
import type { TableCalls } from '../../components/tableModel';
import type { Host } from '../../host';
import { PageSession } from '../pageSession';

const allLines: PreviewView = { sort: 'line', descending: false, onlyProblems: false, query: '' };
const noNotices: PreviewNotices = { changed: false, gone: false, unsaved: false };

/** A row is identified by its line number. */
export type PreviewRow = PreviewTableRow & { readonly row: number };

/** The page's state for the file, and its calls to the host. */
export class PreviewSession extends PageSession<BatchPreviewScreen> {
  readonly name = signal('');
  readonly notices = signal(noNotices);
  readonly summary = signal<PreviewSummary | undefined>(undefined);
  readonly loading = new Loading((error) => this.fail(error));
  readonly table: TableModel<PreviewView, PreviewRow, PreviewDetails>;
  /** Localized reason why the requested line is not shown. */
  readonly jumpMissing = signal('');

  private previewId = '';

  constructor(host: Host<BatchPreviewScreen>, say: (text: string) => void) {
    super(host, say);
    const { previewId: _id, selected, ...view } = host.load() ?? { ...allLines, previewId: '', selected: null };
    this.table = new TableModel(this.calls(), view);
    this.table.selected.value = selected;
    this.loading.progress.value = { part: 0, text: '' };
  }

  async start(): Promise<void> {
    await this.attempt(async () => {
      const { previewId, name, notices } = await this.host.call('preview/ready', {});
      this.previewId = previewId;
      batch(() => {
        this.name.value = name;
        this.notices.value = notices;
      });
      this.save();
    });
    await this.load(false);
  }

  /** `again`: reads the file again. */
  async load(again: boolean): Promise<void> {
    this.error.value = undefined;
    await this.loading.run(
      (options) => this.host.call('preview/load', { again }, options),
      (summary) => {
        this.summary.value = summary;
        this.say(summary.nothing ?? summary.facts);
        const line = this.table.selected.peek();
        if (line !== null && line >= summary.lines) this.table.close();
        return this.table.refresh('meanwhile');
      },
    );
  }

  /** Changes the filter or sorting, and shows the lines from the first one. */
  change(part: Partial<PreviewView>): void {
    if (this.summary.peek()) this.table.change(part);
    else this.table.choose(part);
  }

  /** Activates a row and shows its line. */
  select(index: number): void {
    this.jumpMissing.value = '';
    void this.table.select(index);
  }

  private calls(): TableCalls<PreviewView, PreviewRow, PreviewDetails> {
    const { host } = this;
    return {
      arrange: (view, options) => host.call('preview/arrange', view, options),
      rows: async (from, count) => {
        const { rows } = await host.call('preview/rows', { from, count });
        return rows.map((row) => ({ ...row, row: row.line }));
      },
      find: async (line) => (await host.call('preview/find', { line })).index,
      details: (line) => host.call('preview/line', { line }),
      save: () => this.save(),
      say: this.say,
      fail: (error) => this.fail(error),
    };
  }

  private save(): void {
    const { previewId, table } = this;
    if (previewId === '') return;
    this.host.save({ previewId, selected: table.selected.peek(), ...table.choice.peek() });
  }
}
