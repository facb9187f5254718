import { stat } from 'node:fs/promises';
import path from 'node:path';
import { openRows } from '../../core/batch/making/openRows';
import type { RowSource } from '../../core/batch/making/rowSource';
import { partNotUtf8 } from '../../core/batch/making/utf8File';
import type { TextEncoding } from '../../core/workspace/textEncoding';
import { askEncoding } from '../../platform/workspace/askEncoding';

/** The encoding that the user chose for a version of a file, so that one command doesn't ask twice. */
const chosen = new Map<string, TextEncoding>();

/**
 * Opens a table or JSON file. Asks for the encoding of one that isn't UTF-8. `undefined` if the user cancels. Throws like `openRows`.
 */
export async function openTable(file: string): Promise<RowSource | undefined> {
  const { mtimeMs, size } = await stat(file);
  const version = `${file} ${mtimeMs} ${size}`;
  const known = chosen.get(version);
  if (known) return openRows(file, known);
  const part = await partNotUtf8(file);
  const encoding = part && (await askEncoding(path.basename(file), part));
  if (encoding === 'cancelled') return undefined;
  if (encoding === undefined || encoding === 'noText') return openRows(file);
  chosen.set(version, encoding);
  return openRows(file, encoding);
}
