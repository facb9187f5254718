import type { TextPart } from '../textSplit';

const separators = [',', ';', '\t', '|'] as const;
const mostColumns = 1000;

interface Table {
  /** Names of the columns, in order. */
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}

interface Row {
  readonly start: number;
  readonly end: number;
  readonly fields: readonly string[];
}

/**
 * Returns the rows of a CSV or TSV table, or `undefined` for other text. `columns` are the names of the columns to send, or all if none of
 * them is in the table. A single column is sent unchanged, several with their names. A row whose columns are blank has a blank text.
 */
export function tableParts(text: string, columns: readonly string[]): readonly TextPart[] | undefined {
  const table = readTable(text);
  if (!table) return undefined;
  const chosen = chosenColumns(table.columns, columns);
  const places = chosen.map((name) => table.columns.indexOf(name));
  return table.rows.map(({ start, end, fields }) => {
    const values = places.map((place) => (fields[place] ?? '').trim());
    const [only = ''] = values;
    const named = values.flatMap((value, at) => (value === '' ? [] : [`${chosen[at]}: ${value}`]));
    return { start, end, text: values.length === 1 ? only : named.join('\n') };
  });
}

/** Returns the columns of a table, or `undefined` for other text. */
export function tableColumns(text: string): readonly string[] | undefined {
  return readTable(text)?.columns;
}

/** Returns the columns of a table that are in `chosen`, in the table's order, or all of its columns if there are none. */
export function chosenColumns(columns: readonly string[], chosen: readonly string[]): readonly string[] {
  const found = columns.filter((name) => chosen.includes(name));
  return found.length > 0 ? found : columns;
}

/** A table has a header of at least two different names, and as many fields in each of its rows. */
function readTable(text: string): Table | undefined {
  const begin = /^\uFEFF?(?:"?sep=.\S*"?(?:\r\n|\r|\n))?/i.exec(text)?.[0].length ?? 0;
  const separator = /^\uFEFF?"?sep=(.)/i.exec(text)?.[1] ?? separatorOf(text, begin);
  if (separator === undefined) return undefined;
  let columns: readonly string[] | undefined;
  const rows: Row[] = [];
  for (const row of readRows(text, begin, separator)) {
    if (!columns) {
      columns = row.fields.map((name) => name.trim());
      const isHeader = columns.length > 1 && !columns.includes('') && new Set(columns).size === columns.length;
      if (!isHeader || columns.length > mostColumns) return undefined;
    } else if (row.fields.length === columns.length) {
      if (row.fields.some((field) => field.trim() !== '')) rows.push(row);
    } else return undefined;
  }
  return columns && rows.length > 0 ? { columns, rows } : undefined;
}

/** Returns the separator that is most frequent in the header, outside of quotes. */
function separatorOf(text: string, begin: number): string | undefined {
  const counts = new Map<string, number>();
  let isQuoted = false;
  for (let at = begin; at < text.length; at++) {
    const sign = text[at]!;
    if (sign === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (sign === '\n' || sign === '\r') break;
    else if (separators.some((one) => one === sign)) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  }
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0];
}

/** Reads rows with quoted fields, which can contain separators, line ends and doubled quotes. Leaves out empty lines. */
function* readRows(text: string, begin: number, separator: string): Generator<Row> {
  let at = begin;
  while (at < text.length) {
    const start = at;
    const fields: string[] = [];
    for (;;) {
      const field = readField(text, at, separator);
      fields.push(field.value);
      at = field.end;
      if (text[at] !== separator) break;
      at += 1;
    }
    if (at > start) yield { start, end: at, fields };
    at += text.startsWith('\r\n', at) ? 2 : 1;
  }
}

function readField(text: string, start: number, separator: string): { readonly value: string; readonly end: number } {
  let value = '';
  let at = start;
  if (text[at] === '"') {
    for (;;) {
      const quote = text.indexOf('"', at + 1);
      value += text.slice(at + 1, quote < 0 ? text.length : quote);
      if (quote < 0) return { value, end: text.length };
      at = quote + 1;
      if (text[at] !== '"') break;
      value += '"';
    }
  }
  const end = fieldEnd(text, at, separator);
  return { value: value + text.slice(at, end), end };
}

function fieldEnd(text: string, start: number, separator: string): number {
  let at = start;
  while (at < text.length && text[at] !== separator && text[at] !== '\n' && text[at] !== '\r') at += 1;
  return at;
}
