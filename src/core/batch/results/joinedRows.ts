import type { WalkedLine } from '../disk/fileWalk';
import type { AnswerValues } from './answerValues';
import type { ResultOutcome } from './resultLine';

/** A stored result: its position, and its counted properties. */
export interface NotedResult {
  /** The number of its file. */
  readonly file: number;
  readonly offset: number;
  readonly bytes: number;
  /** The line in its file, from 1. */
  readonly line: number;
  /** For an error: its group, from 0. */
  readonly group: number | undefined;
  readonly outcome: ResultOutcome;
  /** Set if a content filter withheld the answer. */
  readonly isFiltered: boolean;
  readonly input: number | undefined;
  readonly output: number | undefined;
  readonly model: string | undefined;
  readonly finish: string | undefined;
  /** `undefined` for an error. */
  readonly answer: AnswerValues | undefined;
}

interface Place {
  readonly start: number;
  readonly size: number;
}

const none: readonly NotedResult[] = [];

/**
 * Requests and their results by number: first the lines of the input, including blank ones, then the results that no line requested. Texts
 * aren't stored. The data of rows is in arrays, which are iterated many times faster than an object per row.
 */
export class JoinedRows {
  /** The number of rows that are lines of the input: the first ones. */
  lines = 0;
  /** Whether each of them is one line of its file, so that the number of a row is that of its line. */
  areLines = true;
  /** The tokens of all results, including those of other attempts: they are paid for all the same. */
  readonly tokens = { input: 0, output: 0 };

  /** Empty for a row that has none. */
  private readonly allIds: string[] = [];
  /** Where each line is in the input, up to the next one; a negative start if the row is not a line. */
  private readonly starts: number[] = [];
  private readonly sizes: number[] = [];
  private readonly results: (NotedResult | undefined)[] = [];
  private readonly outcomes: (ResultOutcome | undefined)[] = [];
  private readonly byId = new Map<string, number>();
  private readonly blank = new Set<number>();
  /** By row, the earlier row that has the same ID: its result is also this row's. */
  private readonly firsts = new Map<number, number>();
  /** The number of further results of the same attempt. */
  private readonly duplicates = new Map<number, number>();
  /** The results of other attempts, in the order in which they were read. */
  private readonly others = new Map<number, readonly NotedResult[]>();

  get count(): number {
    return this.allIds.length;
  }

  addLine({ start, end, customId }: WalkedLine): void {
    const last = this.count - 1;
    const before = this.starts[last] ?? -1;
    if (before >= 0) this.sizes[last] = start - before;
    this.addRequest(customId, { start, size: end - start });
  }

  /** Adds a request of an input that is one array, or has requests over several lines. */
  addRecord(id: string, place: Place): void {
    this.areLines = false;
    this.addRequest(id, place);
  }

  private addRequest(id: string, place: Place): void {
    const row = this.add(id, place);
    this.lines = row + 1;
    this.join(row, id);
  }

  setBlank(row: number): void {
    this.blank.add(row);
  }

  /** The number of lines whose id an earlier line has. */
  get repeatedIds(): number {
    return this.firsts.size;
  }

  /** Returns the row of an id; a new one if no row has it. */
  rowOf(id: string): number {
    const known = this.byId.get(id);
    if (known !== undefined) return known;
    const row = this.add(id, undefined);
    this.byId.set(id, row);
    return row;
  }

  /** Whether a line that isn't blank has no id. */
  get lacksIds(): boolean {
    return this.allIds.some((id, row) => id === '' && !this.blank.has(row));
  }

  /** Adds a row for a result that has no id, so that it belongs to no line. */
  addNameless(): number {
    return this.add('', undefined);
  }

  /** Sets the ID of a line that has it at an unusual location. */
  nameLine(row: number, id: string): void {
    if (this.allIds[row] !== '') return;
    this.allIds[row] = id;
    this.join(row, id);
  }

  /** Returns all ids with their first row, in the order of the rows. */
  ids(): readonly (readonly [string, number])[] {
    return [...this.byId];
  }

  find(id: string): number | undefined {
    return this.byId.get(id);
  }

  /** Adds a result: a better one wins, such as an answer over an error, else the later one. */
  note(row: number, result: NotedResult): void {
    const before = this.results[row];
    if (before) this.duplicates.set(row, (this.duplicates.get(row) ?? 0) + 1);
    if (!isBetter(result, before)) return;
    this.place(row, result);
    this.addTokens(result, 1);
    if (before) this.addTokens(before, -1);
  }

  /** Adds a result of another attempt than the row's. The same rule decides. The one that loses is stored next to the row's result. */
  noteRetry(row: number, result: NotedResult): void {
    const before = this.results[row];
    const isResult = isBetter(result, before);
    const other = isResult ? before : result;
    if (other) this.others.set(row, [...(this.others.get(row) ?? none), other]);
    this.addTokens(result, 1);
    if (!isResult) return;
    this.place(row, result);
    this.duplicates.delete(row);
  }

  /** Returns the results of all attempts at a request, in the order of the attempts. */
  attemptsAt(row: number): readonly NotedResult[] {
    const first = this.firstOf(row);
    const result = this.results[first];
    return [...(this.others.get(first) ?? none), ...(result ? [result] : [])].toSorted((a, b) => a.file - b.file);
  }

  /** Returns the id of a row; empty if it has none. */
  idOf(row: number): string {
    return this.allIds[row] ?? '';
  }

  /** Returns the position of a row's line in the input, up to the next line; `undefined` if the row is not a line. */
  lineAt(row: number): Place | undefined {
    const start = this.starts[row] ?? -1;
    return start < 0 ? undefined : { start, size: this.sizes[row] ?? 0 };
  }

  /** Returns the result of a row, which is that of its id; `undefined` if it is missing. */
  resultAt(row: number): NotedResult | undefined {
    return this.results[this.firstOf(row)];
  }

  outcomeAt(row: number): ResultOutcome | undefined {
    return this.outcomes[this.firstOf(row)];
  }

  duplicatesOf(row: number): number {
    return this.duplicates.get(this.firstOf(row)) ?? 0;
  }

  /** Returns the row whose result a row shows: itself, or the first one with its id. */
  firstOf(row: number): number {
    return this.firsts.get(row) ?? row;
  }

  isBlank(row: number): boolean {
    return this.blank.has(row);
  }

  isFailed(row: number): boolean {
    return this.groupOf(row) !== undefined;
  }

  /** Returns the group of a row's error, or `undefined` if it has none. */
  groupOf(row: number): number | undefined {
    return this.resultAt(row)?.group;
  }

  /** Of request and response together. */
  tokensOf(row: number): number {
    const { input = 0, output = 0 } = this.resultAt(row) ?? {};
    return input + output;
  }

  private add(id: string, place: Place | undefined): number {
    this.starts.push(place?.start ?? -1);
    this.sizes.push(place?.size ?? 0);
    this.results.push(undefined);
    this.outcomes.push(undefined);
    return this.allIds.push(id) - 1;
  }

  /** Makes a row the one of its ID, or joins it to the first one that has it. */
  private join(row: number, id: string): void {
    if (id === '') return;
    const first = this.byId.get(id);
    if (first === undefined) this.byId.set(id, row);
    else this.firsts.set(row, first);
  }

  private place(row: number, result: NotedResult): void {
    this.results[row] = result;
    this.outcomes[row] = result.outcome;
  }

  private addTokens({ input = 0, output = 0 }: NotedResult, sign: 1 | -1): void {
    this.tokens.input += sign * input;
    this.tokens.output += sign * output;
  }
}

/** Whatever has text is better than nothing, and a complete answer is best. */
const worth: Readonly<Record<ResultOutcome, number>> = {
  answered: 3,
  truncated: 2,
  refused: 2,
  empty: 1,
  failed: 0,
  expired: 0,
  canceled: 0,
};

function isBetter({ outcome }: NotedResult, before: NotedResult | undefined): boolean {
  return !before || worth[outcome] >= worth[before.outcome];
}
