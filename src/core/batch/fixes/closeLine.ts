/** The ways to close a line that was cut off. They add nothing but the closing quote and brackets. */
export interface Closings {
  /** The whole line, closed, if it ends with a complete value. */
  readonly whole?: string;
  /** If the line ends within a string: the line with that string closed. */
  readonly withText?: string;
  /** The line up to its last complete member or item, closed. */
  readonly cutBack?: string;
}

interface Place {
  readonly end: number;
  readonly open: Opened;
}

/** The open brackets, innermost first, or `undefined`. */
type Opened = { readonly bracket: '{' | '['; readonly around: Opened } | undefined;

/** A string, closed or not, a punctuation mark, or a word. */
const tokens = /"(?:\\[^]|[^"\\])*(?:"|\\?$)|[{}[\],:]|[^\s{}[\],:"]+/g;
const words: ReadonlySet<string> = new Set(['true', 'false', 'null']);

/** For lines of moderate depth. If a line is invalid in other ways too, the results are not valid JSON either. */
export function closingsOf(text: string): Closings {
  let open: Opened;
  let last: Place | undefined;
  let isName = false;
  for (const { 0: token, index } of text.matchAll(tokens)) {
    const end = index + token.length;
    let isWhole = false;
    if (token === '{' || token === '[') open = { bracket: token, around: open };
    if (token === '{' || token === '[' || token === ',') isName = open?.bracket === '{';
    else if (token === ':') isName = false;
    else if (token === '}' || token === ']') {
      isWhole = open !== undefined;
      open = open?.around;
    } else if (token.startsWith('"')) {
      if (!isEnded(token)) return { ...cutBack(text, last), ...(isName ? {} : { withText: withText(text, open) }) };
      isWhole = !isName;
    } else if (!words.has(token) && end === text.length) {
      // A number at the very end may lack digits.
      return cutBack(text, last);
    } else isWhole = true;
    if (isWhole) last = { end, open };
    if (isWhole && !open) return {};
  }
  if (last && last.end === text.trimEnd().length) return { whole: closed(text, last) };
  return cutBack(text, last);
}

function isEnded(token: string): boolean {
  return token.length > 1 && token.endsWith('"') && withoutEnd(token.slice(0, -1), /\\$/).length === token.length - 1;
}

function cutBack(text: string, last: Place | undefined): Closings {
  return last ? { cutBack: closed(text, last) } : {};
}

function closed(text: string, { end, open }: Place): string {
  return text.slice(0, end) + closers(open);
}

function withText(text: string, open: Opened): string {
  const complete = withoutEnd(withoutEnd(text, cutEscape), halfCharacter);
  return `${complete}"${closers(open)}`;
}

const cutEscape = /\\(?:u[\da-fA-F]{0,3})?$/;
const halfCharacter = /\\u[dD][89abAB][\da-fA-F]{2}$/;

/** Removes `escape` from the end of the text, unless its backslash is itself escaped. */
function withoutEnd(text: string, escape: RegExp): string {
  const found = escape.exec(text);
  if (!found) return text;
  const before = text.slice(0, found.index);
  const slashes = before.length - before.replace(/(?<!\\)\\+$/, '').length;
  return slashes % 2 === 0 ? before : text;
}

function closers(open: Opened): string {
  const closing: string[] = [];
  for (let at = open; at; at = at.around) closing.push(at.bracket === '{' ? '}' : ']');
  return closing.join('');
}
