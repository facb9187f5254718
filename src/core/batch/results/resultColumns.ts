import { createHash } from 'node:crypto';
import { hashOf, IdTable } from '../disk/idTable';
import type { WalkedLine } from '../disk/fileWalk';
import { Column } from '../preview/column';
import { IdStore, mostIdBytes } from '../preview/idStore';

/** A result as it is noted: where it stands, and what is counted of it. */
export interface NotedResult {
  /** Number of its file. */
  readonly file: number;
  readonly offset: number;
  readonly bytes: number;
  /** In its file, from 1. */
  readonly line: number;
  /** Its group, from 0, where it is an error. */
  readonly group: number | undefined;
  readonly isCutOff: boolean;
  readonly input: number | undefined;
  readonly output: number | undefined;
}

const isFailed = 1;
const isCutOff = 2;
const mostTokens = 0xffff_fffe;
const mostCounted = 0xff;
/** So much of a longer id is kept as it is, for sorting; the rest is told apart by its digest. */
const longIdStart = mostIdBytes - 32;

/** Results by number, in some thirty bytes each. */
class NotedResults {
  private readonly flags = new Column((length) => new Uint8Array(length));
  /** From 1; 0 where there is none. */
  private readonly files = new Column((length) => new Uint16Array(length));
  private readonly offsets = new Column((length) => new Float64Array(length));
  private readonly sizes = new Column((length) => new Uint32Array(length));
  private readonly numbers = new Column((length) => new Uint32Array(length));
  /** Both from 1. */
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
 * Requests and their results by number: first the lines of the input, blank ones too, then the results no line has asked for.
 * Some sixty bytes for each and those of its id; no text is kept.
 */
export class ResultColumns {
  /** How many rows there are; those below `lines` are lines of the input. */
  rows = 0;
  lines = 0;
  readonly ids = new IdStore();

  private table = new IdTable(0);
  private readonly starts = new Column((length) => new Float64Array(length));
  private end = 0;
  private readonly blanks = new Column((length) => new Uint8Array(length));
  private readonly results = new NotedResults();
  private readonly more = new Column((length) => new Uint8Array(length));
  /** What other attempts said of a request, and for each the one before it; both from 1. */
  private readonly others = new NotedResults();
  private readonly lastOther = new Column((length) => new Uint32Array(length));
  private readonly otherBefore = new Column((length) => new Uint32Array(length));
  private otherCount = 0;
  /** What other attempts took beside the results: it is paid all the same. */
  readonly otherTokens = { input: 0, output: 0 };
  /** The row, from 1, that has the same id and stands before: its result is this one's. */
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

  /** To be called when all lines are there. Returns how many ids stand in a line before theirs. */
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

  /** The row of an id; a new one where no row has it. */
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

  /** By an id as `ids` keeps it. */
  findKey(key: Uint8Array): number | undefined {
    return this.table.find(hashOf(key, 0, key.length), (row) => this.ids.has(row, key));
  }

  /** Whether this result is the row's now: an answer before an error, else what comes later. */
  note(row: number, result: NotedResult): boolean {
    if (this.results.has(row)) this.more.set(row, Math.min(mostCounted, this.more.get(row) + 1));
    const isResult = this.isBetter(row, result);
    if (isResult) this.results.set(row, result);
    return isResult;
  }

  /** The same of a later attempt than the row's result: the other of the two is kept beside it. */
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

  /** What the attempts at a request said of it, in the order in which they were read. */
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

  /** Where the line of a row stands in the input, with what is between it and the next; `undefined` for one that is no line. */
  lineAt(row: number): { readonly start: number; readonly size: number } | undefined {
    if (row >= this.lines) return undefined;
    const start = this.starts.get(row);
    return { start, size: (row + 1 < this.lines ? this.starts.get(row + 1) : this.end) - start };
  }

  /** The result of a row, that of its id; `undefined` where it is missing. */
  resultAt(row: number): (NotedResult & { readonly duplicates: number }) | undefined {
    const at = this.firstOf(row);
    const result = this.results.get(at);
    return result && { ...result, duplicates: this.more.get(at) };
  }

  /** The row whose result a row shows: itself, or the first of its id. */
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

  /** Of request and answer together. */
  tokensOf(row: number): number {
    return this.results.tokensOf(this.firstOf(row));
  }
}

/** An id as it is compared: longer ones by their beginning and their digest, which no two share in practice. */
function keyOf(id: Uint8Array): Uint8Array {
  if (id.length < mostIdBytes) return id;
  const digest = createHash('sha256').update(id).digest();
  return Buffer.concat([id.subarray(0, longIdStart), digest]);
}
