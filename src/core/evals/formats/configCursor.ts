import { getLocation } from 'jsonc-parser';
import type { Span } from '../../batch/problem';

/** Where the cursor is in an eval file. */
export interface ConfigCursor {
  /** Keys from the top to the cursor, without the positions of items. Of a value, its own key too. */
  readonly path: readonly string[];
  /** `place`: a name between `{{` and `}}`. */
  readonly kind: 'key' | 'value' | 'place';
  /** The word at the cursor; in JSON, the complete text in quotes. */
  readonly span: Span;
  /** At the beginning of an item, which may be a value as well as a mapping. */
  readonly isItem: boolean;
}

/** Characters in which the keys around the cursor are looked for. */
const mostAbove = 1_000_000;

interface Line {
  /** Columns of the first dash, if any, and of what follows the dashes. */
  readonly dash: number | undefined;
  readonly column: number;
  readonly rest: string;
}

/**
 * Reads where the cursor is, also while a line is incomplete and the file can't be parsed. `undefined` in a comment, and where no key or
 * value is known.
 */
export function configCursor(text: string, offset: number): ConfigCursor | undefined {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const before = text.slice(start, offset);
  const after = /^[^\s,}\]'"#]*/.exec(text.slice(offset, offset + 200))?.[0].replace(/:$/, '') ?? '';
  const spanFrom = (from: number): Span => ({ start: from, end: offset + after.length });
  if (/^\s*#|\s#/.test(before)) return undefined;
  const placed = placeAt(before, after, offset);
  if (placed) return placed;
  const line = lineOf(before);
  const { keys, pending, from } = flowOf(line.rest);
  const inner = pending === undefined ? keys : [...keys, pending];
  const path = [...pathAbove(text.slice(Math.max(0, start - mostAbove), start), line), ...inner];
  const begun = line.rest.slice(from);
  const word = begun.trimStart();
  // Words and what follows them are text.
  if (/\s/.test(word) && pending === undefined) return undefined;
  const wordStart = offset - word.length + (/^['"]/.test(word) ? 1 : 0);
  const isItem =
    pending === undefined &&
    (/[[,]\s*$/.test(line.rest.slice(0, from)) || (inner.length === 0 && line.dash !== undefined));
  return { path, kind: pending === undefined ? 'key' : 'value', span: spanFrom(wordStart), isItem };
}

/** Reads where the cursor is in an eval file in JSON. */
export function jsonCursor(text: string, offset: number): ConfigCursor | undefined {
  const before = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  const placed = placeAt(before, text.slice(offset, offset + 200), offset);
  if (placed) return placed;
  const { path, previousNode, isAtPropertyKey } = getLocation(text, offset);
  const keys = path.filter((one) => typeof one === 'string');
  const isWord = previousNode !== undefined && offset <= previousNode.offset + previousNode.length;
  const span = isWord
    ? { start: previousNode.offset, end: previousNode.offset + previousNode.length }
    : { start: offset, end: offset };
  // The last key is the one that is being written.
  return isAtPropertyKey
    ? { path: keys.slice(0, -1), kind: 'key', span, isItem: false }
    : { path: keys, kind: 'value', span, isItem: false };
}

/** A name between the marks of a placeholder. */
function placeAt(before: string, after: string, offset: number): ConfigCursor | undefined {
  const placed = /\{\{\s*([\w$-]*)$/.exec(before);
  if (!placed) return undefined;
  const end = offset + (/^[\w$-]*/.exec(after)?.[0].length ?? 0);
  return { path: [], kind: 'place', span: { start: offset - placed[1]!.length, end }, isItem: false };
}

function lineOf(line: string): Line {
  const [, spaces = '', dashes = '', rest = ''] = /^(\s*)((?:-\s+)*)(.*)$/s.exec(line.replace(/\r$/, '')) ?? [];
  // A dash at the end has no space yet.
  return {
    dash: dashes === '' ? undefined : spaces.length + dashes.trimEnd().length - 1,
    column: spaces.length + dashes.length,
    rest,
  };
}

/** The keys around the end of a text in flow style, such as `assert: [{ type: eq`. `from`: where its last key or value begins. */
function flowOf(text: string): {
  readonly keys: readonly string[];
  readonly pending: string | undefined;
  readonly from: number;
} {
  const open: (string | undefined)[] = [];
  let [pending, from, quote]: [string | undefined, number, string] = [undefined, 0, ''];
  for (let at = 0; at < text.length; at++) {
    const one = text[at]!;
    if (quote !== '') {
      if (one === quote) quote = '';
    } else if ((one === '"' || one === "'") && text.slice(from, at).trim() === '') quote = one;
    else if (one === ':' && pending === undefined && /\s/.test(text[at + 1] ?? '')) {
      pending = text
        .slice(from, at)
        .trim()
        .replaceAll(/^['"]|['"]$/g, '');
      from = at + 1;
    } else if ((one === '{' || one === '[') && text.slice(from, at).trim() === '') {
      open.push(pending);
      [pending, from] = [undefined, at + 1];
    } else if (open.length > 0 && (one === '}' || one === ']')) {
      open.pop();
      [pending, from] = [undefined, at + 1];
    } else if (open.length > 0 && one === ',') [pending, from] = [undefined, at + 1];
  }
  return { keys: open.filter((key) => key !== undefined), pending, from };
}

/** The keys that a line is below, by its indentation. */
function pathAbove(text: string, { dash, column }: Line): readonly string[] {
  const path: string[] = [];
  const lines = text.split('\n');
  // A key is above a line if it begins before its column; above an item, also in the column of its dash.
  let [limit, isOfItem] = dash === undefined ? [column, false] : [dash, true];
  for (let index = lines.length - 1; index >= 0 && (limit > 0 || isOfItem); index--) {
    const written = lines[index]!;
    if (/^\s*(?:#|$|\r$)/.test(written)) continue;
    const above = lineOf(written);
    const key = /^(['"]?)([\w.$-]+)\1\s*:(?:\s|$)/.exec(above.rest)?.[2];
    if (above.dash !== undefined && above.column === limit && !isOfItem) {
      // The first key of the item that the line belongs to.
      [limit, isOfItem] = [above.dash, true];
      continue;
    }
    const isAbove = above.column < limit || (isOfItem && above.dash === undefined && above.column === limit);
    if (!isAbove) continue;
    if (key !== undefined) path.unshift(key);
    [limit, isOfItem] = above.dash === undefined ? [above.column, false] : [above.dash, true];
  }
  return path;
}
