import type { LineChange, Lines, Work } from './lineChange';

const quote = 0x22;
const backslash = 0x5c;
/** How much of a line is processed before other work can run. */
const pieceChars = 1 << 16;

const isSpace = (unit: number): boolean => unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;
const isOpening = (unit: number): boolean => unit === 0x7b || unit === 0x5b;
const isClosing = (unit: number): boolean => unit === 0x7d || unit === 0x5d;
const comma = 0x2c;
const opensArray = 0x5b;

/**
 * Splits a text into its JSON values, of any number and depth, and writes each on one line: removes white space outside strings but
 * no other character, so numbers keep their digits. Invalid JSON keeps its characters too.
 */
class ValueSplitter {
  /** The completed values. */
  readonly values: string[] = [];
  private parts: string[] = [];
  /** The last saved character of the open value. */
  private last = 0;
  private spaced = false;
  private depth = 0;
  private isStarted = false;
  private inText = false;
  private isEscaped = false;
  /** A line ends within a string: the lines cannot be joined without inventing what was between them. */
  isBroken = false;
  /** The nesting level of the values. */
  private level = 0;

  feed(piece: string): void {
    let from = 0;
    for (let at = 0; at < piece.length; at++) {
      const unit = piece.charCodeAt(at);
      if (this.inText) this.within(unit);
      else if (isSpace(unit)) {
        this.keep(piece, from, at);
        this.spaced = true;
        from = at + 1;
      } else if (this.isBetween(unit)) {
        this.keep(piece, from, at);
        if (unit !== opensArray) this.finish();
        from = at + 1;
      } else {
        if (this.spaced) this.part(unit);
        if (unit === quote) this.inText = true;
        else if (isOpening(unit)) this.depth++;
        else if (isClosing(unit) && this.depth > this.level) {
          this.depth--;
          if (this.depth > this.level) continue;
          this.keep(piece, from, at + 1);
          this.finish();
          from = at + 1;
        }
      }
    }
    this.keep(piece, from, piece.length);
  }

  endLine(): void {
    if (this.inText) this.isBroken = true;
    this.spaced = true;
  }

  finish(): void {
    if (this.parts.length > 0) this.values.push(this.parts.join(''));
    this.parts = [];
    this.spaced = false;
    this.last = 0;
  }

  private within(unit: number): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (unit === backslash) this.isEscaped = true;
    else if (unit === quote) this.inText = false;
  }

  /** Whether the character is one of the brackets around all values or a comma between them. */
  private isBetween(unit: number): boolean {
    if (unit === opensArray && !this.isStarted) {
      this.isStarted = true;
      this.level = this.depth = 1;
      return true;
    }
    this.isStarted = true;
    if (this.depth !== this.level) return false;
    if (unit === 0x5d && this.level === 1) {
      this.level = this.depth = 0;
      return true;
    }
    return unit === comma;
  }

  /** White space separates two words or numbers; on the level of the values, it ends a value. */
  private part(next: number): void {
    if (this.depth === this.level) this.finish();
    else if (isWord(this.last) && isWord(next)) this.parts.push(' ');
    this.spaced = false;
  }

  private keep(piece: string, from: number, to: number): void {
    if (to <= from) return;
    this.parts.push(piece.slice(from, to));
    this.last = piece.charCodeAt(to - 1);
  }
}

function isWord(unit: number): boolean {
  return unit !== 0 && !isOpening(unit) && !isClosing(unit) && unit !== comma && unit !== 0x3a;
}

/** Returns the values in a text, or the items of the array it is. */
export function valuesIn(text: string): readonly string[] {
  const splitter = new ValueSplitter();
  splitter.feed(text);
  splitter.finish();
  return splitter.values;
}

/** Returns a JSON object without the white space outside its strings. */
export function compact(text: string): string {
  const splitter = new ValueSplitter();
  for (const line of text.split('\n')) {
    splitter.feed(line);
    splitter.endLine();
  }
  splitter.finish();
  return splitter.values.join('');
}

/**
 * Puts each JSON value of a file, or of the array it contains, on a separate line. Changes nothing if a string isn't closed on its line,
 * because the text between its halves is unknown.
 */
export function* valuesToLines(lines: Lines): Work<readonly LineChange[]> {
  const splitter = new ValueSplitter();
  const { lineCount } = lines;
  for (let index = 0; index < lineCount; index++) {
    const text = lines.line(index) ?? '';
    for (let at = 0; at < text.length; at += pieceChars) {
      splitter.feed(text.slice(at, at + pieceChars));
      yield;
    }
    splitter.endLine();
    if (splitter.isBroken) return [];
    yield;
  }
  splitter.finish();
  return [{ start: 0, removed: lineCount, added: [...splitter.values, ''] }];
}
