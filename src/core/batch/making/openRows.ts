import path from 'node:path';
import type { ProgressMonitor } from '../../async/progressMonitor';
import type { TextEncoding } from '../../workspace/textEncoding';
import { rowWords } from '../words/makingWords';
import { openJson } from './jsonRows';
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

/**
 * Opens a table whose first line names its columns. The separator of a CSV file is the most frequent candidate in that line, unless a
 * line before it tells the separator, as Excel reads and writes it: `sep=;`.
 */
async function openCsv(path: string, kind: 'csv' | 'tsv', encoding: TextEncoding | undefined): Promise<RowSource> {
  const { size } = await stat(path);
  const start = await startOf(path, encoding);
  const separator = /^"?sep=(.)\1*"?[\r\n]/i.exec(start)?.[1];
  const format: Options = {
    delimiter: separator ?? (kind === 'tsv' ? '\t' : commonSeparator(start)),
    ...(separator !== undefined && { from_line: 2 }),
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
        if (!isHeader && fields.length !== columns.length)
          throw new MakingError(rowWords.wrongLength(line, columns.length));
        if (!isHeader) yield fields;
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

/** `start`: that of the file, with the header. */
function commonSeparator(start: string): string {
  const [line = ''] = start.replaceAll(/"[^"]*"/g, '').split(/[\r\n]/, 1);
  const counts = separators.map((separator) => line.split(separator).length);
  return separators[counts.indexOf(counts.reduce((most, one) => Math.max(most, one), -Infinity))] ?? ',';
}
