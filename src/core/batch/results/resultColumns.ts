import { createHash } from 'node:crypto';
import { hashOf, IdTable } from '../disk/idTable';
import type { WalkedLine } from '../disk/fileWalk';
import { Column } from '../preview/column';
import { IdStore, mostIdBytes } from '../preview/idStore';

/** A result as it is stored: its position, and what is counted of it. */
export interface NotedResult {
  /** The number of its file. */
  readonly file: number;
  readonly offset: number;
  readonly bytes: number;
  /** The line in its file, from 1. */
  readonly line: number;
  /** For an error: its group, from 0. */
  readonly group: number | undefined;
  readonly isCutOff: boolean;
  readonly input: number | undefined;
  readonly output: number | undefined;
}

const isFailed = 1;
const isCutOff = 2;
const mostTokens = 0xffff_fffe;
const mostCounted = 0xff;
/** How much of a longer id is stored as it is, for sorting; its digest distinguishes the rest. */
const longIdStart = mostIdBytes - 32;

/** Results by number, in some thirty bytes each. */
class NotedResults {
  private readonly flags = new Column((length) => new Uint8Array(length));
  /** Counts from 1; 0 if there is none. */
  private readonly files = new Column((length) => new Uint16Array(length));
  private readonly offsets = new Column((length) => new Float64Array(length));
  private readonly sizes = new Column((length) => new Uint32Array(length));
  private readonly numbers = new Column((length) => new Uint32Array(length));
  /** Both are one more than the tokens; 0 if they are unknown. */
  private readonly inputs = new Column((length) => new Uint32Array(length));
  private readonly outputs = new Column((length) => new Uint32Array(length));
  private readonly groups = new Column((length) => new Uint16Array(length));

  set(at: number, result: NotedResult): void {
    this.files.set(at, result.file + 1);
    this.offsets.set(at, result.offset);
    this.sizes.set(at, result.bytes);
    this.numbers.set(at, result.line);
    this.flags.set(at, (result.group === undefined ? 0 : isFailed) | (result.isCutOff ? isCutOff : 0));
    this.groups.set(at, result.group ?? 0);
    this.inputs.set(at, result.input === undefined ? 0 : Math.min(mostTokens, result.input) + 1);
    this.outputs.set(at, result.output === undefined ? 0 : Math.min(mostTokens, result.output) + 1);
  }

  get(at: number): NotedResult | undefined {
    if (!this.has(at)) return undefined;
    const [input, output] = [this.inputs.get(at), this.outputs.get(at)];
    return {
      file: this.files.get(at) - 1,
      offset: this.offsets.get(at),
      bytes: this.sizes.get(at),
      line: this.numbers.get(at),
      group: this.isFailed(at) ? this.groups.get(at) : undefined,
      isCutOff: (this.flags.get(at) & isCutOff) !== 0,
      input: input === 0 ? undefined : input - 1,
      output: output === 0 ? undefined : output - 1,
    };
  }

  has(at: number): boolean {
    return this.files.get(at) !== 0;
  }

  isFailed(at: number): boolean {
    return (this.flags.get(at) & isFailed) !== 0;
  }

  groupOf(at: number): number {
    return this.groups.get(at);
  }

  tokensOf(at: number): number {
    return Math.max(0, this.inputs.get(at) - 1) + Math.max(0, this.outputs.get(at) - 1);
  }
}

/**
 * Requests and their results by number: first the lines of the input, including blank ones, then the results that no line
 * requested. Some sixty bytes for each, plus its id; no text is stored.
 */
export class ResultColumns {
  /** The number of rows; those below `lines` are lines of the input. */
  rows = 0;
  lines = 0;
  readonly ids = new IdStore();

  private table = new IdTable(0);
  private readonly starts = new Column((length) => new Float64Array(length));
  private end = 0;
  private readonly blanks = new Column((length) => new Uint8Array(length));
  private readonly results = new NotedResults();
  private readonly more = new Column((length) => new Uint8Array(length));
  /** The results of other attempts at a request, and for each the one before it; both count from 1. */
  private readonly others = new NotedResults();
  private readonly lastOther = new Column((length) => new Uint32Array(length));
  private readonly otherBefore = new Column((length) => new Uint32Array(length));
  private otherCount = 0;
  /** The tokens of other attempts than those of the results: they are paid for all the same. */
  readonly otherTokens = { input: 0, output: 0 };
  /** The earlier row, from 1, that has the same id: its result is also this row's. */
  private readonly firsts = new Column((length) => new Uint32Array(length));

  addLine({ start, end, customId }: WalkedLine): void {
    const row = this.rows++;
    this.starts.set(row, start);
    this.end = end;
    if (customId) this.ids.set(row, keyOf(customId));
  }

  setBlank(row: number): void {
    this.blanks.set(row, 1);
  }

  /** Call this after all lines are added. Returns how many ids also occur in an earlier line. */
  indexLines(): number {
    let repeated = 0;
    this.lines = this.rows;
    this.table = new IdTable(this.rows);
    for (let row = 0; row < this.rows; row++) {
      const key = this.ids.get(row);
      if (key.length === 0) continue;
      const hash = hashOf(key, 0, key.length);
      if (this.table.addNew(hash, row, row)) continue;
      const first = this.table.add(hash, row, row, (other) => this.ids.has(other, key));
      if (first === undefined) continue;
      this.firsts.set(row, first + 1);
      repeated++;
    }
    return repeated;
  }

  /** Returns the row of an id; a new one if no row has it. */
  rowOf(customId: string): number {
    const key = keyOf(Buffer.from(customId));
    const next = this.rows;
    const known = this.table.add(hashOf(key, 0, key.length), next, next, (row) => this.ids.has(row, key));
    if (known !== undefined) return known;
    this.ids.set(next, key);
    this.rows++;
    return next;
  }

  find(customId: string): number | undefined {
    return this.findKey(keyOf(Buffer.from(customId)));
  }

  /** Finds a row by its id as `ids` stores it. */
  findKey(key: Uint8Array): number | undefined {
    return this.table.find(hashOf(key, 0, key.length), (row) => this.ids.has(row, key));
  }

  /** Adds a result. Returns whether it is now the row's result: an answer wins over an error, else the later one wins. */
  note(row: number, result: NotedResult): boolean {
    if (this.results.has(row)) this.more.set(row, Math.min(mostCounted, this.more.get(row) + 1));
    const isResult = this.isBetter(row, result);
    if (isResult) this.results.set(row, result);
    return isResult;
  }

  /** Adds a result of another attempt than the row's. The same rule decides; the one that loses is stored beside the row's result. */
  noteRetry(row: number, result: NotedResult): void {
    const before = this.results.get(row);
    const isResult = this.isBetter(row, result);
    const other = isResult ? before : result;
    if (other) {
      const number = ++this.otherCount;
      this.others.set(number, other);
      this.otherBefore.set(number, this.lastOther.get(row));
      this.lastOther.set(row, number);
      this.otherTokens.input += other.input ?? 0;
      this.otherTokens.output += other.output ?? 0;
    }
    if (!isResult) return;
    this.results.set(row, result);
    this.more.set(row, 0);
  }

  /** Returns the results of all attempts at a request, in the order in which they were read. */
  attemptsAt(row: number): readonly NotedResult[] {
    const at = this.firstOf(row);
    const found: NotedResult[] = [];
    for (let number = this.lastOther.get(at); number !== 0; number = this.otherBefore.get(number)) {
      found.push(this.others.get(number)!);
    }
    const result = this.results.get(at);
    return [...found, ...(result ? [result] : [])].toSorted((a, b) => a.file - b.file);
  }

  private isBetter(row: number, { group }: NotedResult): boolean {
    return group === undefined || !this.results.has(row) || this.results.isFailed(row);
  }

  /** Returns the position of a row's line in the input, up to the next line; `undefined` if the row is not a line. */
  lineAt(row: number): { readonly start: number; readonly size: number } | undefined {
    if (row >= this.lines) return undefined;
    const start = this.starts.get(row);
    return { start, size: (row + 1 < this.lines ? this.starts.get(row + 1) : this.end) - start };
  }

  /** Returns the result of a row, which is that of its id; `undefined` if it is missing. */
  resultAt(row: number): (NotedResult & { readonly duplicates: number }) | undefined {
    const at = this.firstOf(row);
    const result = this.results.get(at);
    return result && { ...result, duplicates: this.more.get(at) };
  }

  /** Returns the row whose result a row shows: itself, or the first one with its id. */
  firstOf(row: number): number {
    return (this.firsts.get(row) || row + 1) - 1;
  }

  isBlank(row: number): boolean {
    return this.blanks.get(row) !== 0;
  }

  hasResult(row: number): boolean {
    return this.results.has(this.firstOf(row));
  }

  isFailed(row: number): boolean {
    return this.results.isFailed(this.firstOf(row));
  }

  groupOf(row: number): number {
    return this.results.groupOf(this.firstOf(row));
  }

  /** Of request and response together. */
  tokensOf(row: number): number {
    return this.results.tokensOf(this.firstOf(row));
  }
}

/** Returns an id as it is compared: a longer one as its beginning and its digest, which no two ids share in practice. */
function keyOf(id: Uint8Array): Uint8Array {
  if (id.length < mostIdBytes) return id;
  const digest = createHash('sha256').update(id).digest();
  return Buffer.concat([id.subarray(0, longIdStart), digest]);
}
