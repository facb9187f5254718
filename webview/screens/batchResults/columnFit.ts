import type { ResultsColumn } from '../../../src/protocol/batchResults';

/** A column as it is drawn. */
export interface DrawnColumn {
  readonly id: string;
  readonly label: string;
  /** The cells get the class `results-cell-<name>`. */
  readonly name: string;
  readonly isNumber: boolean;
  /** In CSS. */
  readonly width: string;
}

export interface DrawnColumns {
  readonly columns: readonly DrawnColumn[];
  /** The pixels that columns need at least which someone chose or resized: if the table is narrower, it scrolls. Otherwise 0. */
  readonly leastWidth: number;
}

interface Measure {
  readonly name: string;
  readonly least: number;
  /** Share of the remaining width; 0 for a fixed one. */
  readonly share: number;
}

const measures: Readonly<Record<string, Measure>> = {
  'run:state': { name: 'state', least: 104, share: 0 },
  'run:customId': { name: 'id', least: 100, share: 1.1 },
  'run:request': { name: 'request', least: 120, share: 2.4 },
  'run:answer': { name: 'answer', least: 120, share: 2.4 },
  'run:tokens': { name: 'tokens', least: 84, share: 0 },
};
const ofNumber: Measure = { name: 'number', least: 84, share: 0 };
const ofValue: Measure = { name: 'value', least: 90, share: 1 };
/** Up to this width of the table, the state is only a symbol. */
const symbolWidth = 640;
/** Up to this width, only the id and one response are shown. */
const narrowWidth = 440;
const padding = 32;
const leastColumn = 24;

/**
 * Returns the columns that fit into a table of a width in pixels. Unless the user selected the columns, the less important ones are omitted
 * if the table is narrow. `expected` is the column with the expected answers.
 */
export function fitColumns(
  all: readonly ResultsColumn[],
  {
    ids,
    widths,
    isChosen,
    isBeside,
    width,
    always = [],
  }: {
    readonly ids: readonly string[];
    readonly widths: Readonly<Record<string, number>>;
    readonly isChosen: boolean;
    /** Whether the table is next to the details of a row. */
    readonly isBeside: boolean;
    readonly width: number;
    /** Columns that are never omitted. */
    readonly always?: readonly string[];
  },
): DrawnColumns {
  const columns = ids.flatMap((id) => all.find((column) => column.id === id) ?? plainColumn(id));
  const least = (column: ResultsColumn) => widths[column.id] ?? leastOf(column, width);
  let shown = columns;
  // Next to the details, which show the rest, only what is compared.
  const isNarrow = width <= narrowWidth || (isBeside && width <= symbolWidth);
  const isFitted = !isChosen && !columns.some(({ id }) => id in widths);
  if (!isChosen && width > 0) {
    const total = () => shown.reduce((sum, column) => sum + least(column), padding);
    for (const { id } of dropOrder(columns, isNarrow)) {
      if (always.includes(id)) continue;
      if (isExpected(id) && width > narrowWidth && total() <= width) continue;
      if (!isNarrow && total() <= width) break;
      shown = shown.filter((column) => column.id !== id);
    }
  }
  return {
    columns: shown.map((column) => ({
      id: column.id,
      label: column.label,
      name: measureOf(column).name,
      isNumber: column.isNumber,
      width: cssWidth(column, widths[column.id], width),
    })),
    leastWidth: isFitted ? 0 : shown.reduce((sum, column) => sum + least(column), padding),
  };
}

/** The columns that can be omitted, the least important one first. */
function dropOrder(columns: readonly ResultsColumn[], isNarrow: boolean): readonly ResultsColumn[] {
  const answers = columns.filter(({ id, group }) => group === 'response' || id === 'run:answer');
  const fixed = new Set(['run:state', 'run:customId', answers[0]?.id]);
  const rank = ({ id, group }: ResultsColumn) => {
    if (id === 'run:request') return 4;
    if (id === 'run:tokens') return 3;
    if (group === 'source') return isExpected(id) ? 3.5 : 0;
    return group === 'response' ? 1 : 2;
  };
  const optional = columns.filter(({ id }) => !fixed.has(id) && (isNarrow || id !== 'run:request'));
  return optional.toReversed().toSorted((a, b) => rank(a) - rank(b));
}

function isExpected(id: string): boolean {
  return /^source:_*expected/i.test(id);
}

function plainColumn(id: string): ResultsColumn {
  return { id, group: 'run', label: '', isNumber: false, share: '' };
}

function measureOf({ id, isNumber }: ResultsColumn): Measure {
  return measures[id.replace(/@\d+$/, '')] ?? (isNumber ? ofNumber : ofValue);
}

function leastOf(column: ResultsColumn, width: number): number {
  const { least } = measureOf(column);
  if (width > symbolWidth) return least;
  return column.id === 'run:state' ? 28 : Math.round(least * 0.75);
}

function cssWidth(column: ResultsColumn, own: number | undefined, width: number): string {
  if (own !== undefined) return `${Math.max(leastColumn, own)}px`;
  const { share } = measureOf(column);
  const least = leastOf(column, width);
  return share === 0 ? `${least}px` : `minmax(${width <= narrowWidth ? 0 : least}px, ${share}fr)`;
}
