import type { FileHandle } from 'node:fs/promises';
import { readContent, searchedTexts } from './lineContent';
import type { LineTable } from './lineTable';
import { FoundLines } from './lineView';

/** So many bytes are read at once, or one line. */
const readAtOnce = 1 << 18;
/** Longer lines are not searched, as they are not checked. */
const longestLine = 1 << 27;

type SearchedLines = Pick<LineTable, 'length' | 'start' | 'endOf'>;

interface SearchOptions {
  readonly signal: AbortSignal;
  /** After every part of the file. */
  readonly onProgress: (found: FoundLines, bytes: number) => void;
}

/**
 * Finds the lines whose `custom_id` or texts hold `query`, whatever its case. In lines that are no JSON it is looked for as
 * it stands. Rejects when it is aborted.
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

/** Behind the last line that fits into what is read at once; at least one line is read. */
function lastWithin(table: SearchedLines, line: number): number {
  const most = table.start(line) + readAtOnce;
  let after = line + 1;
  while (after < table.length && table.endOf(after) <= most) after++;
  return after;
}

/** Looks for a query in lines of files. */
export interface Matcher {
  /** False only where no line of the text can match. */
  mayMatch(text: string): boolean;
  matches(line: string): boolean;
}

export function createMatcher(query: string): Matcher {
  const wanted = query.toLowerCase();
  // These are written as escapes, or may be.
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
