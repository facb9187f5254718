import { MakingError } from '../../making/makingError';
import { writingWords } from '../../words/resultWords';
import type { ResultsTable } from '../resultsTable';
import { writeRows } from '../writeRows';
import type { WriteOptions } from '../writeRows';
import { csvHeader, toCsvRow } from './csvRow';
import type { ExportFormat, ExportRequest, ExportResult } from './exportRequest';
import { readExported } from './exportedRow';
import type { ExportedRow } from './exportedRow';
import { toJsonLine } from './jsonLine';
import { markdownHeader, toMarkdown } from './markdownRow';

interface Form {
  readonly header: (() => string) | undefined;
  readonly row: (row: ExportedRow) => string;
}

const forms: Readonly<Record<ExportFormat, Form>> = {
  jsonl: { header: undefined, row: toJsonLine },
  csv: { header: csvHeader, row: toCsvRow },
  markdown: { header: markdownHeader, row: toMarkdown },
};

/** Writes requests beside their results. Throws a `MakingError` if the file cannot be written. */
export async function exportResults(
  table: ResultsTable,
  { format, what, target, replace }: ExportRequest,
  options: WriteOptions,
): Promise<ExportResult> {
  const rows = table.rowsOf(what);
  if (rows.length === 0) throw new MakingError(writingWords.nothing());
  const { header, row: toText } = forms[format];
  const { bytes } = await writeRows(table, {
    ...options,
    target,
    replace,
    rows,
    before: (file) => header && file.line(Buffer.from(header())),
    row: (row, file) => file.line(Buffer.from(toText(readExported(table.part(row), table.texts(row))))),
  });
  return { rows: rows.length, bytes };
}
