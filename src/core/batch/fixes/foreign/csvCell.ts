/**
 * Returns the text of a line that a table program wrote as a cell: in quotes, with its own quotes doubled, maybe after the number of its
 * row and before empty cells. `undefined` if the line is no such cell with an object in it.
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
