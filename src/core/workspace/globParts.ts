/** A part of a pattern; a sequence of parts is an array. */
export type GlobPart =
  | { readonly kind: 'letter'; readonly code: number }
  /** Any one character except a slash. */
  | { readonly kind: 'one' }
  /** Any number of characters except slashes. */
  | { readonly kind: 'some' }
  | { readonly kind: 'class'; readonly isNot: boolean; readonly ranges: readonly LetterRange[] }
  | { readonly kind: 'choice'; readonly of: readonly (readonly GlobPart[])[] }
  /** `**` and a slash: any number of folders, or none. `isAtStart`: certainly at the start of a name. */
  | { readonly kind: 'folders'; readonly isAtStart: boolean }
  /** A trailing `**`: everything below. */
  | { readonly kind: 'below'; readonly isAtStart: boolean }
  /** A trailing `/**`: a folder and everything below it. */
  | { readonly kind: 'folderAndBelow' };

/** From and to (inclusive). */
export type LetterRange = readonly [number, number];

interface Token {
  readonly text: string;
  /** Whether it is a literal, whatever its characters. */
  readonly isPlain?: boolean;
  readonly part?: GlobPart;
}

/** Parses a pattern, which must be in lower case for `noCase`. Anything unclosed or without meaning is a literal. */
export function readGlob(pattern: string, { noCase = false }: { readonly noCase?: boolean } = {}): readonly GlobPart[] {
  return new Reader(tokensOf(pattern.replace(/^(?:\.\/)+/, ''), noCase)).read();
}

class Reader {
  private at = 0;
  private readonly braces: Braces;

  constructor(private readonly tokens: readonly Token[]) {
    this.braces = closedBraces(tokens);
  }

  read(): readonly GlobPart[] {
    const parts: GlobPart[] = [];
    while (this.at < this.tokens.length) for (const one of this.next()) parts.push(one);
    return parts;
  }

  private next(): readonly GlobPart[] {
    const end = this.braces.get(this.at);
    if (end !== undefined) return [this.choice(end)];
    if (this.is(this.at, '*')) return this.stars();
    const behind = this.behindFolders(this.at);
    // A wildcard can match a file, which has nothing below it.
    if (behind > this.at && !this.is(behind, '/') && !this.is(this.at - 1, '*')) {
      this.at = behind;
      return [{ kind: 'folderAndBelow' }];
    }
    const { text, part } = this.tokens[this.at]!;
    this.at += 1;
    return [part ?? letterOf(text.charCodeAt(0))];
  }

  private choice(end: number): GlobPart {
    const of: GlobPart[][] = [[]];
    this.at += 1;
    while (this.at < end) {
      if (this.braces.borders.has(this.at)) {
        of.push([]);
        this.at += 1;
      } else for (const one of this.next()) of.at(-1)!.push(one);
    }
    this.at += 1;
    return { kind: 'choice', of };
  }

  private stars(): readonly GlobPart[] {
    const from = this.at;
    while (this.is(this.at, '*')) this.at += 1;
    const beginsName = this.beginsName(from);
    if (this.at - from !== 2 || !(beginsName || this.beginsChoice(from)) || !this.endsName(this.at)) {
      return [{ kind: 'some' }];
    }
    // Repetitions mean no more than one.
    const behind = this.behindFolders(this.at);
    const hasMore = this.is(behind, '/');
    this.at = hasMore ? behind + 1 : behind;
    return [{ kind: hasMore ? 'folders' : 'below', isAtStart: beginsName }];
  }

  /** Returns the index after all consecutive `/**`. */
  private behindFolders(from: number): number {
    let end = from;
    while (this.is(end, '/') && this.is(end + 1, '*') && this.is(end + 2, '*') && this.endsName(end + 3)) end += 3;
    return end;
  }

  private is(index: number, text: string): boolean {
    const token = this.tokens[index];
    return token?.text === text && token.isPlain !== true;
  }

  private beginsName(index: number): boolean {
    return index === 0 || this.is(index - 1, '/');
  }

  private beginsChoice(index: number): boolean {
    return this.braces.has(index - 1) || (this.braces.borders.has(index - 1) && this.is(index - 1, ','));
  }

  private endsName(index: number): boolean {
    return index >= this.tokens.length || this.is(index, '/') || this.braces.borders.has(index);
  }
}

function tokensOf(pattern: string, noCase: boolean): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < pattern.length;) {
    const letter = pattern[at]!;
    const found = letter === '[' ? classAt(pattern, at, noCase) : letter === '{' ? rangeAt(pattern, at) : undefined;
    if (found) tokens.push({ text: pattern.slice(at, found.end), isPlain: true, part: found.part });
    else if (letter === '\\' && at + 1 < pattern.length) tokens.push({ text: pattern[at + 1]!, isPlain: true });
    else if (letter === '?') tokens.push({ text: letter, part: { kind: 'one' } });
    else tokens.push({ text: letter });
    at = found?.end ?? at + (letter === '\\' && at + 1 < pattern.length ? 2 : 1);
  }
  return tokens;
}

interface Found {
  readonly part: GlobPart;
  readonly end: number;
}

/**
 * Parses e.g. `[a-z]`, `[!a]` and `[[:digit:]_]`. A class of plain letters also matches literally: some frameworks have files like
 * `[id].ts`.
 */
function classAt(pattern: string, from: number, noCase: boolean): Found | undefined {
  const body = /\[([!^]?)(\]?(?:\[:[^\]/]*:\]|\\[^/]|[^\]\\/])*)\]/y;
  body.lastIndex = from;
  const [whole, sign, letters = ''] = body.exec(pattern) ?? [];
  if (whole === undefined || letters === '') return undefined;
  const ranges = rangesOf(letters, noCase);
  const isNot = sign !== '' && ranges !== undefined;
  const part: GlobPart = { kind: 'class', isNot, ranges: ranges ?? [] };
  const end = from + whole.length;
  if (sign !== '' || /[-\\\]]/.test(letters)) return { part, end };
  const itself: GlobPart[] = Array.from({ length: whole.length }, (_, at) => letterOf(whole.charCodeAt(at)));
  return { part: { kind: 'choice', of: [[part], itself] }, end };
}

/** `undefined` for an unknown named class: in Git, such a pattern matches nothing. */
function rangesOf(letters: string, noCase: boolean): readonly LetterRange[] | undefined {
  const codes = [...letters.matchAll(/\[:([^\]]*):\]|\\([^])|([^])/g)].map(([, name, escaped, plain]) => ({
    name,
    code: (escaped ?? plain ?? '').charCodeAt(0),
    isDash: plain === '-',
  }));
  const ranges: LetterRange[] = [];
  for (let at = 0; at < codes.length; at += 1) {
    const { name, code } = codes[at]!;
    const to = codes[at + 2];
    if (name !== undefined) {
      const named = namedLetters.get(noCase && name === 'upper' ? 'lower' : name);
      if (!named) return undefined;
      for (const one of named) ranges.push(one);
    } else if (codes[at + 1]?.isDash === true && to !== undefined && to.name === undefined) {
      // The first character matches even if the range is reversed.
      ranges.push([code, code], [code, to.code]);
      if (noCase) for (const one of smallOf(code, to.code)) ranges.push(one);
      at += 2;
    } else ranges.push([code, code]);
  }
  return ranges;
}

const [capitalA, capitalZ, smallA] = [65, 90, 97];

/** Returns the lower-case letters of the capitals in a range, which may extend beyond the capitals. */
function smallOf(from: number, to: number): readonly LetterRange[] {
  const [first, last] = [Math.max(from, capitalA), Math.min(to, capitalZ)];
  return first > last ? [] : [[first + smallA - capitalA, last + smallA - capitalA]];
}

/** As in `[[:digit:]]`. */
const namedLetters: ReadonlyMap<string, readonly LetterRange[]> = new Map(
  Object.entries({
    alnum: ['09', 'AZ', 'az'],
    alpha: ['AZ', 'az'],
    blank: ['\t\t', '  '],
    cntrl: ['\0\u001F', '\u007F\u007F'],
    digit: ['09'],
    graph: ['!~'],
    lower: ['az'],
    print: [' ~'],
    punct: ['!/', ':@', '[`', '{~'],
    space: ['\t\r', '  '],
    upper: ['AZ'],
    xdigit: ['09', 'AF', 'af'],
  }).map(([name, ranges]) => [name, ranges.map((ends) => [ends.charCodeAt(0), ends.charCodeAt(1)] as const)]),
);

/** Parses e.g. `{1..9}` and `{a..f}`, with one character on each side. */
function rangeAt(pattern: string, from: number): Found | undefined {
  const body = /\{(\w)\.\.(\w)\}/y;
  body.lastIndex = from;
  const [whole, first, last] = body.exec(pattern) ?? [];
  if (whole === undefined) return undefined;
  const ranges: readonly LetterRange[] = [[first!.charCodeAt(0), last!.charCodeAt(0)]];
  return { part: { kind: 'class', isNot: false, ranges }, end: from + whole.length };
}

/** The start and end of each pair of braces that contains alternatives. */
class Braces extends Map<number, number> {
  /** The positions of their commas and closing braces. */
  readonly borders = new Set<number>();
}

function closedBraces(tokens: readonly Token[]): Braces {
  const found = new Braces();
  const open: { readonly from: number; readonly commas: number[] }[] = [];
  for (const [at, { text, isPlain }] of tokens.entries()) {
    if (isPlain === true) continue;
    if (text === '{') open.push({ from: at, commas: [] });
    else if (text === ',') open.at(-1)?.commas.push(at);
    else if (text === '}') {
      const { from, commas } = open.pop() ?? { from: -1, commas: [] };
      if (commas.length === 0) continue;
      found.set(from, at);
      for (const border of [...commas, at]) found.borders.add(border);
    }
  }
  return found;
}

function letterOf(code: number): GlobPart {
  return { kind: 'letter', code };
}
