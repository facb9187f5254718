import { batch, signal } from '@preact/signals';
import type { Progress } from './loading';
import { createRowPages } from './rowPages';

/** Where a table's rows come from. */
export interface TableCalls<Choice, Row, Details> {
  /** Lays out the rows that are chosen; resolves with how many there are. Aborting ends it. */
  arrange(
    choice: Choice,
    options: {
      readonly signal: AbortSignal;
      readonly onChunk: (found: Progress & { readonly count: number }) => void;
    },
  ): Promise<{ readonly count: number; readonly text: string }>;
  rows(from: number, count: number): Promise<readonly Row[]>;
  /** Where a row is shown; `undefined` where it is not. */
  find(row: number): Promise<number | undefined>;
  details(row: number): Promise<Details>;
  /** What is chosen or selected changed, and is to be kept over a reload. */
  save(): void;
  /** To a screen reader. */
  say(text: string): void;
  fail(error: unknown): void;
}

/** What is shown in a virtual table, what is active in it, and the details of the row that is selected. */
export class TableModel<Choice extends { readonly query: string }, Row extends { readonly row: number }, Details> {
  readonly choice;
  readonly searching = signal<Progress | undefined>(undefined);
  /** How many rows there are. */
  readonly count = signal(0);
  /** Worded; empty where nothing is left out. */
  readonly countText = signal('');
  /** The row that is active, by its place. */
  readonly active = signal<number | undefined>(undefined);
  /** The place that is to be brought into sight; another object each time. */
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

  /** Shows other rows, or in another order, from the first one on. */
  change(part: Partial<Choice>): void {
    this.choose(part);
    void this.arrange();
  }

  /** The same where there are no rows yet: they are laid out at the next `refresh`. */
  choose(part: Partial<Choice>): void {
    this.choice.value = { ...this.choice.peek(), ...part };
    this.reveal.value = { index: 0 };
  }

  /** What was found until then stays. */
  stopSearch(): void {
    this.arranging?.abort();
    this.arranging = undefined;
    this.countText.value = this.searching.peek()?.text ?? '';
    this.searching.value = undefined;
  }

  /**
   * Makes the one at a place the active one, and shows its details. `drawn`: what a person saw there, which may be something
   * else by now.
   */
  async select(index: number, drawn?: Row): Promise<void> {
    batch(() => {
      this.active.value = index;
      this.reveal.value = { index };
    });
    const row = drawn ?? (await this.pages.fetch(index));
    if (row && (drawn || this.active.peek() === index)) await this.showDetails(row.row);
  }

  /** False where the row is not among those that are shown. */
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
   * After what the rows are of was read: lays them out, and shows again what was selected: afterwards, or `meanwhile`, where
   * the details do not depend on what is chosen.
   */
  async refresh(details: 'afterwards' | 'meanwhile' = 'afterwards'): Promise<void> {
    const row = this.selected.peek();
    if (row !== null && details === 'meanwhile') void this.showDetails(row);
    await this.arrange();
    if (row !== null && details === 'afterwards' && this.selected.peek() === row) await this.showDetails(row);
    const index = this.active.peek();
    if (index !== undefined) this.reveal.value = { index };
  }

  /** Something else is known of the row that is selected. */
  async refreshDetails(): Promise<void> {
    const row = this.selected.peek();
    if (row !== null && this.details.peek()) await this.showDetails(row);
  }

  /** Shows no details any more. */
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
    this.searching.value = choice.query === '' ? undefined : { part: 0, text: '' };
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
      this.pages.forget();
      batch(() => {
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
