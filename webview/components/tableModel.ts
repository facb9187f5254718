import { batch, signal } from '@preact/signals';
import type { Progress } from './loading';
import { createRowPages } from './rowPages';

/** The data source of a table, and what it reports to. */
export interface TableCalls<Choice, Row, Details> {
  /** Filters and sorts the rows; resolves with their number. Aborting stops it. */
  arrange(
    choice: Choice,
    options: {
      readonly signal: AbortSignal;
      readonly onChunk: (found: Progress & { readonly count: number }) => void;
    },
  ): Promise<{ readonly count: number; readonly text: string }>;
  rows(from: number, count: number): Promise<readonly Row[]>;
  /** Resolves with the index at which a row is shown; `undefined` if it is not shown. */
  find(row: number): Promise<number | undefined>;
  details(row: number): Promise<Details>;
  /** Saves the choice and selection, so that they survive a reload. */
  save(): void;
  /** Announces a text to screen readers. */
  say(text: string): void;
  fail(error: unknown): void;
}

/**
 * The state of a virtual table: the rows shown, the active one, and the details of the selected one. A row with a negative number is a
 * heading: it can be active, but has no details.
 */
export class TableModel<Choice extends { readonly query: string }, Row extends { readonly row: number }, Details> {
  readonly choice;
  readonly searching = signal<Progress | undefined>(undefined);
  /** The number of rows. */
  readonly count = signal(0);
  /** Localized number of matches. Empty if no rows are omitted. */
  readonly countText = signal('');
  /** Index of the active row. */
  readonly active = signal<number | undefined>(undefined);
  /** An index to scroll into view; a new object for each request. */
  readonly reveal = signal<{ readonly index: number }>({ index: 0 });
  /** The row whose details are shown. */
  readonly selected = signal<number | null>(null);
  readonly details = signal<Details | undefined>(undefined);
  readonly pages = createRowPages<Row>(
    (from, count) => this.calls.rows(from, count),
    (error) => this.calls.fail(error),
  );

  private arranging: AbortController | undefined;

  constructor(
    private readonly calls: TableCalls<Choice, Row, Details>,
    choice: Choice,
  ) {
    this.choice = signal(choice);
  }

  /** Changes the filter or sorting, and shows the rows from the first one. */
  change(part: Partial<Choice>): void {
    this.choose(part);
    void this.arrange();
  }

  /** Changes the rows below the active one, which stays active where it is. */
  changeInPlace(part: Partial<Choice>): void {
    const index = this.active.peek();
    this.choice.value = { ...this.choice.peek(), ...part };
    void this.arrange().then(() => (this.active.value ??= index));
  }

  /** Like `change`, but before there are any rows: they are arranged at the next `refresh`. */
  choose(part: Partial<Choice>): void {
    this.choice.value = { ...this.choice.peek(), ...part };
    this.reveal.value = { index: 0 };
  }

  /** Stops the search. The rows found so far stay. */
  stopSearch(): void {
    this.arranging?.abort();
    this.arranging = undefined;
    this.countText.value = this.searching.peek()?.text ?? '';
    this.searching.value = undefined;
  }

  /**
   * Activates the row at an index and shows its details. `drawn` is the row the user saw there, because the index might refer to another
   * one by now.
   */
  async select(index: number, drawn?: Row): Promise<void> {
    batch(() => {
      this.active.value = index;
      this.reveal.value = { index };
    });
    const row = drawn ?? (await this.pages.fetch(index));
    if (row && row.row >= 0 && (drawn || this.active.peek() === index)) await this.showDetails(row.row);
  }

  /** Shows the details of the next or the previous row, skipping headings. */
  async step(by: 1 | -1): Promise<void> {
    const count = this.count.peek();
    for (let index = (this.active.peek() ?? -1) + by; index >= 0 && index < count; index += by) {
      const row = await this.pages.fetch(index);
      if (row && row.row < 0) continue;
      return this.select(index, row);
    }
  }

  /** Activates a row and shows its details. Resolves with false if the row is not among those shown. */
  async show(row: number): Promise<boolean> {
    const index = await this.find(row);
    if (index === undefined) return false;
    batch(() => {
      this.active.value = index;
      this.reveal.value = { index };
    });
    await this.showDetails(row);
    return true;
  }

  /**
   * Call it after the data was read: arranges the rows and reloads the details of the selected one, either `afterwards` or, if they do
   * not depend on the choice, `meanwhile`.
   */
  async refresh(details: 'afterwards' | 'meanwhile' = 'afterwards'): Promise<void> {
    const row = this.selected.peek();
    if (row !== null && details === 'meanwhile') void this.showDetails(row);
    await this.arrange();
    if (row !== null && details === 'afterwards' && this.selected.peek() === row) await this.showDetails(row);
    const index = this.active.peek();
    if (index !== undefined) this.reveal.value = { index };
  }

  /** Reloads the details, because they have changed. */
  async refreshDetails(): Promise<void> {
    const row = this.selected.peek();
    if (row !== null && this.details.peek()) await this.showDetails(row);
  }

  /** Closes the details. */
  close(): void {
    batch(() => {
      this.selected.value = null;
      this.details.value = undefined;
    });
    this.calls.save();
  }

  private async arrange(): Promise<void> {
    this.arranging?.abort();
    const mine = (this.arranging = new AbortController());
    const isCurrent = () => this.arranging === mine;
    this.calls.save();
    const choice = this.choice.peek();
    // The progress of a search appears with what it found first: painting it before would delay most searches by a frame.
    this.searching.value = undefined;
    const onChunk = (found: Progress & { readonly count: number }) => {
      if (!isCurrent()) return;
      batch(() => {
        this.searching.value = found;
        this.count.value = found.count;
      });
      this.pages.forget();
    };
    try {
      const { count, text } = await this.calls.arrange(choice, { signal: mine.signal, onChunk });
      if (!isCurrent()) return;
      // The number and the rows of another choice are painted together, which takes one frame less.
      const show = await this.pages.renew(count);
      if (!isCurrent()) return;
      batch(() => {
        show();
        this.count.value = count;
        this.countText.value = text;
        this.searching.value = undefined;
      });
      this.calls.say(text);
      const row = this.selected.peek();
      this.active.value = row === null ? undefined : await this.find(row);
    } catch (error) {
      if (isCurrent()) this.calls.fail(error);
    } finally {
      if (isCurrent()) this.searching.value = undefined;
    }
  }

  private async showDetails(row: number): Promise<void> {
    this.selected.value = row;
    this.calls.save();
    try {
      const details = await this.calls.details(row);
      if (this.selected.peek() !== row) return;
      this.details.value = details;
      this.calls.save();
    } catch (error) {
      this.calls.fail(error);
    }
  }

  private async find(row: number): Promise<number | undefined> {
    try {
      return await this.calls.find(row);
    } catch (error) {
      this.calls.fail(error);
      return undefined;
    }
  }
}
