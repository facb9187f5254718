import { open, type FileHandle } from 'node:fs/promises';
import { createReadStream } from 'node:fs';
import type { ProgressMonitor } from '../../async/progressMonitor';
import { readLineTexts } from '../transform/lines';
import { objectOf, parseObject, type JsonObject } from '../scan/jsonValue';
import type { LineText } from '../transform/lines';
import { parsePair } from './parseResult';
import { readResult } from './resultLine';

const headBytes = 16_384;
const longestRecordBytes = 1 << 27;

/** The names of a list within an object, and the members that its first record may have at its beginning. */
interface ListsWithin {
  readonly names: ReadonlySet<string>;
  readonly start: RegExp;
}

const resultLists: ListsWithin = {
  names: new Set(
    'data results outputs responses batch_results inlinedResponses inlined_responses inlinedEmbedContentResponses'.split(
      ' ',
    ),
  ),
  start: /^\s*\{[^{}[\]]*"(?:custom_id|key|recordId|batch_request_id|response|result|batch_result|error|metadata)"\s*:/,
};
/** The requests in the body of a call that creates a batch. */
const requestLists: ListsWithin = {
  names: new Set(['requests', 'data']),
  start: /^\s*\{[^{}[\]]*"(?:custom_id|key|request|params|body|metadata)"\s*:/,
};
const deepestList = 6;

/**
 * Returns where the list of results begins in an object that has it after other members, or within them: results in the form of a
 * service's response. `undefined` if there is none at the beginning of the file.
 */
function listStart(head: string, lists: ListsWithin): number | undefined {
  const names: string[] = [];
  let name = '';
  for (let at = 0; at < head.length; at++) {
    const letter = head[at];
    if (letter === '"') {
      const start = at + 1;
      for (at = start; at < head.length && head[at] !== '"'; at++) if (head[at] === '\\') at++;
      // A text that is a value is followed by no list.
      name = head.slice(start, at);
      // The object is a result itself.
      if (names.length === 1 && name === 'custom_id') return undefined;
    } else if (letter === '{') {
      if (names.length >= deepestList) return undefined;
      names.push(name);
    } else if (letter === '}') {
      names.pop();
      if (names.length === 0) return undefined;
    } else if (letter === '[') {
      if (names.length === 0) return undefined;
      if (lists.names.has(name) && lists.start.test(head.slice(at + 1))) return at + 1;
      // Other lists come before it, such as one that is empty.
      const end = head.indexOf(']', at);
      if (end < 0 || head.slice(at, end).includes('{')) return undefined;
      at = end;
    }
  }
  return undefined;
}

interface RecordOptions extends Partial<ProgressMonitor> {
  /** Called with the line of a record that is too long to be read, which is skipped. */
  readonly onLongLine: (number: number) => void;
  /** Whether the records are requests rather than results. */
  readonly isInput?: true;
}

/**
 * Yields the records of a result file of any size, as many at a time as were read: its lines, or the elements of the one array that
 * it is, alone or in an object, or objects that are spread over several lines. A record that breaks off has `isEnded` unset.
 */
export async function* readRecords(path: string, options: RecordOptions): AsyncGenerator<readonly LineText[]> {
  const layout = await layoutOf(path, options.isInput ? requestLists : resultLists);
  if (layout === undefined) {
    yield* readLineTexts(path, options);
    return;
  }
  const { signal, onProgress } = options;
  const splitter = new ObjectSplitter(layout, options);
  for await (const piece of createReadStream(path, { highWaterMark: 1 << 18, ...(signal && { signal }) })) {
    yield splitter.add(piece as Buffer);
    onProgress?.(splitter.read);
  }
  yield splitter.end();
}

/** Whether a file is the body of a call that creates a batch, with all requests in a list. */
export async function isCreation(path: string): Promise<boolean> {
  return (await layoutOf(path, requestLists))?.isWithin === true;
}

/** Maximum length, in characters, of a record that is divided, and how often a record may begin again within it. */
const mostDivided = 1 << 24;
const mostBeginnings = 20;
/** Members of a request or a result, which are no IDs. */
const memberNames = new Set(['request', 'response', 'result', 'body', 'params', 'metadata', 'error', 'errors', 'data']);

/**
 * Returns the results within a record that is none itself: objects with anything around them, such as one that was cut off when the next
 * was written, or the members of an object that has all results under their IDs. They are texts only if a name is the ID of a
 * request, as `isId` tells. Returns the record if there are no others in it.
 */
export function partsOf(record: LineText, isId: (name: string) => boolean = () => false): readonly LineText[] {
  const { text } = record;
  if (text.length > mostDivided) return [record];
  const value = parseObject(text);
  if (value) return membersOf(record, value, isId);
  const list = /^\s*\[/.exec(text);
  const layout = { start: list?.[0].length ?? 0, isList: list !== null, isWithin: false };
  const splitter = new ObjectSplitter(layout, { onLongLine: () => undefined });
  const parts = [...splitter.add(Buffer.from(text)), ...splitter.end()].map((part) => within(record, part));
  if (parts.some((part) => parseObject(part.text) && part.size < record.size)) return parts;
  const [beginning = ''] = /^\s*\{\s*"[^"]{1,40}"/.exec(text) ?? [];
  let at = beginning === '' ? -1 : text.indexOf(beginning, 1);
  for (let count = 0; at >= 0 && count < mostBeginnings; count++) {
    if (parseObject(text.slice(at))) {
      const [start, end] = [text.slice(0, at), text.slice(at)].map((part) => ({
        text: part,
        size: Buffer.byteLength(part),
      }));
      return [
        { ...record, ...start!, isEnded: true },
        { ...record, ...end!, offset: record.offset + start!.size, isEnded: true },
      ];
    }
    at = text.indexOf(beginning, at + 1);
  }
  return [record];
}

/** The names of an object within an object that has all results under their IDs. */
const byIdNames = ['results', 'responses', 'batch_results'];

/** Returns the members of an object, or of the one within it, as records if all are results under an ID; else the record. */
function membersOf(record: LineText, value: JsonObject, isId: (name: string) => boolean): readonly LineText[] {
  if (areResults(value, isId)) return membersIn(record);
  const name = byIdNames.find((one) => areResults(objectOf(value[one]) ?? {}, isId));
  const member = name === undefined ? undefined : membersIn(record).find(({ text }) => text.startsWith(`"${name}"`));
  return member ? membersIn(member, member.text.indexOf('{')) : [record];
}

/** Whether all members of an object are objects, or texts, under an ID. Null stands for no result. */
function areResults(value: JsonObject, isId: (name: string) => boolean): boolean {
  const entries = Object.entries(value);
  const areObjects = entries.every(
    ([id, one]) => !memberNames.has(id) && objectOf(one) && readResult({ custom_id: id, ...objectOf(one) }),
  );
  const areTexts = entries.every(([, one]) => typeof one === 'string' || one === null);
  return entries.length > 0 && (areObjects || (areTexts && entries.some(([id]) => isId(id))));
}

/** Returns the members of the object at `from` that are objects, lists, or texts, each with its name, as records. */
function membersIn(record: LineText, from = 0): readonly LineText[] {
  const parts: LineText[] = [];
  const bytes = Buffer.from(record.text);
  let [depth, start, isInText, isValue] = [0, -1, false, false];
  const finish = (end: number) => {
    const text = bytes.toString('utf8', start, end);
    parts.push(within(record, { text, size: end - start, offset: start, number: record.number, isEnded: true }));
  };
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at];
    if (isInText) {
      if (byte === backslash) at++;
      else if (byte === quote) isInText = false;
      if (!isInText && depth === 1 && isValue) finish(at + 1);
    } else if (byte === quote) {
      isInText = true;
      if (depth === 1 && start < 0) start = at;
    } else if (byte === colon && depth === 1) isValue = true;
    else if (byte === comma && depth === 1) [start, isValue] = [-1, false];
    else if (byte === openBrace || byte === openBracket) depth++;
    else if (byte === closeBrace || byte === closeBracket) {
      depth--;
      if (depth === 1) finish(at + 1);
    }
  }
  return parts;
}

function within(record: LineText, part: LineText): LineText {
  return {
    ...part,
    offset: record.offset + part.offset,
    number: record.number,
    isEnded: part.isEnded || record.isEnded,
  };
}

interface Layout {
  /** The offset of the first byte within the list, or of the first object. */
  readonly start: number;
  readonly isList: boolean;
  /** Whether the list is within an object, so that what follows it is not results. */
  readonly isWithin: boolean;
}

/** Returns `undefined` for a file of lines. */
async function layoutOf(path: string, lists: ListsWithin): Promise<Layout | undefined> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    const bytes = buffer.subarray(0, bytesRead);
    const head = bytes.toString('latin1').replace(/^\u00ef\u00bb\u00bf/, (mark) => ' '.repeat(mark.length));
    const bare = /^\s*\[/.exec(head);
    if (bare && (await beginsWithPair(file))) return undefined;
    if (bare) return { start: bare[0].length, isList: true, isWithin: false };
    const within = /^\s*\{/.test(head) ? listStart(head, lists) : undefined;
    if (within !== undefined) return { start: within, isList: true, isWithin: true };
    const spread = /^\s*(?=\{[ \t]*\r?\n)/.exec(head);
    return spread ? { start: spread[0].length, isList: false, isWithin: false } : undefined;
  } finally {
    await file.close();
  }
}

const [lineFeed, quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = [
  0x0a, 0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d,
];
const [colon, comma] = [0x3a, 0x2c];

/** A request with its response may be much longer than the beginning that tells everything else. */
const longestPair = 1 << 20;

/** Whether the first line is a pair of a request and its outcome, so that the file is one of lines and no list. */
async function beginsWithPair(file: FileHandle): Promise<boolean> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(longestPair), 0, longestPair, 0);
  const [line = ''] = buffer.toString('utf8', 0, bytesRead).trimStart().split('\n', 1);
  return parsePair(line) !== undefined;
}

/** Splits JSON into its outermost objects without parsing it. */
class ObjectSplitter {
  read = 0;
  private line = 1;
  private depth = 0;
  private isInText = false;
  private isEscaped = false;
  private isListEnded = false;
  /** The record that has begun. */
  private held: Buffer[] = [];
  private heldBytes = 0;
  private startLine = 1;
  private startOffset = 0;

  constructor(
    private readonly layout: Layout,
    private readonly options: RecordOptions,
  ) {}

  add(piece: Buffer): readonly LineText[] {
    const records: LineText[] = [];
    let from = 0;
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at];
      if (byte === lineFeed) this.line++;
      if (this.read + at < this.layout.start) continue;
      if (this.isListEnded) {
        // Some programs write one list after the other.
        if (byte === openBracket && !this.layout.isWithin) this.isListEnded = false;
      } else if (this.isInText) {
        if (this.isEscaped) this.isEscaped = false;
        else if (byte === backslash) this.isEscaped = true;
        else if (byte === quote) this.isInText = false;
      } else if (byte === quote) this.isInText = this.depth > 0;
      else if (byte === openBrace || byte === openBracket) {
        if (this.depth === 0) {
          from = at;
          this.startLine = this.line;
          this.startOffset = this.read + at;
        }
        this.depth++;
      } else if (byte === closeBrace || byte === closeBracket) {
        if (this.depth === 0) this.isListEnded = this.layout.isList;
        else if (--this.depth === 0) this.finish(piece.subarray(from, at + 1), records);
      }
    }
    this.read += piece.length;
    if (this.depth > 0) this.hold(piece.subarray(this.startOffset >= this.read - piece.length ? from : 0));
    return records;
  }

  /** A list without its end was cut off, even if that was between two records. */
  end(): readonly LineText[] {
    const isCut = this.depth > 0 || (this.layout.isList && !this.isListEnded);
    if (!isCut) return [];
    const bytes = Buffer.concat(this.held);
    const isHeld = this.depth > 0;
    const [offset, number] = isHeld ? [this.startOffset, this.startLine] : [this.read, this.line];
    return [{ text: bytes.toString(), size: bytes.length, offset, number, isEnded: false }];
  }

  private hold(part: Buffer): void {
    this.heldBytes += part.length;
    if (this.heldBytes <= longestRecordBytes) this.held.push(part);
    else this.held = [];
  }

  private finish(last: Buffer, into: LineText[]): void {
    const isTooLong = this.heldBytes + last.length > longestRecordBytes;
    if (isTooLong) this.options.onLongLine(this.startLine);
    else {
      const bytes = this.held.length === 0 ? last : Buffer.concat([...this.held, last]);
      const place = { offset: this.startOffset, number: this.startLine, isEnded: true };
      into.push({ text: bytes.toString(), size: bytes.length, ...place });
    }
    this.held = [];
    this.heldBytes = 0;
  }
}
