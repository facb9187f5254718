import { computed, signal } from '@preact/signals';
import type { ResultsColumns, ResultsLayout } from '../../../src/protocol/batchResults';

interface ColumnsOwner {
  /** The columns that can be shown; `undefined` until they are known. */
  readonly available: () => ResultsColumns | undefined;
  /** The ids of those shown until then. */
  readonly first: readonly string[];
  /** Called when other columns are shown, so that their cells must be read. */
  readonly onOther: () => void;
  readonly save: (layout: ResultsLayout) => void;
}

/** The columns that a table shows, in order, and how wide they are. */
export class TableColumns {
  readonly layout = signal<ResultsLayout>({ columns: null, widths: {} });
  /** Whether the list of all columns is open. */
  readonly isChoosing = signal(false);
  /** The ids of the columns to show, in order. */
  readonly shown = computed(() => this.shownOf(this.owner.available(), this.layout.value));

  constructor(private readonly owner: ColumnsOwner) {}

  get available(): ResultsColumns | undefined {
    return this.owner.available();
  }

  /** Changes the columns or their widths, and remembers them. `columns: null` shows the defaults. */
  arrange(change: Partial<ResultsLayout>): void {
    this.layout.value = { ...this.layout.peek(), ...change };
    if (change.columns !== undefined) this.owner.onOther();
    this.owner.save(this.layout.peek());
  }

  /** Sets the width of a column in pixels; `undefined` restores the usual one. */
  resize(id: string, width: number | undefined): void {
    const { [id]: _before, ...widths } = this.layout.peek().widths;
    this.arrange({ widths: width === undefined ? widths : { ...widths, [id]: width } });
  }

  /** Moves a column before another one. */
  move(id: string, before: string): void {
    if (id === before) return;
    const others = this.shown.peek().filter((one) => one !== id);
    this.arrange({ columns: others.toSpliced(others.indexOf(before), 0, id) });
  }

  toggle(id: string): void {
    const shown = this.shown.peek();
    const columns = shown.includes(id) ? shown.filter((one) => one !== id) : [...shown, id];
    if (columns.length > 0) this.arrange({ columns });
  }

  private shownOf(available: ResultsColumns | undefined, { columns }: ResultsLayout): readonly string[] {
    const { all, defaults } = available ?? { all: [], defaults: this.owner.first };
    const known = columns?.filter((id) => all.some((one) => one.id === id)) ?? [];
    return known.length > 0 ? known : defaults;
  }
}
