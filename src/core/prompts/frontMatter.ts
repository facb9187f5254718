import type { Span } from '../batch/problem';

/** Where the parts of a prompt file are, in UTF-16 offsets. */
export interface PromptParts {
  /** The YAML between the two fences; `undefined` if the file does not begin with a fence. */
  readonly yaml: Span | undefined;
  /** `false` if the file begins with a fence that is never closed. */
  readonly isClosed: boolean;
  /** Where the text begins. */
  readonly text: number;
  /** The line ending of the file. */
  readonly eol: '\n' | '\r\n';
}

const opening = /^\ufeff?---[ \t]*(?:\r?\n|$)/;
const closing = /^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/gm;

export function splitPrompt(file: string): PromptParts {
  const eol = /\r?\n/.exec(file)?.[0] === '\r\n' ? '\r\n' : '\n';
  const first = opening.exec(file)?.[0];
  if (first === undefined) {
    return { yaml: undefined, isClosed: true, text: file.startsWith('\ufeff') ? 1 : 0, eol };
  }
  closing.lastIndex = first.length;
  const last = closing.exec(file);
  const end = last?.index ?? file.length;
  const text = last ? end + last[0].length : file.length;
  return { yaml: { start: first.length, end }, isClosed: last !== null, text, eol };
}

const conflictLines = /^(?:<{7}|>{7})(?: .*)?$/gm;

/** Returns Git's conflict markers, if both the opening and the closing kind are present. */
export function conflictMarks(file: string): readonly Span[] {
  const found = [...file.matchAll(conflictLines)];
  const isWhole = ['<', '>'].every((mark) => found.some(([line]) => line.startsWith(mark)));
  return isWhole ? found.map(({ 0: line, index }) => ({ start: index, end: index + line.trimEnd().length })) : [];
}
