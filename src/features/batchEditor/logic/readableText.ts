import { readContent } from '../../../core/batch/preview/lineContent';
import { inOneLine } from '../../../core/batch/preview/shortText';
import { foreign } from '../../../core/text/foreignText';

/** A longer line is not parsed, because all visible lines are read at once. */
const longestParsed = 1 << 18;
/** Drawn above and below the visible lines, so that scrolling by a line shows a drawn one. */
const spareLines = 20;
const longestId = 60;
const longestMessage = 200;

/** Returns what a request is about: its `custom_id` and its last user message. `undefined` for anything but a request with messages. */
export function readableText(line: string): string | undefined {
  if (line.length > longestParsed) return undefined;
  const { customId = '', messages = [] } = readContent(line) ?? {};
  const message = messages.findLast(({ role }) => role === 'user') ?? messages.at(-1);
  if (!message) return undefined;
  const text = foreign(inOneLine(message.text, longestMessage), longestMessage + 1);
  return customId === '' ? `▸ ${text}` : `${foreign(customId, longestId)} ▸ ${text}`;
}

interface VisibleLines {
  readonly start: { readonly line: number };
  readonly end: { readonly line: number };
}

/** Returns the lines to draw for the visible ranges of an editor, and some around them: each once, from top to bottom. */
export function linesNear(visible: readonly VisibleLines[], lineCount: number): readonly number[] {
  const lines: number[] = [];
  let next = 0;
  for (const { start, end } of visible) {
    const last = Math.min(lineCount - 1, end.line + spareLines);
    for (next = Math.max(next, start.line - spareLines); next <= last; next++) lines.push(next);
  }
  return lines;
}
