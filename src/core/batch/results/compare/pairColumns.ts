import { Column } from '../../preview/column';
import { IdStore } from '../../preview/idStore';
import type { ResultColumns } from '../resultColumns';
import type { PairState } from './comparisonView';

const states: readonly PairState[] = ['different', 'onlyA', 'onlyB', 'neither', 'same'];
/** The answers are the same apart from white space and case. */
const looselySame = 1 << 3;

/** The ids of two runs: the row in each, and how they compare. Some twenty bytes for each, plus its id. */
export class PairColumns {
  length = 0;
  readonly ids = new IdStore();
  private readonly rowsA = new Column((length) => new Uint32Array(length));
  private readonly rowsB = new Column((length) => new Uint32Array(length));
  private readonly states = new Column((length) => new Uint8Array(length));

  /** Pairs the rows of the same id. A run that does not have the id has no row. */
  constructor(a: ResultColumns, b: ResultColumns) {
    for (let row = 0; row < a.rows; row++) {
      const id = a.ids.get(row);
      if (id.length > 0 && a.firstOf(row) === row) this.add(id, row, b.findKey(id));
    }
    for (let row = 0; row < b.rows; row++) {
      const id = b.ids.get(row);
      if (id.length > 0 && b.firstOf(row) === row && a.findKey(id) === undefined) this.add(id, undefined, row);
    }
  }

  rowA(pair: number): number | undefined {
    const row = this.rowsA.get(pair);
    return row === 0 ? undefined : row - 1;
  }

  rowB(pair: number): number | undefined {
    const row = this.rowsB.get(pair);
    return row === 0 ? undefined : row - 1;
  }

  setState(pair: number, state: PairState, isLooselySame = state === 'same'): void {
    this.states.set(pair, states.indexOf(state) | (isLooselySame ? looselySame : 0));
  }

  stateOf(pair: number, isLoose: boolean): PairState {
    const state = this.states.get(pair);
    if (isLoose && (state & looselySame) !== 0) return 'same';
    return states[state & (looselySame - 1)] ?? 'neither';
  }

  /** Differences come first because they are what people look for. */
  rankOf(pair: number, isLoose: boolean): number {
    return states.indexOf(this.stateOf(pair, isLoose));
  }

  private add(id: Uint8Array, a: number | undefined, b: number | undefined): void {
    this.rowsA.set(this.length, a === undefined ? 0 : a + 1);
    this.rowsB.set(this.length, b === undefined ? 0 : b + 1);
    this.ids.set(this.length, id);
    this.length++;
  }
}
