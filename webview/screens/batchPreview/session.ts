import { batch, signal } from '@preact/signals';
import type {
  BatchPreviewScreen,
  PreviewDetails,
  PreviewNotices,
  PreviewSummary,
  PreviewTableRow,
  PreviewView,
} from '../../../src/protocol/batchPreview';
import { HostError } from '../../../src/protocol/caller';
import type { WireError } from '../../../src/protocol/wire';
import { Loading } from '../../components/loading';
import { TableModel } from '../../components/tableModel';
import type { TableCalls } from '../../components/tableModel';
import type { Host } from '../../host';

const allLines: PreviewView = { sort: 'line', descending: false, onlyProblems: false, query: '' };
const noNotices: PreviewNotices = { changed: false, gone: false, unsaved: false };

/** A row is identified by its line number. */
export type PreviewRow = PreviewTableRow & { readonly row: number };

/** The page's state for the file, and its calls to the host. */
export class PreviewSession {
  readonly name = signal('');
  readonly notices = signal(noNotices);
  readonly summary = signal<PreviewSummary | undefined>(undefined);
  readonly loading = new Loading((error) => this.fail(error));
  readonly trouble = signal<WireError | undefined>(undefined);
  readonly table: TableModel<PreviewView, PreviewRow, PreviewDetails>;
  /** Localized reason why the requested line is not shown. */
  readonly jumpMissing = signal('');

  private previewId = '';

  /** `say` announces a text to screen readers. */
  constructor(
    private readonly host: Host<BatchPreviewScreen>,
    private readonly say: (text: string) => void,
  ) {
    const { previewId: _id, selected, ...view } = host.load() ?? { ...allLines, previewId: '', selected: null };
    this.table = new TableModel(this.calls(), view);
    this.table.selected.value = selected;
    this.loading.progress.value = { part: 0, text: '' };
  }

  async start(): Promise<void> {
    try {
      const { previewId, name, notices } = await this.host.call('preview/ready', {});
      this.previewId = previewId;
      batch(() => {
        this.name.value = name;
        this.notices.value = notices;
      });
      this.save();
    } catch (error) {
      this.fail(error);
    }
    await this.load(false);
  }

  /** `again`: reads the file again. */
  async load(again: boolean): Promise<void> {
    this.trouble.value = undefined;
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

  stopLoading(): void {
    this.host.call('preview/stop', {}).catch((error: unknown) => this.fail(error));
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

  goTo(line: number): void {
    this.host.call('preview/goTo', { line }).catch((error: unknown) => this.fail(error));
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

  /** Shows an error, except when a call was cancelled because another one replaced it. */
  private fail(error: unknown): void {
    if (error instanceof HostError && error.error.kind !== 'cancelled') this.trouble.value = error.error;
  }
}
