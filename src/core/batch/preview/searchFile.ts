import type { FileHandle } from 'node:fs/promises';
import { foldText } from '../../../protocol/formats';
import { readContent, searchedTexts } from './lineContent';

/** How much is read at once, unless a single line is longer. */
const readAtOnce = 1 << 18;
/** Longer lines are not searched, as they are not checked either. */
const longestLine = 1 << 27;

/** A line of a file, with or without its line break. */
export interface SearchedPlace {
  readonly start: number;
  readonly size: number;
}

/**
 * Searches places, sorted by position, whose `custom_id` or texts contain `query`, ignoring case and width. Lines that are not JSON are
 * searched as they are. Yields the indexes found in one part of the file after another, and the position the part ends at.
 */
export async function* searchFile(
  file: FileHandle,
  places: readonly SearchedPlace[],
  query: string,
): AsyncGenerator<{ readonly found: readonly number[]; readonly end: number }> {
  const matcher = createMatcher(query);
  for (let index = 0; index < places.length;) {
    const found: number[] = [];
    const { start } = places[index]!;
    const after = lastWithin(places, index);
    const end = endOf(places[after - 1]!);
    if (end - start <= longestLine) {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(end - start), 0, end - start, start);
      const bytes = buffer.subarray(0, bytesRead);
      if (matcher.mayMatch(bytes.toString('utf8'))) {
        for (const [at, place] of places.slice(index, after).entries()) {
          if (matcher.matches(bytes.toString('utf8', place.start - start, endOf(place) - start)))
            found.push(index + at);
        }
      }
    }
    yield { found, end };
    index = after;
  }
}

function endOf({ start, size }: SearchedPlace): number {
  return start + size;
}

/** Returns the index after the last place that fits into one read; at least one is read. */
function lastWithin(places: readonly SearchedPlace[], index: number): number {
  const most = places[index]!.start + readAtOnce;
  let after = index + 1;
  while (after < places.length && endOf(places[after]!) <= most) after++;
  return after;
}

/** `mayMatch` returns `false` only if no line of the text can match. */
function createMatcher(query: string) {
  const folded = foldText(query);
  // JSON writes these characters as escapes, or may do so.
  const hasEscapes = /["\\/\p{Cc}]/u.test(folded);
  const mayMatch = (text: string): boolean =>
    text.includes(hasEscapes ? '\\' : '\\u') || foldText(text).includes(folded);
  return {
    mayMatch,
    matches(line: string): boolean {
      if (!mayMatch(line)) return false;
      const text = line.startsWith('\ufeff') ? line.slice(1) : line;
      const content = readContent(text);
      if (!content) return foldText(text).includes(folded);
      for (const one of searchedTexts(content)) if (foldText(one).includes(folded)) return true;
      return false;
    },
  };
}
