import path from 'node:path';
import { rowWords } from '../words/makingWords';
import { openCsv } from './csvRows';
import { openJson } from './jsonRows';
import { MakingError } from './makingError';
import type { RowSource } from './rowSource';

/** Reads the columns of a file by its ending. Throws what opening throws, and in words what is wrong with what it holds. */
export async function openRows(file: string): Promise<RowSource> {
  switch (path.extname(file).toLowerCase()) {
    case '.csv':
      return openCsv(file, 'csv');
    case '.tsv':
    case '.tab':
      return openCsv(file, 'tsv');
    case '.json':
      return openJson(file, 'array');
    case '.jsonl':
    case '.ndjson':
      return openJson(file, 'lines');
    default:
      throw new MakingError(rowWords.unknownKind());
  }
}
