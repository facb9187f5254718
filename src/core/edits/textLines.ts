/** A text by lines. Each line keeps its own end, so that an edit changes nothing else. */
export interface TextLines {
  readonly lines: readonly string[];
  /** The line ending of each line. The last can have none. */
  readonly ends: readonly string[];
  /** The end that most lines have. */
  readonly eol: string;
  readonly bom: string;
}

/** Lines `start` to `end`, exclusive, become `lines`. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/** A location could not be searched with a bounded number of comparisons. */
export class TooManyComparisons extends Error {}

export function toLines(text: string): TextLines {
  const bom = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const parts = text.slice(bom.length).split(/(\r\n|\r|\n)/);
  const lines = parts.filter((_, index) => index % 2 === 0);
  const ends = parts.filter((_, index) => index % 2 === 1);
  if (lines.at(-1) === '') lines.pop();
  else ends.push('');
  const crlf = ends.filter((end) => end === '\r\n').length;
  return { lines, ends, eol: crlf * 2 > ends.length ? '\r\n' : '\n', bom };
}

/** Returns the text after the splices, which must not overlap. The end of the text stays as it is. */
export function withSplices(text: TextLines, splices: readonly Splice[]): string {
  const { lines, ends, eol, bom } = text;
  const parts: string[] = [];
  let at = 0;
  const keep = (until: number) => {
    for (; at < until; at++) parts.push(lines[at]! + (ends[at] || eol));
  };
  for (const { start, end, lines: added } of splices.toSorted((one, other) => one.start - other.start)) {
    keep(start);
    for (const line of added) parts.push(line + eol);
    at = Math.max(at, end);
  }
  keep(lines.length);
  const last = parts.pop();
  if (last === undefined) return bom;
  const finalEnd = lines.length === 0 ? eol : ends.at(-1)!;
  return bom + parts.join('') + last.replace(/(?:\r\n|\r|\n)$/, '') + finalEnd;
}

export function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

export function isBlank(line: string): boolean {
  return line.trim() === '';
}

/** How lines are compared: exactly, without blanks at their end, or without those at their start either. */
const strictness = [(line: string) => line, (line: string) => line.trimEnd(), (line: string) => line.trim()] as const;

/** Where lines are, and whether their indentation differs there. */
export interface FoundLines {
  readonly starts: readonly number[];
  readonly isReindented: boolean;
}

/** Finds lines in a text, many times. Comparisons are bounded over all searches. */
export class LineSearch {
  private readonly indexes = strictness.map(() => undefined as Map<string, number[]> | undefined);
  private left = 4_000_000;

  constructor(readonly text: readonly string[]) {}

  /** Counts work on this many lines. Throws once there was too much of it. */
  spend(lines: number): void {
    this.left -= lines;
    if (this.left < 0) throw new TooManyComparisons();
  }

  /** Returns the starts of all places with these lines, by the strictest comparison that finds any. */
  find(lines: readonly string[], from = 0): FoundLines {
    for (const level of [0, 1, 2] as const) {
      const starts = this.findAt(level, lines, from);
      if (starts.length > 0) return { starts, isReindented: level === 2 };
    }
    return { starts: [], isReindented: false };
  }

  private findAt(level: 0 | 1 | 2, lines: readonly string[], from: number): readonly number[] {
    const as = strictness[level];
    const index = (this.indexes[level] ??= indexOf(this.text, as));
    const keys = lines.map(as);
    // The rarest line has the fewest places to compare.
    let rarest = 0;
    let places: readonly number[] | undefined;
    for (const [at, key] of keys.entries()) {
      const there = index.get(key) ?? [];
      if (places === undefined || there.length < places.length) [rarest, places] = [at, there];
    }
    return (places ?? []).flatMap((place) => {
      const start = place - rarest;
      if (start < from || start + keys.length > this.text.length) return [];
      for (const [at, key] of keys.entries()) {
        this.spend(1);
        if (as(this.text[start + at]!) !== key) return [];
      }
      return [start];
    });
  }
}

/** Returns the numbers of the lines with each key. */
export function indexOf(text: readonly string[], as: (line: string) => string): Map<string, number[]> {
  const index = new Map<string, number[]>();
  for (const [at, line] of text.entries()) {
    const key = as(line);
    const there = index.get(key);
    if (there) there.push(at);
    else index.set(key, [at]);
  }
  return index;
}

/** Moves lines from the indentation `from` to `to`, and uses tabs if `to` does and the lines don't. */
export function reindented(lines: readonly string[], from: string, to: string): readonly string[] {
  const usesTabs = to.includes('\t') && !lines.some((line) => line.startsWith('\t'));
  const unit = usesTabs ? indentUnit(lines, from.length) : 0;
  return lines.map((line) => {
    if (isBlank(line)) return line.trim();
    const indent = indentOf(line);
    if (indent.length < from.length)
      return to.slice(0, Math.max(0, to.length - from.length + indent.length)) + line.slice(indent.length);
    const inner = indent.startsWith(from) ? indent.slice(from.length) : '';
    const deeper = unit > 0 ? '\t'.repeat(Math.round(inner.length / unit)) : inner;
    return to + deeper + line.slice(indent.length);
  });
}

function indentUnit(lines: readonly string[], base: number): number {
  const depths = lines.filter((line) => !isBlank(line)).map((line) => indentOf(line).length - base);
  return depths.filter((depth) => depth > 0).reduce((least, depth) => Math.min(least, depth), 8);
}
