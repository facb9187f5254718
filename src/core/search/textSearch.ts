import { createContext, Script } from 'node:vm';

/** A range of a text, from start to end (exclusive), in UTF-16 offsets. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** Thrown for an expression whose search of one text does not finish in time. */
export class SlowPatternError extends Error {
  override readonly name = 'SlowPatternError';
}

/** Returns at most `most` ranges that match a pattern in a text; empty matches are ignored. */
type SpanFinder = (text: string, most: number) => readonly Span[];

/** Only the engine itself can stop an expression with catastrophic backtracking: as a script with a time limit. */
const script = new Script(`(() => {
  const { text, source, flags, most } = job;
  const pattern = new RegExp(source, flags);
  const spans = [];
  for (let found; spans.length < most && (found = pattern.exec(text)) !== null; ) {
    if (found[0] === '') pattern.lastIndex += 1;
    else spans.push({ start: found.index, end: pattern.lastIndex });
  }
  return JSON.stringify(spans);
})()`);

/** The finder throws `SlowPatternError` if one text takes longer than `timeoutMs`. */
export function createSpanFinder({ source, flags }: RegExp, timeoutMs = 500): SpanFinder {
  const job = { text: '', source, flags, most: 0 };
  const context = createContext({ job });
  return (text, most) => {
    Object.assign(job, { text, most });
    try {
      return JSON.parse(script.runInContext(context, { timeout: timeoutMs }) as string) as readonly Span[];
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      throw new SlowPatternError('The expression takes too long.');
    } finally {
      job.text = '';
    }
  };
}

/** The text to search for. */
export interface TextQuery {
  readonly text: string;
  readonly isRegExp?: boolean;
  readonly isCaseSensitive?: boolean;
}

/**
 * Returns a pattern that finds every match. A line end in plain text matches LF and CRLF. Throws `SyntaxError` for an invalid
 * expression.
 */
export function createTextPattern({ text, isRegExp = false, isCaseSensitive = false }: TextQuery): RegExp {
  const flags = isCaseSensitive ? 'gm' : 'gim';
  if (!isRegExp) return new RegExp(escaped(text), `${flags}u`);
  try {
    return new RegExp(text, `${flags}u`);
  } catch {
    // Without `u`, unnecessary escapes are allowed.
    return new RegExp(text, flags);
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`).replaceAll(/\r?\n/g, String.raw`\r?\n`);
}

/** Lines of a text around one match, or around several whose lines touch. */
export interface Snippet {
  /** From 0. */
  readonly firstLine: number;
  readonly lastLine: number;
  readonly text: string;
  /** Positions of the matches in the whole text. Never empty. */
  readonly places: readonly { readonly start: Place; readonly end: Place }[];
}

/** Returns the snippets of a text, from the top. `spans` must be in order. */
export function snippetsAround(text: string, spans: readonly Span[], linesAround: number): readonly Snippet[] {
  if (spans.length === 0) return [];
  const lines = createLineIndex(text);
  const groups: { first: number; last: number; places: Snippet['places'][number][] }[] = [];
  for (const { start, end } of spans) {
    const place = { start: lines.placeOf(start), end: lines.placeOf(end) };
    const first = Math.max(0, place.start.line - linesAround);
    const last = Math.min(lines.count - 1, place.end.line + linesAround);
    const before = groups.at(-1);
    if (before && first <= before.last) {
      before.last = Math.max(before.last, last);
      before.places.push(place);
    } else groups.push({ first, last, places: [place] });
  }
  return groups.map(({ first, last, places }) => ({
    firstLine: first,
    lastLine: last,
    text: lines.textOf(first, last),
    places,
  }));
}

export interface Place {
  /** From 0. */
  readonly line: number;
  readonly character: number;
}

/** An index of where the lines of a text begin. Line ends are `\n`, `\r\n` and a lone `\r`, as in the editor. */
interface LineIndex {
  readonly count: number;
  placeOf(offset: number): Place;
  /** Returns the lines from `first` to `last`, without the line end of the last. */
  textOf(first: number, last: number): string;
}

export function createLineIndex(text: string): LineIndex {
  const starts = [0];
  for (const { index, 0: end } of text.matchAll(/\r\n|\n|\r/g)) starts.push(index + end.length);
  return {
    count: starts.length,
    placeOf(offset) {
      const line = lineOf(starts, offset);
      return { line, character: offset - starts[line]! };
    },
    textOf(first, last) {
      return text.slice(starts[first], starts[last + 1]).replace(/(\r\n|\n|\r)$/, '');
    },
  };
}

function lineOf(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (starts[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Parses a search: a text, or a regular expression between slashes, followed by `c` for case-sensitive. */
export function toTextQuery(typed: string): TextQuery {
  const [, source, flags] = /^\/(.+)\/(c?)$/s.exec(typed.trim()) ?? [];
  if (source === undefined) return { text: typed };
  return { text: source, isRegExp: true, isCaseSensitive: flags === 'c' };
}
