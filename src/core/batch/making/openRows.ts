import path from 'node:path';
import { rowWords } from '../words/makingWords';
import { openCsv } from './csvRows';
import { openJson } from './jsonRows';
import { MakingError } from './makingError';
import type { RowSource } from './rowSource';

/** Opens a file by its extension and reads its columns. Throws if opening fails, or `MakingError` if its content is invalid. */
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
