import { compareIds } from '../compareIds';
import { isShortened, type CellValue } from './answerValues';
import { isAsExpected, isExpectedColumn, propertyOfExpected, sameText } from './expected';
import type { Joined } from './joinFiles';
import type { SourceRows } from './sourceRows';
import { stateOf } from './summarise';

/**
 * The source of a column's values: the run itself, the table its batch file was created from, the JSON of its answers, or a run it is
 * compared with.
 */
export type ColumnGroup = 'run' | 'source' | 'response' | 'reference';

/** A column of the results table. Its values are texts or numbers, by which rows are sorted, filtered and grouped. */
export interface ResultsColumn {
  /** The group and the name: `source:product`. */
  readonly id: string;
  readonly group: ColumnGroup;
  /** As in the table or the answers. For the group `run`, the part of the ID after the colon. */
  readonly label: string;
  /** `expected`: the answer is marked by whether it matches this column. */
  readonly kind: 'text' | 'number' | 'expected';
  /** The share of rows that have a value, from 0 to 1. */
  readonly share: number;
}

interface ColumnValues extends ResultsColumn {
  readonly valueOf: (row: number) => CellValue;
}

/** The column that shows how answers differ from those of the run that this one is compared with. */
export const referenceColumn = 'reference:answer';

/** Reads answers that are too long to be stored. */
export interface LongAnswers {
  text(row: number): string;
  property(row: number, name: string): CellValue;
}

/** The columns of a run, and their values by row. */
export class ResultsColumns {
  readonly all: readonly ResultsColumn[];
  /** The columns shown unless others are chosen. */
  readonly defaults: readonly string[];
  /** The column that shows the marks of expected answers. */
  readonly marked: string;
  /** By row. `undefined` if nothing is expected or it can't be checked. */
  private readonly asExpected: readonly (boolean | undefined)[];
  private readonly byId: ReadonlyMap<string, ColumnValues>;

  constructor(
    joined: Joined,
    readonly source: SourceRows | undefined,
    private readonly long: LongAnswers,
  ) {
    const columns = [...runColumns(joined), ...sourceColumns(joined, source), ...responseColumns(joined)];
    this.byId = new Map(columns.map((column) => [column.id, column]));
    this.all = columns.map(({ valueOf: _values, ...column }) => column);
    const checked = checkExpected(joined, source, long);
    this.asExpected = checked.rows;
    this.marked = checked.property === undefined ? 'run:answer' : `response:${checked.property}`;
    this.defaults = defaultsOf(this.all, this.marked, source);
  }

  /** Whether any answer could be compared with an expected one. */
  get hasExpected(): boolean {
    return this.asExpected.length > 0;
  }

  isAsExpected(row: number): boolean | undefined {
    return this.asExpected[row];
  }

  /** Returns the values of a column; `undefined` if there is no such column. */
  valuesOf(id: string): ((row: number) => CellValue) | undefined {
    return this.byId.get(id)?.valueOf;
  }

  /** Returns a value in full length, also if only its beginning is stored. */
  fullValue(id: string, row: number): CellValue {
    const value = this.valuesOf(id)?.(row);
    const isLong = id.startsWith('response:') && isShortened(value);
    return isLong ? this.long.property(row, id.slice('response:'.length)) : value;
  }

  /** Returns the column of a name that someone typed, ignoring case; own columns come before those of the run. */
  named(name: string): string | undefined {
    const target = name.toLowerCase();
    const found = this.all.filter(({ id, label }) => id.toLowerCase() === target || label.toLowerCase() === target);
    return (found.find(({ group }) => group !== 'run') ?? found[0])?.id;
  }
}

/** Compares values: numbers, and numeric strings, by value, and other strings in natural order. Missing values are last. */
export function compareValues(a: CellValue, b: CellValue): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return compareIds(String(a), String(b));
}

const runNames = [
  'state',
  'customId',
  'line',
  'request',
  'answer',
  'model',
  'finish',
  'tokens',
  'tokensIn',
  'tokensOut',
] as const;
const numbers: ReadonlySet<string> = new Set(['line', 'tokens', 'tokensIn', 'tokensOut']);

function runColumns(joined: Joined): readonly ColumnValues[] {
  const { rows } = joined;
  const values: Readonly<Record<(typeof runNames)[number], (row: number) => CellValue>> = {
    state: (row) => stateOf(joined, row),
    customId: (row) => rows.idOf(row),
    line: (row) => (row < rows.lines && rows.areLines ? row + 1 : undefined),
    // Its texts are in the batch file; rows are sorted as there.
    request: (row) => row,
    answer: (row) => rows.resultAt(row)?.answer?.text,
    model: (row) => rows.resultAt(row)?.model,
    finish: (row) => rows.resultAt(row)?.finish,
    tokens: (row) => rows.tokensOf(row),
    tokensIn: (row) => rows.resultAt(row)?.input,
    tokensOut: (row) => rows.resultAt(row)?.output,
  };
  return runNames.map((name) => ({
    id: `run:${name}`,
    group: 'run',
    label: name === 'customId' ? 'custom_id' : name,
    kind: numbers.has(name) ? 'number' : 'text',
    share: 1,
    valueOf: values[name],
  }));
}

function sourceColumns({ rows }: Joined, source: SourceRows | undefined): readonly ColumnValues[] {
  if (!source) return [];
  return source.columns.map((name, index) => {
    const valueOf = (row: number) => source.fields.get(rows.idOf(row))?.[index];
    return {
      id: `source:${name}`,
      group: 'source',
      label: name,
      kind: isExpectedColumn(name) ? 'expected' : 'text',
      share: shareOf(rows.count, valueOf),
      valueOf,
    };
  });
}

function responseColumns({ rows, properties }: Joined): readonly ColumnValues[] {
  return properties.names.map((name, number) => {
    const valueOf = (row: number) => rows.resultAt(row)?.answer?.properties?.[number];
    let isNumber = true;
    for (let row = 0; row < rows.count && isNumber; row++) isNumber = typeof (valueOf(row) ?? 0) === 'number';
    return {
      id: `response:${name}`,
      group: 'response',
      label: name,
      kind: isNumber ? 'number' : 'text',
      share: shareOf(rows.count, valueOf),
      valueOf,
    };
  });
}

function shareOf(count: number, valueOf: (row: number) => CellValue): number {
  let having = 0;
  for (let row = 0; row < count; row++) if ((valueOf(row) ?? '') !== '') having++;
  return count === 0 ? 0 : having / count;
}

/** So many rows decide which property of the answers is compared. */
const comparedRows = 2000;

function checkExpected(
  { rows, properties }: Joined,
  source: SourceRows | undefined,
  long: LongAnswers,
): { readonly rows: readonly (boolean | undefined)[]; readonly property: string | undefined } {
  const expected = (source?.columns ?? [])
    .map((name, index) => ({ name, index }))
    .filter(({ name }) => isExpectedColumn(name));
  if (!source || expected.length === 0) return { rows: [], property: undefined };
  const { names } = properties;
  const numberOf = new Map(names.map((name, number) => [name, number]));
  const valueAt = (row: number, name: string) => {
    const number = numberOf.get(name);
    const value = number === undefined ? undefined : rows.resultAt(row)?.answer?.properties?.[number];
    return isShortened(value) ? long.property(row, name) : value;
  };
  const own = expected
    .map(({ name }) => propertyOfExpected(name))
    .find((name) => name !== undefined && numberOf.has(name));
  const property = own ?? mostEqual();
  const checked: (boolean | undefined)[] = [];
  for (let row = 0; row < rows.count; row++) {
    const fields = source.fields.get(rows.idOf(row));
    const answer = rows.resultAt(row)?.answer;
    if (!fields || !answer) continue;
    const wholeText = () => answer.text ?? long.text(row);
    const each = expected.flatMap(({ name, index }) => {
      const value = fields[index] ?? '';
      if (value.trim() === '') return [];
      const about = propertyOfExpected(name);
      const compared = about !== undefined && numberOf.has(about) ? about : property;
      const result = isAsExpected(value, { text: wholeText, property: (one) => valueAt(row, one) }, compared);
      return result === undefined ? [] : [result];
    });
    if (each.length > 0) checked[row] = !each.includes(false);
  }
  return { rows: checked, property };

  /** The property that equals the expected value most often; `undefined` if none ever does. */
  function mostEqual(): string | undefined {
    const first = expected[0]!.index;
    let best: { readonly name: string; readonly count: number } | undefined;
    for (const name of names) {
      let count = 0;
      for (let row = 0; row < Math.min(rows.count, comparedRows); row++) {
        const value = valueAt(row, name);
        const target = source!.fields.get(rows.idOf(row))?.[first] ?? '';
        if (value !== undefined && target.trim() !== '' && sameText(target, String(value))) count++;
      }
      if (count > (best?.count ?? 0)) best = { name, count };
    }
    return best?.name;
  }
}

/** How many columns of the table, and of the answers, are shown at first. */
const shownOfSource = 3;
const shownOfResponse = 3;

function defaultsOf(
  columns: readonly ResultsColumn[],
  marked: string,
  source: SourceRows | undefined,
): readonly string[] {
  const isShared = ({ share }: ResultsColumn) => share >= 0.5;
  const ofSource = columns.filter(({ group }) => group === 'source');
  const expected = ofSource.filter(({ kind }) => kind === 'expected').slice(0, 1);
  // The IDs and the prompt have separate columns.
  const others = ofSource.filter(
    ({ kind, label, share }) =>
      kind !== 'expected' && share > 0 && source?.used.includes(label) !== true && !/^(?:custom_)?id$/i.test(label),
  );
  const answers = columns.filter((column) => column.group === 'response' && isShared(column));
  const first = answers.filter(({ id }) => id === marked);
  const shownAnswers = [...first, ...answers.filter(({ id }) => id !== marked)].slice(0, shownOfResponse);
  return [
    'run:state',
    'run:customId',
    'run:request',
    ...[...others.slice(0, shownOfSource - expected.length), ...expected].map(({ id }) => id),
    ...(shownAnswers.length > 0 ? shownAnswers.map(({ id }) => id) : ['run:answer']),
    'run:tokens',
  ];
}
