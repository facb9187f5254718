import type { FileHandle } from 'node:fs/promises';
import { readContent, searchedTexts } from './lineContent';
import type { LineTable } from './lineTable';
import { FoundLines } from './lineView';

/** How much is read at once, unless a single line is longer. */
const readAtOnce = 1 << 18;
/** Longer lines are not searched, as they are not checked either. */
const longestLine = 1 << 27;

type SearchedLines = Pick<LineTable, 'length' | 'start' | 'endOf'>;

interface SearchOptions {
  readonly signal: AbortSignal;
  /** Called after every part of the file. */
  readonly onProgress: (found: FoundLines, bytes: number) => void;
}

/**
 * Finds the lines whose `custom_id` or texts contain `query`, ignoring case. Lines that are not JSON are searched as they are.
 * Rejects if aborted.
 */
export async function searchFile(
  file: FileHandle,
  table: SearchedLines,
  query: string,
  { signal, onProgress }: SearchOptions,
): Promise<FoundLines> {
  const found = new FoundLines(table.length);
  const matcher = createMatcher(query);
  let buffer = Buffer.alloc(readAtOnce);
  for (let line = 0; line < table.length;) {
    signal.throwIfAborted();
    const start = table.start(line);
    const after = lastWithin(table, line);
    const size = table.endOf(after - 1) - start;
    if (size <= longestLine) {
      if (size > buffer.length) buffer = Buffer.alloc(size);
      const { bytesRead } = await file.read(buffer, 0, size, start);
      const bytes = buffer.subarray(0, bytesRead);
      if (matcher.mayMatch(bytes.toString('utf8'))) {
        for (let one = line; one < after; one++) {
          const text = bytes.toString('utf8', table.start(one) - start, table.endOf(one) - start);
          if (matcher.matches(text)) found.add(one);
        }
      }
    }
    if (buffer.length > readAtOnce) buffer = Buffer.alloc(readAtOnce);
    onProgress(found, table.endOf(after - 1));
    line = after;
  }
  return found;
}

/** Returns the line after the last one that fits into one read; at least one line is read. */
function lastWithin(table: SearchedLines, line: number): number {
  const most = table.start(line) + readAtOnce;
  let after = line + 1;
  while (after < table.length && table.endOf(after) <= most) after++;
  return after;
}

/** Searches for a query in the lines of files. */
export interface Matcher {
  /** Returns `false` only if no line of the text can match. */
  mayMatch(text: string): boolean;
  matches(line: string): boolean;
}

export function createMatcher(query: string): Matcher {
  const wanted = query.toLowerCase();
  // JSON writes these characters as escapes, or may do so.
  const hasEscapes = /["\\/\p{Cc}]/u.test(wanted);
  const mayMatch = (text: string): boolean =>
    text.includes(hasEscapes ? '\\' : '\\u') || text.toLowerCase().includes(wanted);
  return {
    mayMatch,
    matches(line) {
      if (!mayMatch(line)) return false;
      const text = line.startsWith('\ufeff') ? line.slice(1) : line;
      const content = readContent(text);
      if (!content) return text.toLowerCase().includes(wanted);
      for (const one of searchedTexts(content)) if (one.toLowerCase().includes(wanted)) return true;
      return false;
    },
  };
}
