/**
 * Returns the text of a line that a table program wrote as a cell: in quotes, with its own quotes doubled, maybe after the number of its
 * row and before empty cells. `undefined` if the line is no such cell with an object in it.
 */
export function cellOf(line: string): string | undefined {
  const start = /^\s*(?:\d*[,;\t])?"(?=\s*\{\s*"")/.exec(line)?.[0].length;
  if (start === undefined) return undefined;
  const end = line.replace(/[,;\t\s]*$/, '').length;
  const text = line.slice(start, end - 1);
  if (line[end - 1] !== '"' || end <= start || !/\}\s*$/.test(text)) return undefined;
  const bare = text.replaceAll('""', '');
  return bare.includes('"') ? undefined : text.replaceAll('""', '"');
}
