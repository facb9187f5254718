import type { WalkedLine } from '../disk/fileWalk';
import type { AnswerValues } from './answerValues';
import type { ResultOutcome } from './resultLine';

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

interface JoinedRow {
  /** Empty if the line has none. */
  id: string;
  /** Where the line is in the input, up to the next one; a negative start if the row is not a line. */
  readonly start: number;
  size: number;
  isBlank: boolean;
  /** The earlier row that has the same id: its result is also this row's. */
  first: number | undefined;
  result: NotedResult | undefined;
  /** The number of further results of the same attempt. */
  duplicates: number;
  /** The results of other attempts, in the order in which they were read. */
  others: readonly NotedResult[];
}

const none: readonly NotedResult[] = [];

/**
 * Requests and their results by number: first the lines of the input, including blank ones, then the results that no line
 * requested. Texts are not stored.
 */
export class JoinedRows {
  /** The number of rows that are lines of the input: the first ones. */
  lines = 0;
  /** Whether each of them is one line of its file, so that the number of a row is that of its line. */
  areLines = true;
  /** The tokens of other attempts than those of the results: they are paid for all the same. */
  readonly otherTokens = { input: 0, output: 0 };

  private readonly all: JoinedRow[] = [];
  private readonly byId = new Map<string, number>();

  get count(): number {
    return this.all.length;
  }

  addLine({ start, end, customId }: WalkedLine): void {
    const before = this.all.at(-1);
    if (before && before.start >= 0) before.size = start - before.start;
    this.addRequest(customId?.toString() ?? '', { start, size: end - start });
  }

  /** Adds a request of an input that is one array, or has requests over several lines. */
  addRecord(id: string, place: Place): void {
    this.areLines = false;
    this.addRequest(id, place);
  }

  private addRequest(id: string, place: Place): void {
    const row = this.add(id, place);
    this.lines = row + 1;
    if (id === '') return;
    const first = this.byId.get(id);
    if (first === undefined) this.byId.set(id, row);
    else this.all[row]!.first = first;
  }

  setBlank(row: number): void {
    const line = this.all[row];
    if (line) line.isBlank = true;
  }

  /** The number of lines whose id an earlier line has. */
  get repeatedIds(): number {
    return this.all.filter(({ first }) => first !== undefined).length;
  }

  /** Returns the row of an id; a new one if no row has it. */
  rowOf(id: string): number {
    const known = this.byId.get(id);
    if (known !== undefined) return known;
    const row = this.add(id, undefined);
    this.byId.set(id, row);
    return row;
  }

  /** Whether any row has an id. */
  get hasIds(): boolean {
    return this.byId.size > 0;
  }

  /** Adds a row for a result that has no id, so that it belongs to no line. */
  addNameless(): number {
    return this.add('', undefined);
  }

  /** Gives a line the id that stands elsewhere in it than usual. */
  nameLine(row: number, id: string): void {
    const line = this.all[row];
    if (!line || line.id !== '' || id === '') return;
    line.id = id;
    const first = this.byId.get(id);
    if (first === undefined) this.byId.set(id, row);
    else line.first = first;
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
    const joined = this.all[row]!;
    if (joined.result) joined.duplicates++;
    if (isBetter(result, joined.result)) joined.result = result;
  }

  /** Adds a result of another attempt than the row's. The same rule decides; the one that loses is stored beside the row's result. */
  noteRetry(row: number, result: NotedResult): void {
    const joined = this.all[row]!;
    const isResult = isBetter(result, joined.result);
    const other = isResult ? joined.result : result;
    if (other) {
      joined.others = [...joined.others, other];
      this.otherTokens.input += other.input ?? 0;
      this.otherTokens.output += other.output ?? 0;
    }
    if (!isResult) return;
    joined.result = result;
    joined.duplicates = 0;
  }

  /** Returns the results of all attempts at a request, in the order of the attempts. */
  attemptsAt(row: number): readonly NotedResult[] {
    const { others, result } = this.answering(row);
    return [...others, ...(result ? [result] : [])].toSorted((a, b) => a.file - b.file);
  }

  /** Returns the id of a row; empty if it has none. */
  idOf(row: number): string {
    return this.all[row]?.id ?? '';
  }

  /** Returns the position of a row's line in the input, up to the next line; `undefined` if the row is not a line. */
  lineAt(row: number): Place | undefined {
    const { start = -1, size = 0 } = this.all[row] ?? {};
    return start < 0 ? undefined : { start, size };
  }

  /** Returns the result of a row, which is that of its id; `undefined` if it is missing. */
  resultAt(row: number): NotedResult | undefined {
    return this.answering(row).result;
  }

  duplicatesOf(row: number): number {
    return this.answering(row).duplicates;
  }

  /** Returns the row whose result a row shows: itself, or the first one with its id. */
  firstOf(row: number): number {
    return this.all[row]?.first ?? row;
  }

  isBlank(row: number): boolean {
    return this.all[row]?.isBlank ?? false;
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

  private answering(row: number): JoinedRow {
    return this.all[this.firstOf(row)]!;
  }

  private add(id: string, place: Place | undefined): number {
    const { start = -1, size = 0 } = place ?? {};
    const row = { id, start, size, isBlank: false, first: undefined, result: undefined, duplicates: 0, others: none };
    return this.all.push(row) - 1;
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
