import { setImmediate } from 'node:timers/promises';
import type { ProgressMonitor } from '../../../async/progressMonitor';
import { pairedInterval, wilson, type Estimate } from '../../../evals/statistics/passFail';
import { compareIds } from '../../compareIds';
import { inOneLine } from '../../preview/shortText';
import type { CellValue } from '../answerValues';
import { compareValues } from '../columns';
import { ResultsTable, type SearchMonitor } from '../resultsTable';
import type { ResultsSource } from '../resultsSource';
import type { RowsHeading } from '../resultsView';
import { readResultLine } from '../rowTexts';
import { groupRows, parseQuery, searchResults, type ShownEntry } from '../shownRows';
import { folded } from '../expected';
import { answerForm, comparedPieces } from './answerForms';
import {
  runColumn,
  type ComparedAnswer,
  type ComparedCell,
  type ComparedCounts,
  type ComparedState,
  type ComparisonColumns,
  type ComparisonDetails,
  type ComparisonRow,
  type ComparisonSummary,
  type ComparisonView,
} from './comparisonView';

/** Other work can run after this many rows, so that the comparison can be canceled. */
const rowsAtOnce = 200;
const longestCell = 240;

/** Changes come first because they are what people look for. */
const ranks: Readonly<Record<ComparedState, number>> = { changed: 0, unanswered: 1, same: 2 };

interface Found {
  readonly query: string;
  /** By run. */
  readonly rows: readonly ReadonlySet<number>[];
}

/** The columns that a comparison has of each run. */
const ofEachRun = ['run:answer', 'run:finish', 'run:tokens', 'run:tokensIn', 'run:tokensOut'];
const ofRequest = ['run:state', 'run:customId', 'run:request'];

/** Two or more runs of the same ids side by side, of any size. Whoever opens it must close it. */
export class Comparison {
  private shown: readonly number[];
  private entries: readonly ShownEntry[];
  private view: ComparisonView;
  private found: Found | undefined;
  private readonly count: number;
  /** By row and run, for entire answers: the first run with the same answer, or -1. */
  private readonly exact: Int8Array;
  private readonly loose: Int8Array;
  /** The same for the column that is compared. */
  private classes: Int8Array;
  private readonly intervals = new Map<string, Estimate | undefined>();

  private constructor(
    readonly tables: readonly ResultsTable[],
    private readonly ids: readonly string[],
    /** By row and run: its row there, -1 if the run does not have the id. */
    private readonly places: Int32Array,
  ) {
    this.count = ids.length;
    this.exact = new Int8Array(ids.length * tables.length).fill(-1);
    this.loose = new Int8Array(ids.length * tables.length).fill(-1);
    this.classes = this.exact;
    this.shown = [...ids.keys()];
    this.entries = this.shown;
    this.view = {
      reference: 0,
      by: 'run:answer',
      isLoose: false,
      state: 'all',
      query: '',
      sort: 'run:line',
      descending: false,
    };
  }

  /** Reads all runs once, and then their answers. Rejects if aborted. Progress is reported as parts of their number and one. */
  static async open(
    runs: readonly ResultsSource[],
    { signal, onProgress }: ProgressMonitor<[done: number, total: number]>,
  ): Promise<Comparison> {
    const tables: ResultsTable[] = [];
    const total = runs.length + 1;
    try {
      for (const [before, run] of runs.entries()) {
        const tell = (bytes: number, all: number) => onProgress(before + bytes / Math.max(1, all), total);
        tables.push(await ResultsTable.open(run, { signal, onProgress: tell }));
        signal.throwIfAborted();
      }
      const { ids, places } = joinRuns(tables);
      const comparison = new Comparison(tables, ids, places);
      await comparison.compare(signal, (part) => onProgress(runs.length + part, total));
      return comparison;
    } catch (error) {
      for (const table of tables) table.close();
      throw error;
    }
  }

  /** The columns that can be shown. Those of the batch file's table come from the first run that knows it. */
  get columns(): ComparisonColumns {
    const [first] = this.tables;
    const withSource = this.tables.find(({ columns }) => columns.source !== undefined);
    const named = new Map<string, ComparisonColumns['all'][number]>();
    for (const { columns } of [withSource, ...this.tables].filter((table) => table !== undefined)) {
      for (const { id, group, label, kind, share } of columns.all) {
        const isShown = group === 'run' ? [...ofRequest, ...ofEachRun].includes(id) : true;
        if (isShown && !named.has(id)) named.set(id, { id, group, label, isNumber: kind === 'number', share });
      }
    }
    const marked = this.tables.find(({ columns }) => columns.hasExpected)?.columns.marked;
    const by = marked !== undefined && named.has(marked) ? marked : 'run:answer';
    const { source } = withSource?.columns ?? {};
    const ofSource = (withSource ?? first)?.columns.defaults.filter((id) => id.startsWith('source:')) ?? [];
    return {
      all: [...named.values()],
      defaults: [...ofRequest, ...ofSource, by],
      ...(source && { source: source.source }),
      by,
    };
  }

  /** Counts in the view that was arranged last. */
  summary(): ComparisonSummary {
    const { count, tables } = this;
    const counts = { changed: 0, unanswered: 0, same: 0 };
    const totals = { answeredByAll: 0, better: 0, worse: 0 };
    for (let row = 0; row < count; row++) {
      counts[this.stateOf(row)]++;
      if (tables.every((_, run) => this.classOf(row, run) >= 0)) totals.answeredByAll++;
      if (this.isBetter(row, true)) totals.better++;
      if (this.isBetter(row, false)) totals.worse++;
    }
    const { answeredByAll, better, worse } = totals;
    const isChecked = tables[this.view.reference]?.columns.hasExpected === true;
    return {
      rows: count,
      ...counts,
      answeredByAll,
      ...(isChecked && { better, worse }),
      runs: tables.map((_, run) => this.countsOf(run)),
    };
  }

  private countsOf(run: number): ComparedCounts {
    const { reference } = this.view;
    const counts = { answered: 0, changed: 0, same: 0 };
    const checked = { all: 0, met: 0, both: 0, better: 0, worse: 0 };
    for (let row = 0; row < this.count; row++) {
      const [own, other] = [this.classOf(row, run), this.classOf(row, reference)];
      if (own >= 0) counts.answered++;
      if (own >= 0 && other >= 0) counts[own === other ? 'same' : 'changed']++;
      const [isMet, wasMet] = [this.isAsExpected(row, run), this.isAsExpected(row, reference)];
      if (isMet === undefined) continue;
      checked.all++;
      if (isMet) checked.met++;
      if (wasMet === undefined) continue;
      checked.both++;
      if (isMet && !wasMet) checked.better++;
      if (!isMet && wasMet) checked.worse++;
    }
    const { all, met, both, better, worse } = checked;
    const expected = wilson(met, all);
    const difference = run === reference ? undefined : this.intervalOf(both, better, worse);
    return {
      ...counts,
      ...(expected && { expected }),
      ...(difference && { difference: { ...difference, better, worse } }),
    };
  }

  /** It takes long for many rows, and is needed after each change of the view. */
  private intervalOf(rows: number, better: number, worse: number): Estimate | undefined {
    const key = [rows, better, worse].join();
    if (!this.intervals.has(key)) this.intervals.set(key, pairedInterval(rows, better, worse));
    return this.intervals.get(key);
  }

  /** Applies a view. Resolves with the number of rows and headings shown, and of rows; rejects if aborted. */
  async arrange(
    view: ComparisonView,
    { signal, onProgress }: SearchMonitor,
  ): Promise<{ readonly entries: number; readonly rows: number }> {
    const reference = view.reference < this.tables.length ? view.reference : 0;
    const { text } = parseQuery(view.query, this.tables[reference]!.columns);
    if (text !== (this.found?.query ?? '')) this.found = await this.search(text, { signal, onProgress });
    this.view = { ...view, reference };
    this.classes = this.classesOf(view);
    this.layOut();
    return { entries: this.entries.length, rows: this.shown.length };
  }

  /** Returns rows and headings as shown. `isChanged`: one of the files has changed, so nothing read from it is reliable. */
  async rows(
    from: number,
    count: number,
    columns: readonly string[] = ['run:answer'],
  ): Promise<{ readonly rows: readonly ComparisonRow[]; readonly isChanged: boolean }> {
    const rows = this.entries
      .slice(from, from + count)
      .map((entry, index) => (typeof entry === 'number' ? this.row(entry, columns) : headingRow(entry, from + index)));
    return { rows, isChanged: await this.isChanged() };
  }

  /** Every file that is read. */
  get paths(): readonly string[] {
    return this.tables.flatMap(({ paths }) => paths);
  }

  /** Whether one of the files has changed, so that nothing read from it is reliable. */
  async isChanged(): Promise<boolean> {
    return (await Promise.all(this.tables.map((table) => table.isChanged()))).includes(true);
  }

  /** The rows shown, in order. */
  get shownRows(): readonly number[] {
    return this.shown;
  }

  /** Returns the index at which a row is shown, or `undefined` if it is not. */
  indexOf(row: number): number | undefined {
    const index = this.entries.indexOf(row);
    return index < 0 ? undefined : index;
  }

  /** Compares by words, in the same way as the view shown. */
  details(row: number): ComparisonDetails {
    const { reference, isLoose } = this.view;
    const texts = this.tables.map((_, run) => this.answerOf(row, run));
    const other = texts.length === 2 ? texts[1 - reference] : undefined;
    return {
      row,
      customId: this.ids[row] ?? '',
      state: this.stateOf(row),
      answers: this.tables.map((table, run): ComparedAnswer => {
        const place = this.placeOf(row, run);
        const compared = run === reference ? other : texts[reference];
        const isAsExpected = this.isAsExpected(row, run);
        return {
          ...(place !== undefined && { details: table.details(place) }),
          ...(isAsExpected !== undefined && { isAsExpected }),
          ...comparedPieces(texts[run], compared, isLoose),
        };
      }),
    };
  }

  /** Returns the details with the positions of the lines in the current batch files. */
  async sinceSent(details: ComparisonDetails): Promise<ComparisonDetails> {
    const answers = details.answers.map(async (answer, run): Promise<ComparedAnswer> => {
      if (!answer.details) return answer;
      return { ...answer, details: await this.tables[run]!.sinceSent(answer.details) };
    });
    return { ...details, answers: await Promise.all(answers) };
  }

  close(): void {
    for (const table of this.tables) table.close();
  }

  /** Returns the row of an id in a run; `undefined` if the run does not have it. */
  placeOf(row: number, run: number): number | undefined {
    const place = this.places[row * this.tables.length + run] ?? -1;
    return place < 0 ? undefined : place;
  }

  row(row: number, columns: readonly string[]): ComparisonRow {
    const cells = columns.flatMap((id): readonly (readonly [string, ComparedCell])[] => {
      if (ofRequest.includes(id)) return [];
      if (id.startsWith('source:'))
        return [[id, { text: inOneLine(String(this.sharedValue(id, row) ?? ''), longestCell) }]];
      return this.tables.map((_, run) => [runColumn(id, run), this.cellOf(id, row, run)] as const);
    });
    return {
      row,
      customId: this.ids[row] ?? '',
      state: this.stateOf(row),
      request: this.requestOf(row),
      cells: Object.fromEntries(cells),
    };
  }

  /** Returns the request as the first run that knows it shows it. */
  private requestOf(row: number): string {
    for (const [run, table] of this.tables.entries()) {
      const place = this.placeOf(row, run);
      const request = place === undefined ? '' : table.row(place, ofRequest).request;
      if (request !== '') return request;
    }
    return '';
  }

  private cellOf(id: string, row: number, run: number): ComparedCell {
    const place = this.placeOf(row, run);
    if (place === undefined) return { text: '', state: 'none' };
    const table = this.tables[run]!;
    const { state } = table.part(place);
    if (id !== 'run:answer' && !id.startsWith('response:')) {
      return { text: String(table.columns.valuesOf(id)?.(place) ?? ''), state };
    }
    const value = id === 'run:answer' ? undefined : table.columns.valuesOf(id)?.(place);
    const isAsExpected = id === table.columns.marked ? this.isAsExpected(row, run) : undefined;
    const [own, other] = [this.classOf(row, run), this.classOf(row, this.view.reference)];
    const isChanged = id === this.view.by && own >= 0 && own !== other;
    return {
      text: value === undefined ? table.row(place).answer : inOneLine(String(value), longestCell),
      state,
      ...(isChanged && { isChanged }),
      ...(isAsExpected !== undefined && { isAsExpected }),
    };
  }

  private async compare(signal: AbortSignal, onProgress: (part: number) => void): Promise<void> {
    const { count, tables } = this;
    for (let row = 0; row < count; row++) {
      if (row % rowsAtOnce === 0) {
        await setImmediate();
        signal.throwIfAborted();
        onProgress(row / count);
      }
      const forms = tables.map((_, run) => this.answerOf(row, run, true));
      classify(forms, this.exact, row);
      classify(
        forms.map((form) => (form === undefined ? undefined : folded(form))),
        this.loose,
        row,
      );
    }
  }

  /** Returns an answer in the form for comparison, or `undefined` if it is missing, or, for `isWhole`, incomplete. */
  private answerOf(row: number, run: number, isWhole = false): string | undefined {
    const table = this.tables[run]!;
    const place = this.placeOf(row, run);
    if (place === undefined || table.joined.rows.isFailed(place)) return undefined;
    if (isWhole && table.joined.rows.outcomeAt(place) !== 'answered') return undefined;
    const result = readResultLine(table.texts(place).result);
    return result && !result.failure ? answerForm(result) : undefined;
  }

  /** Compares the values of the column by which the view compares. An answer without the property is compared entirely. */
  private classesOf({ by, isLoose }: ComparisonView): Int8Array {
    const whole = isLoose ? this.loose : this.exact;
    if (by === 'run:answer') return whole;
    const { count, tables } = this;
    const classes = new Int8Array(whole.length).fill(-1);
    const values = tables.map(({ columns }) => columns.valuesOf(by));
    for (let row = 0; row < count; row++) {
      const forms = tables.map((_, run) => {
        const place = this.placeOf(row, run);
        if (place === undefined || (whole[row * tables.length + run] ?? -1) < 0) return undefined;
        const value = values[run]?.(place);
        if (value === undefined) return `\n${whole[row * tables.length + run]}`;
        return isLoose ? folded(String(value)) : String(value);
      });
      classify(forms, classes, row);
    }
    return classes;
  }

  private classOf(row: number, run: number): number {
    return this.classes[row * this.tables.length + run] ?? -1;
  }

  private stateOf(row: number): ComparedState {
    const runs = this.tables.map((_, run) => this.classOf(row, run));
    const reference = runs[this.view.reference] ?? -1;
    if (reference >= 0 && runs.some((one) => one >= 0 && one !== reference)) return 'changed';
    return runs.includes(-1) ? 'unanswered' : 'same';
  }

  private isAsExpected(row: number, run: number): boolean | undefined {
    const place = this.placeOf(row, run);
    return place === undefined ? undefined : this.tables[run]!.columns.isAsExpected(place);
  }

  /** Whether another run is as expected where the reference run isn't. The opposite if not `isBetter`. */
  private isBetter(row: number, isBetter: boolean): boolean {
    const { reference } = this.view;
    if (this.isAsExpected(row, reference) !== !isBetter) return false;
    return this.tables.some((_, run) => run !== reference && this.isAsExpected(row, run) === isBetter);
  }

  private async search(query: string, { signal, onProgress }: SearchMonitor): Promise<Found | undefined> {
    if (query === '') return undefined;
    const { tables } = this;
    const rows: ReadonlySet<number>[] = [];
    for (const [before, table] of tables.entries()) {
      const found = await searchResults(table.joined, query, {
        signal,
        onProgress: (part, { size }) => onProgress((before + part) / tables.length, size, () => {}),
      });
      rows.push(found);
    }
    return { query, rows };
  }

  private layOut(): void {
    const { view, ids } = this;
    const conditions = this.conditions();
    const shown: number[] = [];
    for (let row = 0; row < this.count; row++) {
      if (this.isInState(row) && this.isFound(row) && conditions.every((condition) => condition(row))) shown.push(row);
    }
    const sign = view.descending ? -1 : 1;
    if (view.sort === 'run:customId') shown.sort((a, b) => sign * compareIds(ids[a]!, ids[b]!));
    else if (view.sort === 'run:state') shown.sort((a, b) => sign * (ranks[this.stateOf(a)] - ranks[this.stateOf(b)]));
    else if (view.sort !== 'run:line') {
      const valueOf = this.sortValues();
      shown.sort((a, b) => sign * compareValues(valueOf(a), valueOf(b)));
    } else if (view.descending) shown.reverse();
    this.shown = shown;
    const columns = {
      valuesOf: (id: string) => (row: number) => this.sharedValue(id, row),
      isAsExpected: (row: number) => this.isAsExpected(row, view.reference),
    };
    this.entries = groupRows({ columns }, shown, view);
  }

  private isInState(row: number): boolean {
    const { state } = this.view;
    if (state === 'better' || state === 'worse') return this.isBetter(row, state === 'better');
    return state === 'all' || this.stateOf(row) === state;
  }

  private isFound(row: number): boolean {
    return (
      this.found?.rows.some((rows, run) => {
        const place = this.placeOf(row, run);
        return place !== undefined && rows.has(place);
      }) ?? true
    );
  }

  /** The conditions on columns in the search. One of the runs must meet each. */
  private conditions(): readonly ((row: number) => boolean)[] {
    const { query, reference } = this.view;
    const { filters } = parseQuery(query, this.tables[reference]!.columns);
    return filters.map(({ column, text }) => {
      const values = this.tables.map(({ columns }) => columns.valuesOf(column));
      return (row: number) =>
        values.some((valueOf, run) => {
          const place = this.placeOf(row, run);
          const value = place === undefined ? undefined : valueOf?.(place);
          return value !== undefined && String(value).toLowerCase().includes(text);
        });
    });
  }

  private sortValues(): (row: number) => CellValue {
    const { sort } = this.view;
    const [, id = '', run] = /^(.*)@(\d+)$/s.exec(sort) ?? [];
    if (run === undefined) return (row) => this.sharedValue(sort, row);
    const valueOf = this.tables[Number(run)]?.columns.valuesOf(id);
    return (row) => {
      const place = this.placeOf(row, Number(run));
      return place === undefined ? undefined : valueOf?.(place);
    };
  }

  /** Returns the value of a column in the reference run, or else in the first run that has one. */
  sharedValue(id: string, row: number): CellValue {
    const { reference } = this.view;
    for (const run of [reference, ...this.tables.keys()]) {
      const place = this.placeOf(row, run);
      const value = place === undefined ? undefined : this.tables[run]!.columns.valuesOf(id)?.(place);
      if (value !== undefined) return value;
    }
    return undefined;
  }
}

/** Sets for each run of a row the first run that has the same form. */
function classify(forms: readonly (string | undefined)[], classes: Int8Array, row: number): void {
  for (const [run, form] of forms.entries()) {
    if (form !== undefined) classes[row * forms.length + run] = forms.indexOf(form);
  }
}

/** Joins the rows of the same id: those of the first run, then those that only others have. */
function joinRuns(tables: readonly ResultsTable[]): { readonly ids: readonly string[]; readonly places: Int32Array } {
  const rows = new Map<string, number>();
  for (const { joined } of tables) {
    for (const [id] of joined.rows.ids()) if (!rows.has(id)) rows.set(id, rows.size);
  }
  const places = new Int32Array(rows.size * tables.length).fill(-1);
  for (const [run, { joined }] of tables.entries()) {
    for (const [id, place] of joined.rows.ids()) places[(rows.get(id) ?? 0) * tables.length + run] = place;
  }
  return { ids: [...rows.keys()], places };
}

function headingRow(heading: RowsHeading, index: number): ComparisonRow {
  return { row: -1 - index, customId: '', state: 'same', request: '', cells: {}, heading };
}
