import { createScanner, format } from 'jsonc-parser';
import type { ProblemCode } from '../problem';
import { deepestLine, readLine } from '../readLine';
import { depthOf } from '../scan/jsonTree';

/** Problems that no line of a batch file may have. */
const faults: ReadonlySet<ProblemCode> = new Set(['line.blank', 'line.not-json', 'line.not-object']);

/**
 * Formats a request over several lines. Names, numbers and escapes stay as written. Accepts invalid JSON too. A line that nests too
 * deeply to be checked stays as it is: its indentation would be far longer than the line.
 */
export function toFormatted(line: string): string {
  if (depthOf(line) > deepestLine) return `${line}\n`;
  const edits = format(line, undefined, { insertSpaces: true, tabSize: 2, eol: '\n' });
  let text = '';
  let end = 0;
  for (const { offset, length, content } of edits) {
    text += line.slice(end, offset) + content;
    end = offset + length;
  }
  return `${text}${line.slice(end)}\n`;
}

/** Puts the request on one line, with spaces after commas and colons if `before`, its earlier line, had them. */
export function toLine(text: string, before: string): string {
  const isSpaced = join(before, true) === before.trim() && join(before, false) !== before.trim();
  return join(text, isSpaced);
}

function join(text: string, isSpaced: boolean): string {
  const scanner = createScanner(text, true);
  let line = '';
  while (scanner.getPosition() < text.length) {
    scanner.scan();
    const token = text.slice(scanner.getTokenOffset(), scanner.getTokenOffset() + scanner.getTokenLength());
    line += isSpaced && (token === ',' || token === ':') ? `${token} ` : token;
  }
  return line;
}

/** Returns why and where a text cannot become a line, or `undefined` if it can. */
export function lineFault(text: string): { readonly message: string; readonly offset: number } | undefined {
  const fault = readLine(text).problems.find(({ code }) => faults.has(code));
  return fault && { message: fault.message, offset: fault.span.start };
}
