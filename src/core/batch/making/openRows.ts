import path from 'node:path';
import type { ProgressMonitor } from '../../async/progressMonitor';
import type { TextEncoding } from '../../workspace/textEncoding';
import { readLines } from '../transform/lines';
import { rowWords } from '../words/makingWords';
import { MakingError } from './makingError';
import { mostColumns } from './rowSource';
import type { RowSource } from './rowSource';
import { stat } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { CsvError, parse, type Options } from 'csv-parse';
import type { Row } from './template';
import { utf8Pieces } from './utf8File';

/** Opens a file by its extension and reads its columns. `encoding`: that of a file that is not UTF-8. Throws if opening fails, or `MakingError` if its content is invalid. */
export async function openRows(file: string, encoding?: TextEncoding): Promise<RowSource> {
  switch (path.extname(file).toLowerCase()) {
    case '.csv':
      return openCsv(file, 'csv', encoding);
    case '.tsv':
    case '.tab':
      return openCsv(file, 'tsv', encoding);
    case '.json':
      return openJson(file, 'array', encoding);
    case '.jsonl':
    case '.ndjson':
      return openJson(file, 'lines', encoding);
    default:
      throw new MakingError(rowWords.unknownKind());
  }
}

/** In characters. A row is a request, and one that contains an image is a few megabytes long. */
const longestRow = 1 << 27;
const separators = [',', ';', '\t', '|'] as const;

const blankLines = /^(?:[ \t]*(?:\r\n|[\r\n]))+/;
/** After blank lines, and with the separators that programs add to it to get as many columns as in other lines. */
const declaration = /^(?:[ \t]*(?:\r\n|[\r\n]))*"?sep *= *(.)\1*"? *(?:\r\n|[\r\n])/i;

/**
 * Opens a table whose first line names its columns. The separator of a CSV file is the most frequent candidate in that line, unless a line
 * before it declares the separator, as Excel reads and writes it: `sep=;`.
 */
async function openCsv(path: string, kind: 'csv' | 'tsv', encoding: TextEncoding | undefined): Promise<RowSource> {
  const { size } = await stat(path);
  const start = await startOf(path, encoding);
  const [skipped = '', separator] = declaration.exec(start) ?? blankLines.exec(start) ?? [];
  const format: Options = {
    delimiter: separator ?? (kind === 'tsv' ? '\t' : commonSeparator(start)),
    from_line: skipped.split(/\r\n|[\r\n]/).length,
    // Some programs append lines with other line breaks than those of the first lines.
    record_delimiter: /[\r\n]+/.exec(withoutQuoted(start))?.[0].includes('\n') === false ? '\r' : ['\r\n', '\n'],
    // Some programs write tab-separated tables with quoting, others with literal quotes.
    relax_quotes: kind === 'tsv',
  };
  const read = (monitor?: Partial<ProgressMonitor>) => records(path, { format, encoding }, monitor);
  const columns = await readHeader(read());
  return {
    columns,
    bytes: size,
    async *rows(monitor) {
      let isHeader = true;
      for await (const { line, fields } of read(monitor)) {
        // Some programs end rows with separators of columns that have no name.
        const isWhole = fields.length >= columns.length && fields.slice(columns.length).every((field) => field === '');
        if (!isHeader && !isWhole) throw new MakingError(rowWords.wrongLength(line, columns.length));
        if (!isHeader) yield fields.slice(0, columns.length);
        isHeader = false;
      }
    },
  };
}

async function readHeader(rows: AsyncIterable<Numbered>): Promise<readonly string[]> {
  for await (const { fields } of rows) {
    if (fields.length > mostColumns) throw new MakingError(rowWords.tooManyColumns(String(mostColumns)));
    const columns = fields.map((name, index) => name.trim() || rowWords.unnamedColumn(index + 1));
    const known = new Set<string>();
    const repeated = columns.find((name) => known.size === known.add(name).size);
    if (repeated !== undefined) throw new MakingError(rowWords.repeatedColumn(repeated));
    return columns;
  }
  throw new MakingError(rowWords.noHeader());
}

interface Numbered {
  /** The line where the row ends, from 1. */
  readonly line: number;
  readonly fields: Row;
}

async function* records(
  path: string,
  { format, encoding }: { readonly format: Options; readonly encoding: TextEncoding | undefined },
  monitor?: Partial<ProgressMonitor>,
): AsyncGenerator<Numbered, void, undefined> {
  const parser = parse({
    ...format,
    skip_empty_lines: true,
    // Spreadsheets save rows that were cleared as separators alone.
    skip_records_with_empty_values: true,
    relax_column_count: true,
    max_record_size: longestRow,
    info: true,
  });
  // The parser reports errors and is destroyed with the pipeline.
  pipeline(Readable.from(utf8Pieces(path, monitor, encoding)), parser, () => undefined);
  try {
    for await (const { info, record } of parser as AsyncIterable<{ info: { lines: number }; record: string[] }>) {
      yield { line: info.lines, fields: record };
    }
  } catch (error) {
    throw error instanceof CsvError ? new MakingError(csvWords(error)) : error;
  }
}

const wordsByCode: Readonly<Partial<Record<string, (line: number) => string>>> = {
  CSV_QUOTE_NOT_CLOSED: rowWords.openQuote,
  CSV_INVALID_CLOSING_QUOTE: rowWords.wrongQuote,
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: rowWords.wrongQuote,
  INVALID_OPENING_QUOTE: rowWords.wrongQuote,
  CSV_MAX_RECORD_SIZE: (line) => rowWords.tooLongRow(line, '128 MB'),
};

function csvWords(error: CsvError): string {
  return wordsByCode[error.code]?.(Number(error['lines'] ?? 0)) ?? rowWords.csvError(error.message);
}

async function startOf(path: string, encoding: TextEncoding | undefined): Promise<string> {
  for await (const piece of utf8Pieces(path, {}, encoding)) if (piece.length > 0) return piece.toString('utf8');
  return '';
}

function withoutQuoted(text: string): string {
  return text.replaceAll(/"[^"]*"/g, '');
}

/** `start`: that of the file, with the header. */
function commonSeparator(start: string): string {
  const [line = ''] = withoutQuoted(start)
    .replace(blankLines, '')
    .split(/[\r\n]/, 1);
  const counts = separators.map((separator) => line.split(separator).length);
  return separators[counts.indexOf(counts.reduce((most, one) => Math.max(most, one), -Infinity))] ?? ',';
}

/** The columns are those of this many first rows. Properties that occur only in later rows are ignored. */
const rowsLookedAt = 1000;

/** Opens JSON objects, as an array or one per line, whose members are the columns. A missing member is an empty text. */
async function openJson(path: string, kind: 'array' | 'lines', encoding?: TextEncoding): Promise<RowSource> {
  const { size } = await stat(path);
  const read = (monitor?: Partial<ProgressMonitor>) =>
    objects(kind === 'array' ? arrayItems(utf8Pieces(path, monitor, encoding)) : lineItems(path, encoding, monitor));
  const columns = await findColumns(read());
  return {
    columns,
    bytes: size,
    async *rows(monitor) {
      const places = new Map(columns.map((name, index) => [name, index]));
      for await (const object of read(monitor)) yield toRow(object, places);
    },
  };
}

type RowObject = Readonly<Record<string, unknown>>;

async function findColumns(rows: AsyncIterable<RowObject>): Promise<readonly string[]> {
  const columns = new Set<string>();
  let looked = 0;
  for await (const row of rows) {
    for (const name of Object.keys(row)) columns.add(name);
    if (columns.size > mostColumns) throw new MakingError(rowWords.tooManyColumns(String(mostColumns)));
    if (++looked === rowsLookedAt) break;
  }
  if (looked === 0) throw new MakingError(rowWords.noRows());
  return [...columns];
}

function toRow(object: RowObject, places: ReadonlyMap<string, number>): Row {
  const row: string[] = [];
  for (const [name, value] of Object.entries(object)) {
    const place = places.get(name);
    if (place !== undefined) row[place] = toText(value);
  }
  return row;
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null ? '' : JSON.stringify(value);
}

async function* lineItems(
  path: string,
  encoding: TextEncoding | undefined,
  monitor?: Partial<ProgressMonitor>,
): AsyncGenerator<Buffer> {
  for await (const lines of readLines(path, { ...monitor, isStrict: true, encoding }))
    for (const { bytes } of lines) yield bytes;
}

async function* objects(items: AsyncIterable<Buffer>): AsyncGenerator<RowObject> {
  let number = 0;
  for await (const item of items) {
    number++;
    const value = parseItem(item, number);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new MakingError(rowWords.notObject(number));
    }
    yield value as RowObject;
  }
}

function parseItem(item: Buffer, number: number): unknown {
  try {
    return JSON.parse(item.toString('utf8'));
  } catch {
    throw new MakingError(rowWords.notJson(number));
  }
}

const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** The same limit as for a line. */
const longestItem = 1 << 27;

const isSpace = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/**
 * Yields the items of a JSON array of any size as bytes, split at the commas between them. The content of an item is not checked
 * and may be invalid JSON.
 */
export async function* arrayItems(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const cutter = new ItemCutter();
  for await (const piece of pieces) yield* cutter.add(piece);
  cutter.end();
}

class ItemCutter {
  /** 0: before the array, 1: between its items, more: within an item. */
  private depth = 0;
  private isEnded = false;
  private isInText = false;
  private isEscaped = false;
  private count = 0;
  private held: Buffer[] = [];
  private heldBytes = 0;

  /** Yields the items that end in this chunk. */
  *add(piece: Buffer): Iterable<Buffer> {
    let start = 0;
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at]!;
      if (this.isInText) {
        this.inText(byte);
      } else if (this.depth === 0) {
        this.outside(byte);
        start = at + 1;
      } else if (this.depth === 1 && (byte === comma || byte === closeBracket)) {
        yield* this.cut(piece.subarray(start, at), byte === closeBracket);
        start = at + 1;
      } else {
        this.inItem(byte);
      }
    }
    this.hold(piece.subarray(start));
  }

  end(): void {
    if (!this.isEnded) throw new MakingError(this.depth === 0 ? rowWords.notArray() : rowWords.cutOff());
  }

  private outside(byte: number): void {
    if (isSpace(byte)) return;
    if (this.isEnded) throw new MakingError(rowWords.behindArray());
    if (byte !== openBracket) throw new MakingError(rowWords.notArray());
    this.depth = 1;
  }

  private inText(byte: number): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (byte === backslash) this.isEscaped = true;
    else if (byte === quote) this.isInText = false;
  }

  private inItem(byte: number): void {
    if (byte === quote) this.isInText = true;
    else if (byte === openBrace || byte === openBracket) this.depth++;
    else if (byte === closeBrace || byte === closeBracket) this.depth--;
    if (this.depth === 0) throw new MakingError(rowWords.notJson(this.count + 1));
  }

  private *cut(rest: Buffer, isLast: boolean): Iterable<Buffer> {
    const item = this.held.length === 0 ? rest : Buffer.concat([...this.held, rest]);
    this.held = [];
    this.heldBytes = 0;
    if (isLast) {
      this.depth = 0;
      this.isEnded = true;
      if (this.count === 0 && item.every(isSpace)) return;
    }
    this.count++;
    yield item;
  }

  private hold(rest: Buffer): void {
    if (this.depth === 0 || rest.length === 0) return;
    this.held.push(rest);
    this.heldBytes += rest.length;
    if (this.heldBytes > longestItem) throw new MakingError(rowWords.tooLongItem(this.count + 1, '128 MB'));
  }
}
