import { findNodeAtLocation, getLocation, parseTree } from 'jsonc-parser';
import type { Span } from '../problem';
import { depthOf } from '../scan/jsonTree';

/** The reader underneath calls itself for every level. */
const deepestLine = 500;

/** Where a cursor is within a request, also in one that is no JSON yet. */
export interface CursorPosition extends Span {
  /** From the request down: to the value that is written here, or to the object whose name it is. */
  readonly path: readonly (string | number)[];
  readonly isKey: boolean;
  /** Within double quotes: `start` is the opening one. */
  readonly isQuoted: boolean;
  /** Of the object around a name: those that are written already, the one here not counted. */
  readonly present: ReadonlySet<string>;
  readonly needsCommaBefore: boolean;
  readonly needsCommaAfter: boolean;
  /** A name's colon is there already. */
  readonly hasColon: boolean;
}

/** `undefined` where the text nests far too deep. */
export function cursorPositionAt(text: string, offset: number): CursorPosition | undefined {
  if (depthOf(text) > deepestLine) return undefined;
  const { start, end, isQuoted } = tokenAt(text, offset);
  const before = text.slice(0, start).trimEnd();
  const after = text.slice(end).trimStart();
  const needsCommaBefore = before !== '' && !/[{[,:]$/.test(before);
  const hasColon = after.startsWith(':');
  const needsCommaAfter = !hasColon && after !== '' && !/^[}\],]/.test(after);
  // What is being written becomes an empty text between whatever commas are missing, so that the rest is read as it is meant.
  const lead = `${before}${needsCommaBefore ? ',' : ''}`;
  const whole = `${lead}""${needsCommaAfter ? ',' : ''}${after}`;
  const { path, isAtPropertyKey } = getLocation(whole, lead.length + 1);
  // The library goes on calling it a name after an empty object in an array.
  const isKey = isAtPropertyKey && typeof path.at(-1) === 'string';
  const around = isKey ? path.slice(0, -1) : path;
  return {
    start,
    end,
    isQuoted,
    path: around,
    isKey,
    present: isKey ? namesAt(whole, around) : new Set(),
    needsCommaBefore,
    needsCommaAfter,
    hasColon,
  };
}

/**
 * The name, text or number around the cursor. A quote just typed opens a text that runs to the next quote, wherever that is:
 * only what looks like the rest of a word belongs to it.
 */
function tokenAt(text: string, offset: number): Span & { readonly isQuoted: boolean } {
  const quote = openQuote(text, offset);
  if (quote === undefined) {
    const start = offset - /[\w.+-]*$/.exec(text.slice(Math.max(0, offset - 100), offset))![0].length;
    return { start, end: offset + /^[\w.+-]*/.exec(text.slice(offset, offset + 100))![0].length, isQuoted: false };
  }
  // A quote right before a word opens that one.
  const [rest] = /^[\w./:-]*(?:"(?!\w))?/.exec(text.slice(offset))!;
  const isWhole = rest.endsWith('"') || rest === '';
  return { start: quote, end: isWhole ? offset + rest.length : offset, isQuoted: true };
}

/** Of the text the cursor is in. */
function openQuote(text: string, offset: number): number | undefined {
  let open: number | undefined;
  for (let index = 0; index < offset; index++) {
    const unit = text.charCodeAt(index);
    if (unit === 0x22) open = open === undefined ? index : undefined;
    else if (unit === 0x5c && open !== undefined) index++;
    // A text ends with its line, closed or not.
    else if (unit === 0x0a) open = undefined;
  }
  return open;
}

function namesAt(text: string, path: readonly (string | number)[]): ReadonlySet<string> {
  const root = parseTree(text);
  const object = root && (path.length === 0 ? root : findNodeAtLocation(root, [...path]));
  const names = (object?.type === 'object' ? object.children : undefined)?.map(({ children }) => children?.[0]?.value);
  return new Set(names?.filter((name): name is string => typeof name === 'string' && name !== ''));
}
