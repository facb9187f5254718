import { stat } from 'node:fs/promises';
import { readLines } from '../transform/lines';
import { rowWords } from '../words/makingWords';
import { arrayItems } from './arrayItems';
import { MakingError } from './makingError';
import type { ReadOptions, RowSource } from './rowSource';
import type { Row } from './template';
import { utf8Pieces } from './utf8File';

/** The columns are those of this many first rows: later members that none of them has are ignored. */
const rowsLookedAt = 1000;

/** Opens JSON objects, as an array or one per line, whose members are the columns. A missing member is an empty text. */
export async function openJson(path: string, kind: 'array' | 'lines'): Promise<RowSource> {
  const { size } = await stat(path);
  const read = (options?: ReadOptions) =>
    objects(kind === 'array' ? arrayItems(utf8Pieces(path, options)) : lineItems(path, options));
  const columns = await findColumns(read());
  return {
    columns,
    bytes: size,
    async *rows(options) {
      for await (const object of read(options)) yield toRow(object, columns);
    },
  };
}

type RowObject = Readonly<Record<string, unknown>>;

async function findColumns(rows: AsyncIterable<RowObject>): Promise<readonly string[]> {
  const columns = new Set<string>();
  let looked = 0;
  for await (const row of rows) {
    for (const name of Object.keys(row)) columns.add(name);
    if (++looked === rowsLookedAt) break;
  }
  if (looked === 0) throw new MakingError(rowWords.noRows());
  return [...columns];
}

function toRow(object: RowObject, columns: readonly string[]): Row {
  return columns.map((name) => (Object.hasOwn(object, name) ? toText(object[name]) : ''));
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null ? '' : JSON.stringify(value);
}

async function* lineItems(path: string, options?: ReadOptions): AsyncGenerator<Buffer> {
  for await (const lines of readLines(path, { ...options, isStrict: true })) for (const { bytes } of lines) yield bytes;
}

async function* objects(items: AsyncIterable<Buffer>): AsyncGenerator<RowObject> {
  let number = 0;
  for await (const item of items) {
    number++;
    const value = parse(item, number);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new MakingError(rowWords.notObject(number));
    }
    yield value as RowObject;
  }
}

function parse(item: Buffer, number: number): unknown {
  try {
    return JSON.parse(item.toString('utf8'));
  } catch {
    throw new MakingError(rowWords.notJson(number));
  }
}
