import { findNodeAtLocation, getLocation, parseTree } from 'jsonc-parser';
import type { Span } from '../problem';
import { depthOf } from '../scan/jsonTree';

/** The underlying JSON parser is recursive. */
const deepestLine = 500;

/** The position of a cursor in a request, even in one that is not valid JSON yet. */
export interface CursorPosition extends Span {
  /** From the request to the value at the cursor, or to the object whose member name is at the cursor. */
  readonly path: readonly (string | number)[];
  readonly isKey: boolean;
  /** The cursor is within double quotes; `start` is the opening one. */
  readonly isQuoted: boolean;
  /** For a name: the other names that its object already has. */
  readonly present: ReadonlySet<string>;
  readonly needsCommaBefore: boolean;
  readonly needsCommaAfter: boolean;
  /** The name is already followed by a colon. */
  readonly hasColon: boolean;
}

/** Returns `undefined` if the text nests far too deeply. */
export function cursorPositionAt(text: string, offset: number): CursorPosition | undefined {
  if (depthOf(text) > deepestLine) return undefined;
  const { start, end, isQuoted } = tokenAt(text, offset);
  const before = text.slice(0, start).trimEnd();
  const after = text.slice(end).trimStart();
  const needsCommaBefore = before !== '' && !/[{[,:]$/.test(before);
  const hasColon = after.startsWith(':');
  const needsCommaAfter = !hasColon && after !== '' && !/^[}\],]/.test(after);
  // Replace what is being typed with an empty string, adding any missing commas, so that the rest is parsed as intended.
  const lead = `${before}${needsCommaBefore ? ',' : ''}`;
  const whole = `${lead}""${needsCommaAfter ? ',' : ''}${after}`;
  const { path, isAtPropertyKey } = getLocation(whole, lead.length + 1);
  // The library still reports a name after an empty object in an array.
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
 * Returns the span of the name, string or number at the cursor. A quote just typed opens a string that runs to the next quote,
 * wherever that is, so only what looks like the rest of a word is included.
 */
function tokenAt(text: string, offset: number): Span & { readonly isQuoted: boolean } {
  const quote = openQuote(text, offset);
  if (quote === undefined) {
    const start = offset - /[\w.+-]*$/.exec(text.slice(Math.max(0, offset - 100), offset))![0].length;
    return { start, end: offset + /^[\w.+-]*/.exec(text.slice(offset, offset + 100))![0].length, isQuoted: false };
  }
  // A quote directly before a word opens another string.
  const [rest] = /^[\w./:-]*(?:"(?!\w))?/.exec(text.slice(offset))!;
  const isWhole = rest.endsWith('"') || rest === '';
  return { start: quote, end: isWhole ? offset + rest.length : offset, isQuoted: true };
}

/** Returns the position of the opening quote of the string that contains the cursor; `undefined` if none does. */
function openQuote(text: string, offset: number): number | undefined {
  let open: number | undefined;
  for (let index = 0; index < offset; index++) {
    const unit = text.charCodeAt(index);
    if (unit === 0x22) open = open === undefined ? index : undefined;
    else if (unit === 0x5c && open !== undefined) index++;
    // A string ends with its line, whether closed or not.
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
