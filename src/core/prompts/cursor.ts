import type { Span } from '../batch/problem';
import { splitPrompt } from './frontMatter';

/** The content being written at the cursor. */
export type PromptCursor =
  /** Text that is sent: it may contain placeholders. */
  | { readonly kind: 'text' }
  /** A key. `path` leads to its parent, `others` are its existing siblings, `span` is the word at the cursor. */
  | {
      readonly kind: 'key';
      readonly path: readonly string[];
      readonly others: readonly string[];
      readonly span: Span;
      /** Whether a colon follows. */
      readonly isKey: boolean;
    }
  /** The value of the key at `path`, or one item of it. */
  | { readonly kind: 'value'; readonly path: readonly string[]; readonly span: Span };

const keyLine = /^(\s*)(?:"([^"]*)"|([^\s#:-][^:]*)):(?:\s|$)/;

/** Works on the surrounding lines, so that it also finds its way in incomplete YAML. */
export function cursorAt(file: string, offset: number): PromptCursor {
  const { yaml } = splitPrompt(file);
  if (!yaml || offset < yaml.start || offset > yaml.end) return { kind: 'text' };
  const lines = file.slice(yaml.start, yaml.end).split('\n');
  const before = file.slice(yaml.start, offset).split('\n');
  const row = before.length - 1;
  const typed = before.at(-1) ?? '';
  const line = (lines[row] ?? '').replace(/\r$/, '');
  const lineStart = offset - typed.length;
  const indent = /^\s*/.exec(typed)?.[0].length ?? 0;

  const item = /^\s*-(?:\s+|$)/.exec(typed)?.[0];
  const key = keyLine.exec(typed);
  const path = pathTo(lines, row, item === undefined ? indent : indent + 1);
  const isSent = path[0] === 'system' || path.join() === 'parameters,prefill';
  if (isSent) return { kind: 'text' };
  if (item !== undefined) return valueAt(path, { line, lineStart, from: item.length, typed });
  if (key) {
    const own = [...path, nameOf(key)];
    if (own.join() === 'system' || own.join() === 'parameters,prefill') return { kind: 'text' };
    return valueAt(own, { line, lineStart, from: key[0].length, typed });
  }
  const rest = /^[\w-]*/.exec(line.slice(typed.length))?.[0].length ?? 0;
  const isKey = /^\s*:/.test(line.slice(typed.length + rest));
  const span = { start: lineStart + indent, end: offset + rest };
  return { kind: 'key', path, others: siblings(lines, row, indent), span, isKey };
}

interface LineAt {
  readonly line: string;
  readonly lineStart: number;
  /** Where the value begins. */
  readonly from: number;
  readonly typed: string;
}

/** Within brackets, the value is the item at the cursor. */
function valueAt(path: readonly string[], { line, lineStart, from, typed }: LineAt): PromptCursor {
  const isFlow = line.slice(from).trimStart().startsWith('[');
  const begun = isFlow ? Math.max(typed.lastIndexOf('['), typed.lastIndexOf(',')) + 1 : from;
  const start = begun + (/^\s*/.exec(typed.slice(begun))?.[0].length ?? 0);
  const rest = (isFlow ? /^[^\],]*/ : /^.*/).exec(line.slice(typed.length))?.[0].trimEnd().length ?? 0;
  return { kind: 'value', path, span: { start: lineStart + start, end: lineStart + typed.length + rest } };
}

/** Returns the keys above that contain a line indented by `indent`. */
function pathTo(lines: readonly string[], row: number, indent: number): readonly string[] {
  const path: string[] = [];
  let depth = indent;
  for (let index = row - 1; index >= 0 && depth > 0; index--) {
    const match = keyLine.exec(lines[index] ?? '');
    const own = match?.[1]?.length ?? Infinity;
    if (!match || own >= depth) continue;
    path.unshift(nameOf(match));
    depth = own;
  }
  return path;
}

function siblings(lines: readonly string[], row: number, indent: number): readonly string[] {
  const found: string[] = [];
  for (const step of [-1, 1]) {
    for (let index = row + step; index >= 0 && index < lines.length; index += step) {
      const line = lines[index] ?? '';
      if (line.trim() === '') continue;
      const own = /^\s*/.exec(line)?.[0].length ?? 0;
      if (own < indent) break;
      const match = own === indent ? keyLine.exec(line) : undefined;
      if (match) found.push(nameOf(match));
    }
  }
  return found;
}

function nameOf([, , quoted, plain = '']: RegExpExecArray): string {
  return quoted ?? plain.trim();
}
