/** A line without its line end. */
export interface TextLine {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly isBlank: boolean;
  /** Whether it is in a closed fenced code block, or one of its fences, so that Markdown syntax in it has no meaning. */
  readonly isFenced: boolean;
}

const byteOrderMark = '\uFEFF';
const lineEnd = /\r\n|\r|\n/g;
const fence = /^[\s>]*(?:(?:[-*+•]|\d{1,9}[.)])\s*)?(`{3,}|~{3,})([^`]*)$/;

/** Returns the lines as an editor shows them: only CR, LF, and CRLF end one. A byte-order mark belongs to none. */
export function readLines(text: string): readonly TextLine[] {
  const lines: { start: number; end: number; text: string; isBlank: boolean; isFenced: boolean }[] = [];
  let start = text.startsWith(byteOrderMark) ? 1 : 0;
  const add = (end: number): void => {
    const line = text.slice(start, end);
    lines.push({ start, end, text: line, isBlank: line.trim() === '', isFenced: false });
  };
  for (const { index, 0: found } of text.matchAll(lineEnd)) {
    add(index);
    start = index + found.length;
  }
  add(text.length);
  markFences(lines);
  return lines;
}

function markFences(lines: readonly { readonly text: string; isFenced: boolean }[]): void {
  let opened: { readonly at: number; readonly mark: string } | undefined;
  for (const [at, { text }] of lines.entries()) {
    const found = fence.exec(text);
    if (!found) continue;
    const [, mark = '', info = ''] = found;
    if (!opened) opened = { at, mark };
    else if (mark.startsWith(opened.mark) && info.trim() === '') {
      for (let fenced = opened.at; fenced <= at; fenced++) lines[fenced]!.isFenced = true;
      opened = undefined;
    }
  }
}
