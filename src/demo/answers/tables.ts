import { isRecord } from '../validate';

export type Rows = readonly (readonly string[])[];

const cell = (value: string): string => value.trim().replaceAll('|', '\\|').replace(/\s+/g, ' ');

/** Returns a Markdown table, with numeric columns right-aligned. */
export function tableOf(head: readonly string[], rows: Rows): string {
  const isFigure = (column: number) =>
    rows.length > 0 && rows.every((row) => /^[-+]?[\d.,]+\s*%?$/.test((row[column] ?? '').trim()));
  const line = (cells: readonly string[]) => `| ${head.map((_, column) => cell(cells[column] ?? '')).join(' | ')} |`;
  return [
    line(head),
    `| ${head.map((_, column) => (isFigure(column) ? '---:' : '---')).join(' | ')} |`,
    ...rows.map(line),
  ].join('\n');
}

/** Splits one line of CSV or TSV, respecting quotes. */
function cellsOf(line: string, separator: string): readonly string[] {
  const cells: string[] = [];
  let current = '';
  let quoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const letter = line[at] ?? '';
    if (letter === '"') {
      if (quoted && line[at + 1] === '"') {
        current += '"';
        at += 1;
      } else quoted = !quoted;
    } else if (letter === separator && !quoted) {
      cells.push(current);
      current = '';
    } else current += letter;
  }
  return [...cells, current].map((value) => value.trim());
}

/** Returns the rows of comma-, tab- or semicolon-separated text; `undefined` for anything else. */
export function readRows(text: string): Rows | undefined {
  const lines = text
    .trim()
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '');
  if (lines.length < 2) return undefined;
  for (const separator of ['\t', ',', ';', '，']) {
    const rows = lines.map((line) => cellsOf(line, separator));
    const width = rows[0]?.length ?? 0;
    if (width > 1 && rows.every((row) => row.length === width)) return rows;
  }
  return undefined;
}

/** Returns bulleted or numbered items, or lines that look like items; `undefined` if there are fewer than two. */
export function readItems(text: string): readonly string[] | undefined {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const marked = lines
    .filter((line) => /^(?:[-*+•]|\d+[.)、])\s*\S/.test(line))
    .map((line) => line.replace(/^(?:[-*+•]|\d+[.)、])\s*/, ''));
  if (marked.length > 1) return marked;
  return lines.length > 1 && lines.every((line) => line.length < 120) ? lines : undefined;
}

/** Returns the rows and head of an array of objects; `undefined` for anything else. */
export function rowsOfJson(value: unknown): { head: readonly string[]; rows: Rows } | undefined {
  const records = Array.isArray(value) ? value.filter(isRecord) : [];
  if (records.length === 0 || !Array.isArray(value) || records.length !== value.length) return undefined;
  const head = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const shown = (item: unknown) => (typeof item === 'string' ? item : item === undefined ? '' : JSON.stringify(item));
  return { head, rows: records.map((record) => head.map((key) => shown(record[key]))) };
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
