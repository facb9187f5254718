import { createHash } from 'node:crypto';
import type { ProgressMonitor } from '../../async/progressMonitor';
import { writeLines } from '../transform/writeLines';
import type { WriteOptions } from '../transform/writeLines';
import { rowWords } from '../words/makingWords';
import { MakingError } from './makingError';
import type { RequestMaker } from './recipe';
import type { RowSource } from './rowSource';
import type { Row } from './template';

export interface Written {
  readonly requests: number;
  readonly bytes: number;
  /** Of the file, in hexadecimal. */
  readonly sha256: string;
}

interface RequestOptions extends WriteOptions {
  /** Called with each row whose request was written. */
  readonly onRow?: (customId: string, row: Row) => Promise<void>;
}

/** Writes a line for each row, in order. If a row cannot become a request, no file remains. */
export function writeRequests(source: RowSource, make: RequestMaker, options: RequestOptions): Promise<Written> {
  return writeLines(options, async (file) => {
    const hash = createHash('sha256');
    let requests = 0;
    for await (const { id, line, row } of requestLines(source, make, options)) {
      requests++;
      const bytes = Buffer.from(line);
      hash.update(bytes).update('\n');
      await file.line(bytes);
      await options.onRow?.(id, row);
    }
    if (requests === 0) throw new MakingError(rowWords.noRows());
    return { requests, bytes: file.bytes, sha256: hash.digest('hex') };
  });
}

/** Returns the first lines as they would be written. */
export async function firstLines(source: RowSource, make: RequestMaker, count: number): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const { line } of requestLines(source, make, {})) {
    lines.push(line);
    if (lines.length === count) break;
  }
  if (lines.length === 0) throw new MakingError(rowWords.noRows());
  return lines;
}

async function* requestLines(
  source: RowSource,
  make: RequestMaker,
  monitor: Partial<ProgressMonitor>,
): AsyncGenerator<{ readonly id: string; readonly line: string; readonly row: Row }> {
  const ids = new Set<string>();
  let number = 0;
  for await (const row of source.rows(monitor)) {
    const { id, line } = make(row, ++number);
    if (id === '') throw new MakingError(rowWords.emptyId(number));
    if (ids.has(id)) throw new MakingError(rowWords.repeatedId(number, id));
    ids.add(id);
    yield { id, line, row };
  }
}

const idColumns = ['custom_id', 'id'];
/** Accepted by every service that limits ids. */
const validId = /^[\p{L}\p{N}_.:#@/-]{1,64}$/u;

/**
 * Returns the column whose fields can be the `custom_id` of their rows because each is valid and unique; `undefined` if there is none.
 * Throws `MakingError` at a row that cannot be read.
 */
export async function findIdColumn(source: RowSource): Promise<string | undefined> {
  const named = source.columns.filter((name) => idColumns.includes(name.toLowerCase()));
  const places = named.map((name) => ({ name, index: source.columns.indexOf(name), ids: new Set<string>() }));
  let candidates = places;
  if (candidates.length === 0) return undefined;
  for await (const row of source.rows()) {
    candidates = candidates.filter(({ index, ids }) => {
      const id = row[index] ?? '';
      return validId.test(id) && ids.size < ids.add(id).size;
    });
    if (candidates.length === 0) return undefined;
  }
  return candidates.toSorted((a, b) => rankOf(a.name) - rankOf(b.name))[0]?.name;
}

function rankOf(name: string): number {
  return idColumns.indexOf(name.toLowerCase());
}
