import { batch, signal } from '@preact/signals';
import { createRowPages } from '../../components/rowPages';

export interface ShownDocument {
  /** Into the documents. */
  readonly index: number;
  readonly text: string;
  readonly isCut: boolean;
}

export interface RowListCalls<Row> {
  rows(from: number, count: number): Promise<readonly Row[]>;
  whole(index: number): Promise<Omit<ShownDocument, 'index'>>;
  /** Another row is shown, and is to be kept over a reload. */
  save(): void;
  fail(error: unknown): void;
}

/** The rows of one table, which of them is active, and the whole document of the one that is open. */
export class RowList<Row extends { readonly index: number }> {
  /** The row that is active, by its place. */
  readonly active = signal<number | undefined>(undefined);
  /** The place that is to be brought into sight; another object each time. */
  readonly reveal = signal<{ readonly index: number }>({ index: 0 });
  readonly isOpen = signal(false);
  readonly whole = signal<ShownDocument | undefined>(undefined);
  readonly pages = createRowPages<Row>(
    (from, count) => this.calls.rows(from, count),
    (error) => this.calls.fail(error),
  );

  constructor(private readonly calls: RowListCalls<Row>) {}

  /** The place of the row whose document is shown. */
  get selected(): number | null {
    return this.isOpen.peek() ? (this.active.peek() ?? null) : null;
  }

  /** The active row, where it has come. Whoever draws it is drawn again when it changes. */
  get row(): Row | undefined {
    const at = this.active.value;
    return at === undefined ? undefined : this.pages.drawn(at, at + 1)[0]?.row;
  }

  /** Makes a row the active one and shows its document. `drawn`: what a person saw there. */
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

  /** Shows no document any more. */
  close(): void {
    batch(() => {
      this.isOpen.value = false;
      this.whole.value = undefined;
    });
    this.calls.save();
  }

  /** The same rows, of which something may have changed. */
  refresh(): void {
    this.pages.forget();
    const whole = this.whole.peek();
    if (whole) void this.fetchWhole(whole.index);
  }

  /** Other rows took the place of these. */
  reset(): void {
    batch(() => {
      this.pages.forget();
      this.active.value = undefined;
      this.isOpen.value = false;
      this.whole.value = undefined;
      this.reveal.value = { index: 0 };
    });
  }

  /** After the table was drawn anew. */
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
