import type { ProgressMonitor } from '../../async/progressMonitor';
import { writeLines } from '../transform/writeLines';
import type { WriteOptions } from '../transform/writeLines';
import { rowWords } from '../words/makingWords';
import { MakingError } from './makingError';
import type { RequestMaker } from './recipe';
import type { RowSource } from './rowSource';

export interface Written {
  readonly requests: number;
  readonly bytes: number;
}

/** Writes a line for each row, in order. If a row cannot become a request, no file remains. */
export function writeRequests(source: RowSource, make: RequestMaker, options: WriteOptions): Promise<Written> {
  return writeLines(options, async (file) => {
    let requests = 0;
    for await (const line of requestLines(source, make, options)) {
      requests++;
      await file.line(Buffer.from(line));
    }
    if (requests === 0) throw new MakingError(rowWords.noRows());
    return { requests, bytes: file.bytes };
  });
}

/** Returns the first lines as they would be written. */
export async function firstLines(source: RowSource, make: RequestMaker, count: number): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const line of requestLines(source, make, {})) {
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
): AsyncGenerator<string> {
  const ids = new Set<string>();
  let number = 0;
  for await (const row of source.rows(monitor)) {
    const { id, line } = make(row, ++number);
    if (id === '') throw new MakingError(rowWords.emptyId(number));
    if (ids.has(id)) throw new MakingError(rowWords.repeatedId(number, id));
    ids.add(id);
    yield line;
  }
}
