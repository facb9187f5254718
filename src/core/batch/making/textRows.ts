import type { RowSource } from './rowSource';
import type { Row } from './template';

export type TextUnit = 'line' | 'paragraph';

/** Returns a row for each line that is not blank, or for each run of such lines, with the number of its first line. */
export function textRows(text: string, unit: TextUnit, firstLine = 1): RowSource {
  const rows: Row[] = [];
  let open: { readonly line: number; readonly lines: string[] } | undefined;
  const close = () => {
    if (open) rows.push([open.lines.join('\n'), String(open.line)]);
    open = undefined;
  };
  for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
    if (line.trim() === '') {
      close();
      continue;
    }
    open ??= { line: firstLine + index, lines: [] };
    open.lines.push(line);
    if (unit === 'line') close();
  }
  close();
  return {
    columns: ['text', 'line'],
    bytes: 0,
    async *rows() {
      yield* rows;
    },
  };
}
