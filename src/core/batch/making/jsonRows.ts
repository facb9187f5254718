import { stat } from 'node:fs/promises';
import type { ProgressMonitor } from '../../async/progressMonitor';
import { readLines } from '../transform/lines';
import type { TextEncoding } from '../../workspace/textEncoding';
import { rowWords } from '../words/makingWords';
import { MakingError } from './makingError';
import { mostColumns } from './rowSource';
import type { RowSource } from './rowSource';
import type { Row } from './template';
import { utf8Pieces } from './utf8File';

/** The columns are those of this many first rows: later members that none of them has are ignored. */
const rowsLookedAt = 1000;

/** Opens JSON objects, as an array or one per line, whose members are the columns. A missing member is an empty text. */
export async function openJson(path: string, kind: 'array' | 'lines', encoding?: TextEncoding): Promise<RowSource> {
  const { size } = await stat(path);
  const read = (monitor?: Partial<ProgressMonitor>) =>
    objects(kind === 'array' ? arrayItems(utf8Pieces(path, monitor, encoding)) : lineItems(path, encoding, monitor));
  const columns = await findColumns(read());
  return {
    columns,
    bytes: size,
    async *rows(monitor) {
      const places = new Map(columns.map((name, index) => [name, index]));
      for await (const object of read(monitor)) yield toRow(object, places);
    },
  };
}

type RowObject = Readonly<Record<string, unknown>>;

async function findColumns(rows: AsyncIterable<RowObject>): Promise<readonly string[]> {
  const columns = new Set<string>();
  let looked = 0;
  for await (const row of rows) {
    for (const name of Object.keys(row)) columns.add(name);
    if (columns.size > mostColumns) throw new MakingError(rowWords.tooManyColumns(String(mostColumns)));
    if (++looked === rowsLookedAt) break;
  }
  if (looked === 0) throw new MakingError(rowWords.noRows());
  return [...columns];
}

function toRow(object: RowObject, places: ReadonlyMap<string, number>): Row {
  const row: string[] = [];
  for (const [name, value] of Object.entries(object)) {
    const place = places.get(name);
    if (place !== undefined) row[place] = toText(value);
  }
  return row;
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null ? '' : JSON.stringify(value);
}

async function* lineItems(
  path: string,
  encoding: TextEncoding | undefined,
  monitor?: Partial<ProgressMonitor>,
): AsyncGenerator<Buffer> {
  for await (const lines of readLines(path, { ...monitor, isStrict: true, encoding }))
    for (const { bytes } of lines) yield bytes;
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

const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** The same limit as for a line. */
const longestItem = 1 << 27;

const isSpace = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/**
 * Yields the items of a JSON array of any size as bytes, split at the commas between them. The content of an item is not checked
 * and may be invalid JSON.
 */
export async function* arrayItems(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const cutter = new ItemCutter();
  for await (const piece of pieces) yield* cutter.add(piece);
  cutter.end();
}

class ItemCutter {
  /** 0: before the array, 1: between its items, more: within an item. */
  private depth = 0;
  private isEnded = false;
  private isInText = false;
  private isEscaped = false;
  private count = 0;
  private held: Buffer[] = [];
  private heldBytes = 0;

  /** Yields the items that end in this chunk. */
  *add(piece: Buffer): Iterable<Buffer> {
    let start = 0;
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at]!;
      if (this.isInText) {
        this.inText(byte);
      } else if (this.depth === 0) {
        this.outside(byte);
        start = at + 1;
      } else if (this.depth === 1 && (byte === comma || byte === closeBracket)) {
        yield* this.cut(piece.subarray(start, at), byte === closeBracket);
        start = at + 1;
      } else {
        this.inItem(byte);
      }
    }
    this.hold(piece.subarray(start));
  }

  end(): void {
    if (!this.isEnded) throw new MakingError(this.depth === 0 ? rowWords.notArray() : rowWords.cutOff());
  }

  private outside(byte: number): void {
    if (isSpace(byte)) return;
    if (this.isEnded) throw new MakingError(rowWords.behindArray());
    if (byte !== openBracket) throw new MakingError(rowWords.notArray());
    this.depth = 1;
  }

  private inText(byte: number): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (byte === backslash) this.isEscaped = true;
    else if (byte === quote) this.isInText = false;
  }

  private inItem(byte: number): void {
    if (byte === quote) this.isInText = true;
    else if (byte === openBrace || byte === openBracket) this.depth++;
    else if (byte === closeBrace || byte === closeBracket) this.depth--;
    if (this.depth === 0) throw new MakingError(rowWords.notJson(this.count + 1));
  }

  private *cut(rest: Buffer, isLast: boolean): Iterable<Buffer> {
    const item = this.held.length === 0 ? rest : Buffer.concat([...this.held, rest]);
    this.held = [];
    this.heldBytes = 0;
    if (isLast) {
      this.depth = 0;
      this.isEnded = true;
      if (this.count === 0 && item.every(isSpace)) return;
    }
    this.count++;
    yield item;
  }

  private hold(rest: Buffer): void {
    if (this.depth === 0 || rest.length === 0) return;
    this.held.push(rest);
    this.heldBytes += rest.length;
    if (this.heldBytes > longestItem) throw new MakingError(rowWords.tooLongItem(this.count + 1, '128 MB'));
  }
}
