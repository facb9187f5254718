import type { ProgressMonitor } from '../../../async/progressMonitor';
import { quoted } from '../../trial/markdown';
import { MakingError } from '../../making/makingError';
import { markdownWords, pairWords, writingWords } from '../../words/resultWords';
import { csvLine, escaped } from '../exportResults';
import type { ExportFormat, ExportRequest, ExportResult } from '../exportResults';
import { answerText, readResultLine } from '../rowTexts';
import type { ResultsTable } from '../resultsTable';
import { writeRows } from '../writeRows';
import type { Comparison } from './comparison';

interface ExportedPair {
  readonly customId: string;
  readonly state: string;
  readonly request: string;
  /** `undefined` if the run has no result for it. */
  readonly a: string | undefined;
  readonly b: string | undefined;
}

interface Form {
  readonly header: (() => string) | undefined;
  readonly pair: (pair: ExportedPair) => string;
}

const forms: Readonly<Record<ExportFormat, Form>> = {
  jsonl: {
    header: undefined,
    pair: ({ customId, state, request, a = null, b = null }) =>
      JSON.stringify({ custom_id: customId, state, request, a, b }),
  },
  csv: {
    header: () => `\ufeff${csvLine(['custom_id', 'state', 'request', 'a', 'b'])}`,
    pair: ({ customId, state, request, a, b }) => csvLine([customId, state, request, a, b]),
  },
  markdown: { header: () => `# ${pairWords.comparison()}\n`, pair: toMarkdown },
};

/** Writes the pairs shown, in order, with their complete answers. Throws a `MakingError` if the file cannot be written. */
export async function exportPairs(
  comparison: Comparison,
  { format, target, replace }: Omit<ExportRequest, 'what'>,
  monitor: ProgressMonitor<[part: number]>,
): Promise<ExportResult> {
  const rows = comparison.shownPairs;
  if (rows.length === 0) throw new MakingError(writingWords.nothing());
  const { header, pair: toText } = forms[format];
  const { bytes } = await writeRows(comparison, {
    ...monitor,
    target,
    replace,
    rows,
    before: (file) => header && file.line(Buffer.from(header())),
    row: (pair, file) => file.line(Buffer.from(toText(readPair(comparison, pair)))),
  });
  return { rows: rows.length, bytes };
}

function readPair(comparison: Comparison, pair: number): ExportedPair {
  const { customId, state, request } = comparison.row(pair);
  const rows = comparison.rowsOf(pair);
  return { customId, state, request, a: textOf(comparison.a, rows.a), b: textOf(comparison.b, rows.b) };
}

function textOf(table: ResultsTable, row: number | undefined): string | undefined {
  const result = row === undefined ? undefined : readResultLine(table.texts(row).result);
  return result && answerText(result);
}

function toMarkdown({ customId, state, request, a, b }: ExportedPair): string {
  const side = (title: string, text: string | undefined) => [
    `### ${title}`,
    text === undefined ? `*${markdownWords.missing()}*` : text === '' ? `*${markdownWords.noText()}*` : quoted(text),
  ];
  const parts = [
    `## ${escaped(customId === '' ? '…' : customId)}`,
    escaped(state),
    ...(request === '' ? [] : [`### ${markdownWords.request()}`, quoted(request)]),
    ...side(pairWords.runA(), a),
    ...side(pairWords.runB(), b),
  ];
  return `${parts.join('\n\n')}\n`;
}
