import type { LineTable, SortKey } from './lineTable';

export interface ViewChoice {
  readonly sort: SortKey;
  readonly descending: boolean;
  readonly onlyProblems: boolean;
}

/** The lines that were found, with one bit each. */
export class FoundLines {
  count = 0;
  private readonly bits: Uint8Array;

  constructor(lines: number) {
    this.bits = new Uint8Array((lines >>> 3) + 1);
  }

  add(line: number): void {
    this.bits[line >>> 3]! |= 1 << (line & 7);
    this.count++;
  }

  has(line: number): boolean {
    return ((this.bits[line >>> 3]! >>> (line & 7)) & 1) === 1;
  }
}

/** The lines shown, in order. */
export class LineView {
  private sorted: { readonly sort: SortKey; readonly descending: boolean; readonly order: Uint32Array } | undefined;
  /** `undefined`: all lines in file order. */
  private shown: Uint32Array | undefined;

  constructor(private readonly table: LineTable) {}

  get count(): number {
    return this.shown?.length ?? this.table.length;
  }

  /** Applies a view. If `found` is set, only those lines are shown. */
  arrange({ sort, descending, onlyProblems }: ViewChoice, found: FoundLines | undefined): void {
    const order = sort === 'line' && !descending ? undefined : this.order(sort, descending);
    if (!order) this.sorted = undefined;
    if (!onlyProblems && !found) {
      this.shown = order;
      return;
    }
    const { table } = this;
    const isShown = (line: number) => (!onlyProblems || table.hasProblems(line)) && (!found || found.has(line));
    const shown = new Uint32Array(found?.count ?? table.length);
    let count = 0;
    for (let index = 0; index < table.length; index++) {
      const line = order ? order[index]! : index;
      if (isShown(line)) shown[count++] = line;
    }
    this.shown = shown.slice(0, count);
  }

  lines(from: number, count: number): readonly number[] {
    const end = Math.min(from + count, this.count);
    return Array.from({ length: Math.max(0, end - from) }, (_, index) => this.shown?.[from + index] ?? from + index);
  }

  /** Returns the index at which a line is shown, or `undefined` if it is not. */
  indexOf(line: number): number | undefined {
    if (!this.shown) return line >= 0 && line < this.table.length ? line : undefined;
    const index = this.shown.indexOf(line);
    return index < 0 ? undefined : index;
  }

  private order(sort: SortKey, descending: boolean): Uint32Array {
    if (this.sorted?.sort !== sort || this.sorted.descending !== descending) {
      this.sorted = undefined;
      this.sorted = { sort, descending, order: this.table.sorted(sort, descending) };
    }
    return this.sorted.order;
  }
}
