import * as l10n from '@vscode/l10n';
import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { isObject } from '../../api/isObject';
import { parseJson } from '../../api/parseJson';
import { mostRows, mostRowValues } from '../evalConfig';
import { readExpectation } from './assertions';
import type { WrittenAssertion } from './assertions';

/** A row of a file, whose special columns were read. */
export interface WrittenRow {
  readonly vars: ReadonlyMap<string, unknown>;
  readonly expectations: readonly WrittenAssertion[];
  readonly threshold?: number;
  readonly description?: string;
  readonly metric?: string;
  /** Text before and after each prompt. */
  readonly prefix?: string;
  readonly suffix?: string;
  /** The response, as the file has it. */
  readonly output?: string;
  /** The known grade of that response. */
  readonly gold?: 'pass' | 'fail';
  readonly metadata: ReadonlyMap<string, unknown>;
}

interface RowReading {
  readonly rows: readonly WrittenRow[];
  /** The first thing that is wrong. Rows before it are used. */
  readonly problem?: string;
}

/** Reads the rows of a CSV file, or of lines of JSON as of a JSONL or Parquet file, by the end of its name. */
export function readRowFile(text: string, path: string): RowReading {
  return /\.csv$/i.test(path) ? readCsv(text) : readLines(text);
}

function readCsv(text: string): RowReading {
  const rows: WrittenRow[] = [];
  try {
    const records = parse(text, {
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
      // The header, and one more than may be used: whoever reads them reports it.
      to: mostRows + 2,
    }) as string[][];
    const [header = [], ...lines] = records;
    if (header.length * lines.length > mostRowValues)
      return { rows, problem: l10n.t('The file has more than {0} values.', mostRowValues) };
    for (const cells of lines) {
      const row = toRow(
        header.map((name, index) => [name.trim(), cells[index] ?? '']),
        true,
      );
      if (isUnknownGrade(row)) return { rows, problem: goldProblem() };
      rows.push(row);
    }
    return { rows };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { rows, problem: error.message };
  }
}

/** A row of an OpenAI eval has its members below `item`, and a response below `sample` if it has one. */
function readLines(text: string): RowReading {
  const rows: WrittenRow[] = [];
  let line = 0;
  for (const written of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    line++;
    if (written.trim() === '') continue;
    const value = parseJson(written);
    if (!isObject(value)) return { rows, problem: l10n.t("Line {0} isn't a JSON object.", line) };
    const members = isObject(value['item']) ? value['item'] : isObject(value['vars']) ? value['vars'] : value;
    const sample = isObject(value['item']) && isObject(value['sample']) ? value['sample']['output_text'] : undefined;
    const row = toRow(Object.entries(members), false, typeof sample === 'string' ? sample : undefined);
    if (isUnknownGrade(row)) return { rows, problem: goldProblem() };
    rows.push(row);
    if (rows.length > mostRows) break;
  }
  return { rows };
}

const textColumns = {
  __description: 'description',
  __metric: 'metric',
  __prefix: 'prefix',
  __suffix: 'suffix',
  __providerOutput: 'output',
} as const;
const configColumn = /^__config:(?:__expected(\d*)):threshold$/;

/** Reads the grade of a gold row, which needs a response. */
export function goldOf(grade: unknown, output: string | undefined): 'pass' | 'fail' | undefined {
  return output !== undefined && (grade === 'pass' || grade === 'fail') ? grade : undefined;
}

export function goldProblem(): string {
  return l10n.t('A gold row requires a response in providerOutput, and a grade: pass or fail.');
}

function isUnknownGrade({ gold, metadata }: WrittenRow): boolean {
  return gold === undefined && metadata.has('gold');
}

function toRow(
  cells: readonly (readonly [name: string, value: unknown])[],
  isCsv: boolean,
  sample?: string,
): WrittenRow {
  const vars = new Map<string, unknown>();
  const metadata = new Map<string, unknown>();
  const expectations: (WrittenAssertion & { readonly place: string })[] = [];
  const limits = new Map<string, number>();
  let own: Partial<WrittenRow> = sample === undefined ? {} : { output: sample };
  for (const [name, value] of cells) {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const expected = /^__expected(\d*)$/.exec(name);
    const config = configColumn.exec(name);
    if (!name.startsWith('__')) vars.set(name, value);
    else if (text === '' || text === undefined) continue;
    else if (expected) expectations.push({ ...readExpectation(text), place: expected[1] || '1' });
    else if (config && Number.isFinite(Number(text))) limits.set(config[1] || '1', Number(text));
    else if (name.startsWith('__metadata:')) metadata.set(...metadataOf(name.slice('__metadata:'.length), text));
    else if (name === '__threshold' && Number.isFinite(Number(text))) own = { ...own, threshold: Number(text) };
    else if (Object.hasOwn(textColumns, name) && (isCsv || /^__(?:description|metric)$/.test(name)))
      own = { ...own, [textColumns[name as keyof typeof textColumns]]: text };
    // A name that begins like this but has no meaning is a column as any other.
    else if (!isCsv || !name.startsWith('__config:')) vars.set(name, value);
  }
  const gold = goldOf(metadata.get('gold'), own.output);
  return {
    vars,
    metadata,
    ...own,
    ...(gold && { gold }),
    expectations: expectations.map(({ place, ...one }) => {
      const limit = limits.get(place);
      return limit === undefined ? one : { ...one, threshold: limit };
    }),
  };
}

/** `tags[]` has several values between commas; a comma after a backslash is part of a value. */
function metadataOf(name: string, text: string): readonly [string, unknown] {
  if (!name.endsWith('[]')) return [name, text];
  const parts = text.match(/(?:\\,|[^,])+/g) ?? [];
  return [name.slice(0, -2), parts.map((part) => part.replaceAll('\\,', ',').trim())];
}
