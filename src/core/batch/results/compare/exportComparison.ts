import type { ProgressMonitor } from '../../../async/progressMonitor';
import { toJson } from '../../scan/jsonValue';
import { quoted } from '../../trial/markdown';
import { MakingError } from '../../making/makingError';
import { comparisonWords, markdownWords, writingWords } from '../../words/resultWords';
import type { CellValue } from '../answerValues';
import { csvLine, escaped, unusedName } from '../exportResults';
import type { ExportFormat, ExportRequest, ExportResult } from '../exportResults';
import { answerText, readResultLine } from '../rowTexts';
import { writeRows } from '../writeRows';
import type { Comparison } from './comparison';
import { runLetter } from './comparisonView';

interface ExportedRow {
  readonly customId: string;
  readonly state: string;
  readonly request: string;
  /** The fields of the table that the batch file was made from. */
  readonly fields: readonly CellValue[];
  /** By run. `undefined` if the run has no result for it. */
  readonly answers: readonly (string | undefined)[];
}

interface Form {
  readonly header: (() => string) | undefined;
  readonly row: (row: ExportedRow) => string;
}

/** `names` are those of all columns of a table. */
function formOf(format: ExportFormat, names: readonly string[]): Form {
  const cellsOf = ({ customId, state, request, fields, answers }: ExportedRow) => [
    customId,
    state,
    request,
    ...fields,
    ...answers,
  ];
  switch (format) {
    case 'jsonl':
      return {
        header: undefined,
        row: (row) => {
          const cells = cellsOf(row);
          return toJson(Object.fromEntries(names.map((name, index) => [name, cells[index] ?? null])));
        },
      };
    case 'csv':
      return { header: () => `\ufeff${csvLine(names)}`, row: (row) => csvLine(cellsOf(row)) };
    case 'markdown':
      return { header: () => `# ${comparisonWords.title()}\n`, row: toMarkdown };
  }
}

/** Writes the rows shown, in order, with the complete answers of all runs. Throws a `MakingError` if the file cannot be written. */
export async function exportComparison(
  comparison: Comparison,
  { format, target, replace, columns = [] }: Omit<ExportRequest, 'what'>,
  monitor: ProgressMonitor<[part: number]>,
): Promise<ExportResult> {
  const rows = comparison.shownRows;
  if (rows.length === 0) throw new MakingError(writingWords.nothing());
  const ofSource = comparison.columns.all.filter(({ id, group }) => group === 'source' && columns.includes(id));
  const letters = [...comparison.tables.keys()].map((run) => runLetter(run).toLowerCase());
  const taken = new Set(['custom_id', 'state', 'request', ...letters]);
  const fields = ofSource.map(({ label }) => unusedName(label, 'source', taken));
  const { header, row: toText } = formOf(format, ['custom_id', 'state', 'request', ...fields, ...letters]);
  const read = (row: number): ExportedRow => {
    const { customId, state, request } = comparison.row(row, []);
    return {
      customId,
      state,
      request,
      fields: ofSource.map(({ id }) => comparison.sharedValue(id, row)),
      answers: [...comparison.tables.keys()].map((run) => textOf(comparison, row, run)),
    };
  };
  const { bytes } = await writeRows(comparison, {
    ...monitor,
    target,
    replace,
    rows,
    before: (file) => header && file.line(Buffer.from(header())),
    row: (row, file) => file.line(Buffer.from(toText(read(row)))),
  });
  return { rows: rows.length, bytes };
}

function textOf(comparison: Comparison, row: number, run: number): string | undefined {
  const place = comparison.placeOf(row, run);
  const result = place === undefined ? undefined : readResultLine(comparison.tables[run]!.texts(place).result);
  return result && answerText(result);
}

function toMarkdown({ customId, state, request, answers }: ExportedRow): string {
  const side = (title: string, text: string | undefined) => [
    `### ${title}`,
    text === undefined ? `*${markdownWords.missing()}*` : text === '' ? `*${markdownWords.noText()}*` : quoted(text),
  ];
  const parts = [
    `## ${escaped(customId === '' ? '…' : customId)}`,
    escaped(state),
    ...(request === '' ? [] : [`### ${markdownWords.request()}`, quoted(request)]),
    ...answers.flatMap((text, run) => side(comparisonWords.run(runLetter(run)), text)),
  ];
  return `${parts.join('\n\n')}\n`;
}
