import type { WalkedLine } from '../disk/fileWalk';
import type { Severity } from '../problem';
import { Column } from './column';
import { IdStore } from './idStore';

export interface ProblemCounts {
  readonly error: number;
  readonly warning: number;
  readonly hint: number;
}

export type SortKey = 'line' | 'customId' | 'model' | 'size' | 'problems';

/** The most problems of a severity that are counted in one line. */
const mostCounted = 255;
/** The number of all models beyond this many others. */
const otherModels = 0xffff;

/** What is known about every line of a file: some twenty bytes, plus its id. */
export class LineTable {
  /** The number of lines. */
  length = 0;

  private readonly starts = new Column((length) => new Float64Array(length));
  private end = 0;
  private readonly ids = new IdStore();
  private readonly models = new Column((length) => new Uint16Array(length));
  /** From 1, in order of first use; 0 is none. */
  private readonly modelNumbers = new Map<string, number>();
  private readonly counts = {
    error: new Column((length) => new Uint8Array(length)),
    warning: new Column((length) => new Uint8Array(length)),
    hint: new Column((length) => new Uint8Array(length)),
  };

  add({ start, end, customId, model }: WalkedLine): void {
    const line = this.length++;
    this.starts.set(line, start);
    this.end = end;
    if (customId) this.ids.set(line, customId);
    if (model !== undefined) this.models.set(line, this.modelNumber(model));
  }

  /** Counts a problem of a line, which may be reported before the line is. */
  count(line: number, severity: Severity): void {
    const column = this.counts[severity];
    column.set(line, Math.min(column.get(line) + 1, mostCounted));
  }

  problems(line: number): ProblemCounts {
    const { error, warning, hint } = this.counts;
    return { error: error.get(line), warning: warning.get(line), hint: hint.get(line) };
  }

  hasProblems(line: number): boolean {
    const { error, warning, hint } = this.counts;
    return error.get(line) + warning.get(line) + hint.get(line) > 0;
  }

  start(line: number): number {
    return this.starts.get(line);
  }

  /** Returns the position where the next line begins, or where the last one ends. */
  endOf(line: number): number {
    return line + 1 < this.length ? this.starts.get(line + 1) : this.end;
  }

  /** Returns the size in bytes, up to the next line. */
  size(line: number): number {
    return this.endOf(line) - this.start(line);
  }

  /** Returns the lines sorted by a key; lines with equal keys stay in file order. */
  sorted(key: SortKey, descending: boolean): Uint32Array {
    const order = new Uint32Array(this.length);
    for (let line = 0; line < order.length; line++) order[line] = line;
    const compare = this.comparison(key);
    const sign = descending ? -1 : 1;
    return order.sort((a, b) => sign * compare(a, b) || a - b);
  }

  private comparison(key: SortKey): (a: number, b: number) => number {
    switch (key) {
      case 'line':
        return (a, b) => a - b;
      case 'customId':
        return (a, b) => this.ids.compare(a, b);
      case 'size':
        return (a, b) => this.size(a) - this.size(b);
      case 'model': {
        const ranks = this.modelRanks();
        return (a, b) => ranks[this.models.get(a)]! - ranks[this.models.get(b)]!;
      }
      case 'problems': {
        const { error, warning, hint } = this.counts;
        const weight = (line: number) => (error.get(line) << 16) | (warning.get(line) << 8) | hint.get(line);
        return (a, b) => weight(a) - weight(b);
      }
    }
  }

  /** Returns the rank by name of each model number. Lines without a model come first. */
  private modelRanks(): Uint32Array {
    const ranks = new Uint32Array(otherModels + 1);
    const names = [...this.modelNumbers].toSorted(([a], [b]) => (a < b ? -1 : 1));
    for (const [rank, [, number]] of names.entries()) ranks[number] = rank + 1;
    ranks[otherModels] = names.length + 1;
    return ranks;
  }

  private modelNumber(model: string): number {
    const known = this.modelNumbers.get(model);
    if (known !== undefined) return known;
    if (this.modelNumbers.size + 1 >= otherModels) return otherModels;
    this.modelNumbers.set(model, this.modelNumbers.size + 1);
    return this.modelNumbers.size;
  }
}
