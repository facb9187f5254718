/**
 * Returns the text of a line that a spreadsheet wrote as a cell: in quotes, with its own quotes doubled, possibly after the row number and
 * before empty cells. Returns `undefined` for other lines.
 */
export function cellOf(line: string): string | undefined {
  const start = /^\s*(?:\d*[,;\t])?"(?=\s*\{\s*"")/.exec(line)?.[0].length;
  if (start === undefined) return undefined;
  let end = line.length;
  while (end > start && afterCell.has(line[end - 1]!)) end -= 1;
  const text = line.slice(start, end - 1);
  if (line[end - 1] !== '"' || !text.trimEnd().endsWith('}')) return undefined;
  return text.replaceAll('""', '').includes('"') ? undefined : text.replaceAll('""', '"');
}

/** Separators of empty cells, and space. */
const afterCell: ReadonlySet<string> = new Set([',', ';', '\t', ' ', '\r']);
