import { batch, signal } from '@preact/signals';
import { createRowPages } from '../../components/rowPages';

export interface ShownDocument {
  /** Index of the document. */
  readonly index: number;
  readonly text: string;
  readonly isCut: boolean;
}

export interface RowListCalls<Row> {
  rows(from: number, count: number): Promise<readonly Row[]>;
  whole(index: number): Promise<Omit<ShownDocument, 'index'>>;
  /** Called when another row is selected, to save it across a reload. */
  save(): void;
  fail(error: unknown): void;
}

/** The rows of one table, the active one, and the whole document of the open one. */
export class RowList<Row extends { readonly index: number }> {
  /** Index of the active row. */
  readonly active = signal<number | undefined>(undefined);
  /** An index to scroll into view; a new object for each request. */
  readonly reveal = signal<{ readonly index: number }>({ index: 0 });
  readonly isOpen = signal(false);
  readonly whole = signal<ShownDocument | undefined>(undefined);
  readonly pages = createRowPages<Row>(
    (from, count) => this.calls.rows(from, count),
    (error) => this.calls.fail(error),
  );

  constructor(private readonly calls: RowListCalls<Row>) {}

  /** Index of the row whose document is shown. */
  get selected(): number | null {
    return this.isOpen.peek() ? (this.active.peek() ?? null) : null;
  }

  /** The active row, once it is loaded. A component that reads it renders again when it changes. */
  get row(): Row | undefined {
    const at = this.active.value;
    return at === undefined ? undefined : this.pages.drawn(at, at + 1)[0]?.row;
  }

  /** Activates a row and shows its document. `drawn` is the row the user saw there. */
  async select(at: number, drawn?: Row): Promise<void> {
    batch(() => {
      this.active.value = at;
      this.reveal.value = { index: at };
      this.isOpen.value = true;
    });
    this.calls.save();
    const row = drawn ?? (await this.pages.fetch(at));
    if (row && this.active.peek() === at) await this.fetchWhole(row.index);
  }

  /** Closes the document. */
  close(): void {
    batch(() => {
      this.isOpen.value = false;
      this.whole.value = undefined;
    });
    this.calls.save();
  }

  /** Reloads the rows, because some of them may have changed. */
  refresh(): void {
    this.pages.forget();
    const whole = this.whole.peek();
    if (whole) void this.fetchWhole(whole.index);
  }

  /** Resets the state, because other rows replace these. */
  reset(): void {
    batch(() => {
      this.pages.forget();
      this.active.value = undefined;
      this.isOpen.value = false;
      this.whole.value = undefined;
      this.reveal.value = { index: 0 };
    });
  }

  /** Scrolls the active row into view after the table was mounted. */
  revealActive(): void {
    const at = this.active.peek();
    if (at !== undefined) this.reveal.value = { index: at };
  }

  private async fetchWhole(index: number): Promise<void> {
    try {
      const whole = await this.calls.whole(index);
      if (this.isOpen.peek()) this.whole.value = { index, ...whole };
    } catch (error) {
      this.calls.fail(error);
    }
  }
}
