import { setImmediate } from 'node:timers/promises';
import { compareIds } from '../../compareIds';
import type { ProgressMonitor } from '../../../async/progressMonitor';
import { ResultsTable, type SearchMonitor } from '../resultsTable';
import type { ResultsSource } from '../resultsSource';
import { readResultLine } from '../rowTexts';
import { searchResults } from '../shownRows';
import type {
  ComparisonDetails,
  ComparisonRow,
  ComparisonSummary,
  ComparisonView,
  PairState,
  DiffPiece,
} from './comparisonView';
import type { JoinedRows } from '../joinedRows';
import { diffArrays } from 'diff';
import { listOf, objectOf, toJson, type JsonObject } from '../../scan/jsonValue';
import { beginning } from '../../preview/shortText';
import { isChat, readChoices } from '../resultChoices';
import type { ResultLine } from '../resultLine';

/** Other work can run after this many pairs, so that the comparison can be cancelled. */
const pairsAtOnce = 200;

interface Found {
  readonly query: string;
  readonly a: ReadonlySet<number>;
  readonly b: ReadonlySet<number>;
}

/** An id, its row in each run, and how the two compare. */
interface Pair {
  readonly id: string;
  readonly a: number | undefined;
  readonly b: number | undefined;
  state: PairState;
  /** The answers are the same apart from white space and case. */
  isLooselySame: boolean;
}

/** Differences come first because they are what people look for. */
const ranks: Readonly<Record<PairState, number>> = { different: 0, onlyA: 1, onlyB: 2, neither: 3, same: 4 };

/** Two runs of the same ids side by side, of any size. Whoever opens it must close it. */
export class Comparison {
  private shown: readonly number[];
  private isLoose = false;
  private found: Found | undefined;

  private constructor(
    readonly a: ResultsTable,
    readonly b: ResultsTable,
    private readonly pairs: readonly Pair[],
  ) {
    this.shown = [...pairs.keys()];
  }

  /** Reads both runs once, and then their answers. Rejects if aborted. Progress is reported as parts of a total of three. */
  static async open(
    runs: { readonly a: ResultsSource; readonly b: ResultsSource },
    { signal, onProgress }: ProgressMonitor<[done: number, total: number]>,
  ): Promise<Comparison> {
    const opened: ResultsTable[] = [];
    try {
      let before = 0;
      for (const run of [runs.a, runs.b]) {
        const tell = (bytes: number, total: number) => onProgress(before + bytes / Math.max(1, total), 3);
        opened.push(await ResultsTable.open(run, { signal, onProgress: tell }));
        signal.throwIfAborted();
        before++;
      }
      const [a, b] = opened as [ResultsTable, ResultsTable];
      const comparison = new Comparison(a, b, pairsOf(a.joined.rows, b.joined.rows));
      await comparison.compare(signal, (part) => onProgress(2 + part, 3));
      return comparison;
    } catch (error) {
      for (const table of opened) table.close();
      throw error;
    }
  }

  /** If `isLoose`, answers that differ only in white space and case count as the same. */
  summary(isLoose: boolean): ComparisonSummary {
    const counts = { same: 0, different: 0, onlyA: 0, onlyB: 0, neither: 0 };
    for (const pair of this.pairs) counts[stateOf(pair, isLoose)]++;
    const both = counts.same + counts.different;
    return { pairs: this.pairs.length, ...counts, ...(both > 0 && { agreement: counts.same / both }) };
  }

  /** Applies a view. Resolves with the number of pairs shown; rejects if aborted. */
  async arrange(view: ComparisonView, { signal, onProgress }: SearchMonitor): Promise<number> {
    if (view.query !== (this.found?.query ?? '')) this.found = await this.search(view, { signal, onProgress });
    this.layOut(view);
    return this.shown.length;
  }

  async rows(
    from: number,
    count: number,
  ): Promise<{ readonly rows: readonly ComparisonRow[]; readonly isChanged: boolean }> {
    const rows = this.shown.slice(from, from + count).map((pair) => this.row(pair));
    return { rows, isChanged: await this.isChanged() };
  }

  /** Every file that is read. */
  get paths(): readonly string[] {
    return [...this.a.paths, ...this.b.paths];
  }

  /** Whether one of the files has changed, so that nothing read from it is reliable. */
  async isChanged(): Promise<boolean> {
    return (await this.a.isChanged()) || (await this.b.isChanged());
  }

  /** The pairs shown, in order. */
  get shownPairs(): readonly number[] {
    return this.shown;
  }

  /** Returns the index at which a pair is shown, or `undefined` if it is not. */
  indexOf(pair: number): number | undefined {
    const index = this.shown.indexOf(pair);
    return index < 0 ? undefined : index;
  }

  /** Compares by words, in the same way as the view shown. */
  details(pair: number): ComparisonDetails {
    const { a, b } = this.rowsOf(pair);
    const [answerA, answerB] = [this.textOf(this.a, a), this.textOf(this.b, b)];
    const hasBoth = answerA !== undefined && answerB !== undefined;
    const { pieces, uncompared } = hasBoth
      ? wordDiff(answerA, answerB, this.isLoose)
      : { pieces: [], uncompared: { a: 0, b: 0 } };
    return {
      row: pair,
      customId: this.pairs[pair]!.id,
      state: stateOf(this.pairs[pair]!, this.isLoose),
      ...(a !== undefined && { a: this.a.details(a) }),
      ...(b !== undefined && { b: this.b.details(b) }),
      diff: pieces,
      uncompared,
    };
  }

  /** Returns the details with the positions of the lines in the current batch files. */
  async sinceSent(details: ComparisonDetails): Promise<ComparisonDetails> {
    const { a, b } = details;
    return {
      ...details,
      ...(a && { a: await this.a.sinceSent(a) }),
      ...(b && { b: await this.b.sinceSent(b) }),
    };
  }

  close(): void {
    this.a.close();
    this.b.close();
  }

  private async compare(signal: AbortSignal, onProgress: (part: number) => void): Promise<void> {
    const { pairs } = this;
    for (const [index, pair] of pairs.entries()) {
      if (index % pairsAtOnce === 0) {
        await setImmediate();
        signal.throwIfAborted();
        onProgress(index / pairs.length);
      }
      const [answerA, answerB] = [this.formOf(this.a, pair.a), this.formOf(this.b, pair.b)];
      if (answerA === undefined || answerB === undefined) pair.state = alone(answerA, answerB);
      else {
        pair.state = answerA === answerB ? 'same' : 'different';
        pair.isLooselySame = pair.state === 'same' || looseForm(answerA) === looseForm(answerB);
      }
    }
  }

  /** Returns a complete answer in the form in which it is compared; `undefined` if there is none. */
  private formOf(table: ResultsTable, row: number | undefined): string | undefined {
    const outcome = row === undefined ? undefined : table.joined.rows.resultAt(row)?.outcome;
    return outcome === 'answered' ? this.textOf(table, row) : undefined;
  }

  /** The same of any answer, complete or not. */
  private textOf(table: ResultsTable, row: number | undefined): string | undefined {
    if (row === undefined || table.joined.rows.isFailed(row)) return undefined;
    const result = readResultLine(table.texts(row).result);
    return result && !result.failure ? answerForm(result) : undefined;
  }

  private async search(view: ComparisonView, { signal, onProgress }: SearchMonitor): Promise<Found | undefined> {
    const { query } = view;
    if (query === '') return undefined;
    const search = (table: ResultsTable, before: number) =>
      searchResults(table.joined, query, {
        signal,
        onProgress: (part, { size }) => onProgress((before + part) / 2, size, () => {}),
      });
    const a = await search(this.a, 0);
    return { query, a, b: await search(this.b, 1) };
  }

  private layOut({ state, sort, descending, isLoose }: ComparisonView): void {
    const { pairs } = this;
    this.isLoose = isLoose;
    const isShown = (pair: Pair) => (state === 'all' || stateOf(pair, isLoose) === state) && this.isFound(pair);
    const shown = [...pairs.keys()].filter((pair) => isShown(pairs[pair]!));
    const rank = (pair: number) => ranks[stateOf(pairs[pair]!, isLoose)];
    const sign = descending ? -1 : 1;
    if (sort === 'customId') shown.sort((a, b) => sign * compareIds(pairs[a]!.id, pairs[b]!.id));
    else if (sort === 'state') shown.sort((a, b) => sign * (rank(a) - rank(b)));
    else if (descending) shown.reverse();
    this.shown = shown;
  }

  private isFound({ a, b }: Pair): boolean {
    if (!this.found) return true;
    return (a !== undefined && this.found.a.has(a)) || (b !== undefined && this.found.b.has(b));
  }

  /** Returns the rows of a pair in both runs; `undefined` if a run does not have it. */
  rowsOf(pair: number): { readonly a: number | undefined; readonly b: number | undefined } {
    const { a, b } = this.pairs[pair]!;
    return { a, b };
  }

  row(pair: number): ComparisonRow {
    const { a, b } = this.rowsOf(pair);
    const rowA = a === undefined ? undefined : this.a.row(a);
    const rowB = b === undefined ? undefined : this.b.row(b);
    return {
      row: pair,
      ...(rowA?.line !== undefined && { line: rowA.line }),
      customId: rowA?.customId ?? rowB?.customId ?? '',
      state: stateOf(this.pairs[pair]!, this.isLoose),
      request: [rowA?.request, rowB?.request].find((text) => text !== undefined && text !== '') ?? '',
      a: rowA?.answer ?? '',
      b: rowB?.answer ?? '',
      stateA: rowA?.state ?? 'none',
      stateB: rowB?.state ?? 'none',
    };
  }
}

function alone(a: string | undefined, b: string | undefined): PairState {
  if (a === undefined) return b === undefined ? 'neither' : 'onlyB';
  return 'onlyA';
}

/** Pairs the rows of the same id. A run that does not have the id has no row. */
function pairsOf(a: JoinedRows, b: JoinedRows): readonly Pair[] {
  const pair = (id: string, rowA: number | undefined, rowB: number | undefined): Pair => {
    return { id, a: rowA, b: rowB, state: 'neither', isLooselySame: false };
  };
  return [
    ...a.ids().map(([id, row]) => pair(id, row, b.find(id))),
    ...b.ids().flatMap(([id, row]) => (a.find(id) === undefined ? [pair(id, undefined, row)] : [])),
  ];
}

function stateOf({ state, isLooselySame }: Pair, isLoose: boolean): PairState {
  return isLoose && isLooselySame ? 'same' : state;
}

/** Numbers with this many digits may lose precision when parsed. */
const longNumber = /\d{16}/;

/** Returns an answer in the form in which it is compared: its texts without reasoning, and JSON indented with sorted members. */
function answerForm({ body = {} }: ResultLine): string {
  const choices = readChoices(body);
  if (choices.length === 0) return isChat(body) ? '' : inOrder(body);
  const texts = choices.map(({ text, refusal, calls }) => {
    const called = calls.map((call) => `${call.name}(${jsonForm(call.arguments)})`);
    return [jsonForm(text), refusal, ...called].filter((part) => part !== '').join('\n');
  });
  return texts.join('\n\n');
}

/** Removes differences that people do not notice: white space and case. */
function looseForm(form: string): string {
  return form.replace(/\s+/gu, ' ').trim().toLowerCase();
}

function jsonForm(text: string): string {
  if (!/^\s*[[{]/.test(text) || longNumber.test(text)) return text;
  try {
    return toJson(sorted(JSON.parse(text)), 2);
  } catch {
    return text;
  }
}

/** What nests too deeply to be sorted is compared as it is. */
function inOrder(body: JsonObject): string {
  try {
    return toJson(sorted(body), 2);
  } catch {
    return toJson(body, 2);
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return listOf(value).map(sorted);
  const object = objectOf(value);
  if (!object) return value;
  const members = Object.entries(object).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}

/** The most characters of each text to compare. */
const mostCharacters = 40_000;
/** If comparing takes longer, the texts have little in common and are returned one after the other. */
const mostMs = 1000;

interface WordDiff {
  readonly pieces: readonly DiffPiece[];
  readonly uncompared: { readonly a: number; readonly b: number };
}

/** Compares two texts word by word, as their language divides words. If `isLoose`, white space and case are ignored. */
export function wordDiff(a: string, b: string, isLoose: boolean): WordDiff {
  const [startA, startB] = [beginning(a, mostCharacters), beginning(b, mostCharacters)];
  const uncompared = { a: a.length - startA.length, b: b.length - startB.length };
  const isSame = (one: string, other: string) => one === other || (isLoose && loose(one) === loose(other));
  const changes = diffArrays(wordsOf(startA), wordsOf(startB), { timeout: mostMs, comparator: isSame });
  const pieces: readonly DiffPiece[] = changes
    ? changes.map(({ added, removed, value }) => ({ kind: added ? 'b' : removed ? 'a' : 'same', text: value.join('') }))
    : [
        { kind: 'a', text: startA },
        { kind: 'b', text: startB },
      ];
  return { pieces: pieces.filter(({ text }) => text !== ''), uncompared };
}

function wordsOf(text: string): string[] {
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

function loose(word: string): string {
  return word.trim() === '' ? ' ' : word.toLowerCase();
}
