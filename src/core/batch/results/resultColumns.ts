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

const isBlank = 1;
const isFailed = 2;
const isCutOff = 4;
const mostTokens = 0xffff_fffe;
const mostCounted = 0xff;
/** So much of a longer id is kept as it is, for sorting; the rest is told apart by its digest. */
const longIdStart = mostIdBytes - 32;

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
  private readonly flags = new Column((length) => new Uint8Array(length));
  /** From 1; 0 is a row without a result. */
  private readonly files = new Column((length) => new Uint16Array(length));
  private readonly offsets = new Column((length) => new Float64Array(length));
  private readonly sizes = new Column((length) => new Uint32Array(length));
  private readonly numbers = new Column((length) => new Uint32Array(length));
  /** Both from 1. */
  private readonly inputs = new Column((length) => new Uint32Array(length));
  private readonly outputs = new Column((length) => new Uint32Array(length));
  private readonly groups = new Column((length) => new Uint16Array(length));
  private readonly more = new Column((length) => new Uint8Array(length));
  /** The row, from 1, that has the same id and stands before: its result is this one's. */
  private readonly firsts = new Column((length) => new Uint32Array(length));

  addLine({ start, end, customId }: WalkedLine): void {
    const row = this.rows++;
    this.starts.set(row, start);
    this.end = end;
    if (customId) this.ids.set(row, keyOf(customId));
  }

  setBlank(row: number): void {
    this.flags.set(row, isBlank);
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
    if (this.files.get(row) !== 0) {
      this.more.set(row, Math.min(mostCounted, this.more.get(row) + 1));
      if (result.group !== undefined && (this.flags.get(row) & isFailed) === 0) return false;
    }
    this.files.set(row, result.file + 1);
    this.offsets.set(row, result.offset);
    this.sizes.set(row, result.bytes);
    this.numbers.set(row, result.line);
    this.flags.set(row, (result.group === undefined ? 0 : isFailed) | (result.isCutOff ? isCutOff : 0));
    this.groups.set(row, result.group ?? 0);
    this.inputs.set(row, result.input === undefined ? 0 : Math.min(mostTokens, result.input) + 1);
    this.outputs.set(row, result.output === undefined ? 0 : Math.min(mostTokens, result.output) + 1);
    return true;
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
    const file = this.files.get(at);
    if (file === 0) return undefined;
    const [input, output] = [this.inputs.get(at), this.outputs.get(at)];
    return {
      file: file - 1,
      offset: this.offsets.get(at),
      bytes: this.sizes.get(at),
      line: this.numbers.get(at),
      group: this.isFailed(at) ? this.groups.get(at) : undefined,
      isCutOff: (this.flags.get(at) & isCutOff) !== 0,
      input: input === 0 ? undefined : input - 1,
      output: output === 0 ? undefined : output - 1,
      duplicates: this.more.get(at),
    };
  }

  /** The row whose result a row shows: itself, or the first of its id. */
  firstOf(row: number): number {
    return (this.firsts.get(row) || row + 1) - 1;
  }

  isBlank(row: number): boolean {
    return (this.flags.get(row) & isBlank) !== 0;
  }

  hasResult(row: number): boolean {
    return this.files.get(this.firstOf(row)) !== 0;
  }

  isFailed(row: number): boolean {
    return (this.flags.get(this.firstOf(row)) & isFailed) !== 0;
  }

  groupOf(row: number): number {
    return this.groups.get(this.firstOf(row));
  }

  /** Of request and answer together. */
  tokensOf(row: number): number {
    const at = this.firstOf(row);
    return Math.max(0, this.inputs.get(at) - 1) + Math.max(0, this.outputs.get(at) - 1);
  }
}

/** An id as it is compared: longer ones by their beginning and their digest, which no two share in practice. */
function keyOf(id: Uint8Array): Uint8Array {
  if (id.length < mostIdBytes) return id;
  const digest = createHash('sha256').update(id).digest();
  return Buffer.concat([id.subarray(0, longIdStart), digest]);
}
