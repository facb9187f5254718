import { open } from 'node:fs/promises';
import { FoundLines } from '../preview/lineView';
import { createMatcher, searchFile } from '../preview/searchFile';
import { parseObject, textOf } from '../scan/jsonValue';
import { eachLine } from './eachLine';
import type { BufferedLine } from './eachLine';
import { requestAt } from './joinFiles';
import type { Joined } from './joinFiles';
import { readResult } from './resultLine';

export interface SearchOptions {
  readonly signal: AbortSignal;
  /** The progress from 0 to 1; `found` grows. */
  readonly onProgress: (part: number, found: FoundLines) => void;
}

/**
 * Finds the rows whose `custom_id`, request, answer or error contains `query`, ignoring case. Reads each file once, in order. Skips
 * what can no longer be read. Rejects if aborted.
 */
export async function searchResults(
  joined: Joined,
  query: string,
  { signal, onProgress }: SearchOptions,
): Promise<FoundLines> {
  const { columns, input, files } = joined;
  const found = new FoundLines(columns.rows);
  const add = (row: number) => !found.has(row) && found.add(row);
  const total = Math.max(
    1,
    files.reduce((sum, { bytes }) => sum + bytes, input?.bytes ?? 0),
  );
  let before = 0;
  if (input && columns.lines > 0) {
    const onInput = (inLines: FoundLines, bytes: number) => onProgress(bytes / total, inLines);
    const inLines = await searchInput(joined, query, { signal, onInput });
    // Rows that a retry sent differently are searched in the retry's file.
    for (let row = 0; row < columns.lines; row++) {
      if (inLines?.has(row) && requestAt(joined, row)?.file === 0) add(row);
    }
    before = input.bytes;
  }
  const matcher = createMatcher(query);
  for (const [number, { input: asked }] of joined.retries.entries()) {
    const onLine = ({ buffer, start, end, offset }: BufferedLine) => {
      const text = buffer.toString('utf8', start, end);
      const row = matcher.matches(text) ? columns.find(textOf(parseObject(text)?.['custom_id']) ?? '') : undefined;
      const place = row === undefined ? undefined : requestAt(joined, row);
      if (row !== undefined && place?.file === number + 1 && place.start === offset) add(row);
    };
    await eachLine(asked ?? '', { signal, onLine, onProgress: () => undefined }).catch(() => signal.throwIfAborted());
  }
  for (const [number, { path, bytes }] of files.entries()) {
    const onLine = ({ buffer, start, end, offset }: BufferedLine) => {
      const text = buffer.toString('utf8', start, end);
      const row = matcher.matches(text) ? rowOf(joined, text) : undefined;
      const result = row === undefined ? undefined : columns.resultAt(row);
      if (row !== undefined && result?.file === number && result.offset === offset) add(row);
    };
    try {
      await eachLine(path, { signal, onLine, onProgress: (read) => onProgress((before + read) / total, found) });
    } catch {
      signal.throwIfAborted();
    }
    before += bytes;
  }
  if ((input?.repeatedIds ?? 0) > 0) {
    for (let row = 0; row < columns.lines; row++) if (found.has(columns.firstOf(row))) add(row);
  }
  return found;
}

interface InputOptions {
  readonly signal: AbortSignal;
  readonly onInput: (found: FoundLines, bytes: number) => void;
}

async function searchInput(
  { columns, input }: Joined,
  query: string,
  { signal, onInput }: InputOptions,
): Promise<FoundLines | undefined> {
  const lines = {
    length: columns.lines,
    start: (row: number) => columns.lineAt(row)?.start ?? 0,
    endOf: (row: number) => {
      const { start, size } = columns.lineAt(row) ?? { start: 0, size: 0 };
      return start + size;
    },
  };
  const file = await open(input?.path ?? '').catch(() => undefined);
  try {
    return file && (await searchFile(file, lines, query, { signal, onProgress: onInput }));
  } catch {
    signal.throwIfAborted();
    return undefined;
  } finally {
    await file?.close();
  }
}

function rowOf({ columns }: Joined, text: string): number | undefined {
  const line = parseObject(text);
  const result = line && readResult(line);
  return typeof result === 'object' ? columns.find(result.customId) : undefined;
}
