import type { ProgressMonitor } from '../../async/progressMonitor';
import { inOneLine } from '../preview/shortText';
import { readProperty } from './answerValues';
import { referenceColumn, ResultsColumns } from './columns';
import { compareWith, type ReferenceRun } from './reference';
import { lineDigest } from './lineMarks';
import { joinFiles, requestAt, retryOf, type Joined } from './joinFiles';
import { CurrentFile, openFiles, type CurrentLine, type ResultFiles } from './resultFiles';
import type { ResultsSource } from './resultsSource';
import type {
  RequestLine,
  FailedLine,
  ResultAttempt,
  ResultDetails,
  ResultsCell,
  ResultsRow,
  ResultsSummary,
  ResultsView,
  RowsHeading,
  RowPart,
} from './resultsView';
import { answerText, readDetails, readResultLine, readRow } from './rowTexts';
import type { RowTexts } from './rowTexts';
import { arrangeRows, groupRows, parseQuery, searchResults, type ShownEntry } from './shownRows';
import { findSourceRows, type SourceRows } from './sourceRows';
import { hasLines, isRetried, stateOf, summarise } from './summarise';

/** Follows a search: `part` is from 0 to 1. `show` replaces what is shown with what was found so far. */
export type SearchMonitor = ProgressMonitor<[part: number, found: number, show: () => void]>;

interface Layout {
  /** The rows in the order in which they are shown. */
  readonly rows: readonly number[];
  /** The rows and the headings of their groups. */
  readonly entries: readonly ShownEntry[];
}

interface Search {
  readonly query: string;
  found: ReadonlySet<number> | undefined;
  isWhole: boolean;
}

const everything: ResultsView = { state: 'all', query: '', sort: 'line', descending: false };
/** The most attempts at a request to show: the last ones. */
const mostAttempts = 20;
/** The most bytes to read for a row of the table; the details of a row may be longer. */
const longestOfRow = 1 << 20;

/** The results of a run with their requests. Stores positions and IDs, and reads the rest on demand. The caller must close it. */
export class ResultsTable {
  /** The displayed rows. `undefined` until they are needed, because most tables are arranged first. */
  private laidOut: Layout | undefined;
  /** The run that this one is compared with. */
  private reference: ReferenceRun | undefined;
  /** The common beginning of all requests. `undefined` until it is needed. */
  private sharedStart: string | undefined;
  private search: Search = { query: '', found: undefined, isWhole: true };

  private constructor(
    readonly joined: Joined,
    private readonly files: ResultFiles,
    readonly columns: ResultsColumns,
    readonly summary: ResultsSummary,
    /** Every file that is read. */
    readonly paths: readonly string[],
    /** The batch file, if what was sent is read from a copy. */
    private readonly current: CurrentFile | undefined,
    private readonly at: number | undefined,
  ) {}

  /** Reads the files once. If aborted, resolves with what was read until then. */
  static async open(
    source: ResultsSource,
    monitor: ProgressMonitor<[bytes: number, total: number]>,
  ): Promise<ResultsTable> {
    const { input, retries = [], at } = source;
    const results = [source, ...retries].flatMap(({ outputs, errors }) => [...outputs, ...errors]);
    // After the results, the files that `requestAt` refers to by number.
    const paths = [...results, input?.path ?? '', ...retries.map((retry) => retry.input ?? '')];
    const files = await openFiles(paths);
    const { current } = input ?? {};
    const own = current === undefined ? undefined : new CurrentFile(current);
    try {
      const joined = withChanged(await joinFiles(source, monitor), await files.changed());
      const read = [...paths, own?.path ?? ''].filter((path) => path !== '');
      const rows = await sourceOf(joined, source, files);
      const columns = new ResultsColumns(joined, rows, {
        text: (row) => answerOf(joined, files, row),
        property: (row, name) => {
          const read = resultOf(joined, files, row);
          return read && readProperty(read, name);
        },
      });
      return new ResultsTable(joined, files, columns, summarise(joined, columns), read, own, at);
    } catch (error) {
      files.close();
      throw error;
    }
  }

  /** Whether the lines of the input are known. */
  get hasLines(): boolean {
    return hasLines(this.joined);
  }

  /** Applies a view. Resolves with the number of rows shown; rejects if aborted or replaced by another search. */
  async arrange(view: ResultsView, { signal, onProgress }: SearchMonitor): Promise<number> {
    const { text } = parseQuery(view.query, this.columns);
    if (text !== this.search.query || !this.search.isWhole) {
      const search: Search = { query: text, found: undefined, isWhole: text === '' };
      this.search = search;
      const show = () => {
        if (this.search === search) this.layOut(view, search.found);
      };
      if (!search.isWhole) {
        const onFound = (part: number, found: ReadonlySet<number>) => {
          search.found = found;
          onProgress(part, found.size, show);
        };
        search.found = await searchResults(this.joined, text, { signal, onProgress: onFound });
        search.isWhole = true;
      }
      if (this.search !== search) throw new DOMException('Another search was begun.', 'AbortError');
    }
    return this.layOut(view, this.search.found).rows.length;
  }

  private get layout(): Layout {
    return this.laidOut ?? this.layOut(everything, undefined);
  }

  /** The number of rows shown and of their headings. */
  get entryCount(): number {
    return this.layout.entries.length;
  }

  private layOut(view: ResultsView, found: ReadonlySet<number> | undefined): Layout {
    const all = arrangeRows(this, view, found);
    const { different } = this.reference ?? {};
    const rows = view.isDifferent ? all.filter((row) => different?.has(row)) : all;
    this.laidOut = { rows, entries: groupRows(this, rows, view) };
    return this.laidOut;
  }

  /**
   * Compares the answers with those of another run, or with none, and resolves with the number that differ. Rejects if aborted; the run
   * before is the reference then.
   */
  async compareWith(source: ResultsSource | undefined, monitor: ProgressMonitor<[part: number]>): Promise<number> {
    const { signal } = monitor;
    const other = source && (await ResultsTable.open(source, { signal, onProgress: () => undefined }));
    try {
      signal.throwIfAborted();
      const next = other && (await compareWith(this, other, monitor));
      this.reference?.table.close();
      this.reference = next;
      return next?.different.size ?? 0;
    } catch (error) {
      other?.close();
      throw error;
    }
  }

  /** Returns the answer of a row as one text; empty if there is none. */
  answerText(row: number): string {
    return this.joined.rows.resultAt(row)?.answer?.text ?? answerOf(this.joined, this.files, row);
  }

  /** Returns rows and headings as shown. `isChanged`: one of the files has changed, so nothing read from it is reliable. */
  async rows(
    from: number,
    count: number,
    columns: readonly string[] = [],
  ): Promise<{ readonly rows: readonly ResultsRow[]; readonly isChanged: boolean }> {
    const rows = this.layout.entries
      .slice(from, from + count)
      .map((entry, index) => (typeof entry === 'number' ? this.row(entry, columns) : headingRow(entry, from + index)));
    return { rows, isChanged: await this.isChanged() };
  }

  /** Returns the index at which a row is shown, or `undefined` if it is not. */
  indexOf(row: number): number | undefined {
    const index = this.layout.entries.indexOf(row);
    return index < 0 ? undefined : index;
  }

  details(row: number): ResultDetails {
    const { rows, files } = this.joined;
    const result = rows.resultAt(row);
    const texts = this.texts(row);
    const path = result && files[result.file]?.path;
    return readDetails(
      {
        ...this.part(row),
        ...(result?.group !== undefined && { group: result.group }),
        ...this.sourceDetails(row),
        duplicates: rows.duplicatesOf(row),
        attempts: this.attempts(row),
        ...(result && path !== undefined && { place: { path, line: result.line } }),
        isTooLong: texts.isTooLong,
      },
      texts,
    );
  }

  private sourceDetails(row: number) {
    const { source } = this.columns;
    const fields = source?.fields.get(this.joined.rows.idOf(row));
    const isAsExpected = this.columns.isAsExpected(row);
    const named = source?.columns.map((name, index) => ({ name, value: fields?.[index] ?? '' }));
    return {
      ...(fields && named && { source: named }),
      ...(isAsExpected !== undefined && { isAsExpected }),
    };
  }

  private attempts(row: number): readonly ResultAttempt[] {
    const { rows, files, retries } = this.joined;
    const atOf = (attempt: number) => {
      const at = attempt === 0 ? this.at : retries[attempt - 1]?.at;
      return at === undefined ? {} : { at };
    };
    const attempts = rows.attemptsAt(row).map((result): ResultAttempt => {
      const attempt = files[result.file]?.attempt ?? 0;
      if (result.group === undefined) return { attempt, ...atOf(attempt), state: result.outcome };
      const place = { start: result.offset, size: result.bytes };
      const { failure, status } = readResultLine(this.files.text(result.file, place)) ?? {};
      const known = failure && { failure: { ...(status !== undefined && { status }), ...failure } };
      return { attempt, ...atOf(attempt), state: result.outcome, ...known };
    });
    const waiting = this.part(row).isRetried ? retryOf(this.joined, row) : undefined;
    if (waiting !== undefined) attempts.push({ attempt: waiting, ...atOf(waiting), state: 'waiting' });
    return attempts.length > 1 ? attempts.slice(-mostAttempts) : [];
  }

  /** Returns the details with the line's position in the current batch file, and what happened to it since it was sent. */
  async sinceSent(details: ResultDetails): Promise<ResultDetails> {
    const { line, ...rest } = details;
    if (!this.current || line === undefined || this.joined.rows.firstOf(details.row) !== details.row) return details;
    const now = await this.currentLine();
    const found = now?.(details.row);
    if (!found) return { ...rest, since: 'gone' };
    return { ...rest, line: found.line, ...(!this.isAsSent(details.row, found.bytes) && { since: 'changed' }) };
  }

  /**
   * Returns a function that finds the line of a row in the current batch file; `undefined` if that file is read anyway, or is
   * missing.
   */
  async currentLine(): Promise<((row: number) => CurrentLine | undefined) | undefined> {
    const find = await this.current?.look();
    return find && ((row) => find(this.joined.rows.idOf(row), row < this.joined.rows.lines ? row : undefined));
  }

  /** Returns the lines of the current batch file whose requests weren't sent, without line breaks. */
  async addedLines(): Promise<readonly Buffer[]> {
    return (await this.current?.added((id) => this.joined.rows.find(id) !== undefined)) ?? [];
  }

  /** Returns the rows of ids, `undefined` for each that is not known. */
  answersFor(lines: readonly RequestLine[]): readonly (ResultsRow | undefined)[] {
    return lines.map((line) => {
      const row = this.joined.rows.find(line.customId);
      if (row === undefined) return undefined;
      return this.isOther(row, line) ? { ...this.row(row), isChanged: true } : this.row(row);
    });
  }

  answerFor(line: RequestLine): ResultDetails | undefined {
    const row = this.joined.rows.find(line.customId);
    if (row === undefined) return undefined;
    return this.isOther(row, line) ? { ...this.details(row), since: 'changed' } : this.details(row);
  }

  /** Returns the first `most` failures whose requests are known. */
  failures(most: number): readonly FailedLine[] {
    const { rows } = this.joined;
    const failed: FailedLine[] = [];
    if (!this.knowsSent) return failed;
    for (let row = 0; row < rows.lines && failed.length < most; row++) {
      if (stateOf(this.joined, row) === 'extra' || !rows.isFailed(row) || rows.firstOf(row) !== row) continue;
      const { request } = this.texts(row);
      const { customId, failure } = this.details(row);
      if (request === undefined || !failure) continue;
      failed.push({ customId, line: row, digest: lineDigest(request), failure });
    }
    return failed;
  }

  /** Whether what is read as the input is what was sent. */
  private get knowsSent(): boolean {
    return this.current !== undefined || this.summary.input?.since === 'same';
  }

  private isOther(row: number, { digest }: RequestLine): boolean {
    if (digest === undefined || !this.knowsSent) return false;
    const { request } = this.texts(row);
    if (request === undefined || lineDigest(request) === digest) return false;
    const first = this.firstBytes(row);
    return first === undefined || lineDigest(first.toString('utf8')) !== digest;
  }

  /** Whether a line is as it was sent first or last: a retry can send a request with changes that the batch file doesn't have. */
  isAsSent(row: number, line: Buffer): boolean {
    return [this.lineBytes(row), this.firstBytes(row)].some((sent) => sent?.equals(line));
  }

  private firstBytes(row: number): Buffer | undefined {
    const place = this.joined.rows.lineAt(row);
    return place && this.files.bytes(this.joined.files.length, place);
  }

  /** Returns the rows shown, or all rows, for an export. */
  rowsOf(what: 'shown' | 'all'): readonly number[] {
    if (what === 'shown') return this.layout.rows;
    return arrangeRows(this, everything, undefined);
  }

  /** Returns the lines of a row as they are in their files. */
  texts(row: number, longest = Infinity): RowTexts & { readonly isTooLong: boolean } {
    const { rows, files } = this.joined;
    const requestPlace = requestAt(this.joined, row);
    const result = rows.resultAt(row);
    const isWithin = (size: number) => size <= longest;
    const request =
      requestPlace && isWithin(requestPlace.size)
        ? this.files.text(files.length + requestPlace.file, requestPlace)
        : undefined;
    const answer = result && { start: result.offset, size: result.bytes };
    const text = result && answer && isWithin(answer.size) ? this.files.text(result.file, answer) : undefined;
    const isTooLong =
      (requestPlace !== undefined && request === undefined) || (answer !== undefined && text === undefined);
    return { request, result: text, id: rows.idOf(row), isTooLong };
  }

  /** Returns the bytes of a request as it was last sent, without the line break. */
  lineBytes(row: number): Buffer | undefined {
    const place = requestAt(this.joined, row);
    return place && this.files.bytes(this.joined.files.length + place.file, place);
  }

  async isChanged(): Promise<boolean> {
    return (await this.files.changed()).includes(true);
  }

  close(): void {
    this.reference?.table.close();
    this.current?.close();
    this.files.close();
  }

  /** Returns what is known of a row without reading its lines. */
  part(row: number): RowPart {
    const { joined } = this;
    const { rows } = joined;
    const result = rows.resultAt(row);
    const isLine = row < rows.lines && rows.areLines && hasLines(joined);
    const state = stateOf(joined, row) ?? 'missing';
    return {
      row,
      ...(isLine && { line: row }),
      state,
      ...(isRetried(state) && retryOf(joined, row) !== undefined && { isRetried: true }),
      isFailed: rows.isFailed(row),
      ...(result?.isFiltered && { isFiltered: true }),
      ...(result?.input !== undefined && { tokensIn: result.input }),
      ...(result?.output !== undefined && { tokensOut: result.output }),
    };
  }

  row(row: number, columns: readonly string[] = []): ResultsRow {
    const read = readRow(this.part(row), this.texts(row, longestOfRow));
    if (columns.length === 0) return read;
    const start = this.requestStart();
    const isShort = start !== '' && read.request.startsWith(start);
    return {
      ...read,
      ...(isShort && { request: `…${read.request.slice(start.length)}` }),
      cells: this.cells(row, columns),
    };
  }

  private cells(row: number, columns: readonly string[]): Readonly<Record<string, ResultsCell>> {
    const isAsExpected = this.columns.isAsExpected(row);
    const others = columns.filter((id) => id !== referenceColumn);
    const cells = others.map((id): readonly [string, ResultsCell] => {
      const text = inOneLine(String(this.columns.valuesOf(id)?.(row) ?? ''), longestCell);
      return [id, { text, ...(id === this.columns.marked && isAsExpected !== undefined && { isAsExpected }) }];
    });
    const difference = columns.includes(referenceColumn) ? this.differenceAt(row) : undefined;
    return { ...Object.fromEntries(cells), ...(difference && { [referenceColumn]: difference }) };
  }

  /** `text` is the answer of this run if it differs, else empty; `undefined` if there is nothing to compare. */
  private differenceAt(row: number): ResultsCell | undefined {
    const { reference } = this;
    const other = reference?.rowOf(row);
    if (!reference || other === undefined) return undefined;
    const hasAnswer = this.joined.rows.resultAt(row)?.answer !== undefined;
    if (!reference.different.has(row)) return hasAnswer ? { text: '' } : undefined;
    return {
      text: this.comparedText(row, this.columns.marked),
      before: reference.table.comparedText(other, this.columns.marked),
    };
  }

  /** Returns the answer of the reference run to the same request; `undefined` if there is none. */
  referenceAnswer(row: number): string | undefined {
    const other = this.reference?.rowOf(row);
    return other === undefined ? undefined : this.reference?.table.answerText(other);
  }

  /** Returns the property that is compared, or the beginning of the answer. */
  comparedText(row: number, column: string): string {
    const value = this.columns.valuesOf(column)?.(row);
    return inOneLine(value === undefined ? this.answerText(row) : String(value), longestCompared);
  }

  /** Returns what the requests of all sampled rows begin with, up to the end of a word; empty if that is short. */
  private requestStart(): string {
    this.sharedStart ??= sharedStart(
      sampleOf(this.rowsOf('all')).flatMap((row) => {
        const { request } = readRow(this.part(row), this.texts(row, longestOfRow));
        return request === '' ? [] : [request];
      }),
    );
    return this.sharedStart;
  }
}

const longestCell = 240;
const longestCompared = 80;
const sampledRows = 40;
const shortestStart = 24;

/** Returns some of the rows, from the first to the last. */
function sampleOf(rows: readonly number[]): readonly number[] {
  const step = Math.max(1, Math.floor(rows.length / sampledRows));
  return rows.filter((_, index) => index % step === 0).slice(0, sampledRows);
}

/** Returns what all texts begin with, up to the end of a word; empty if there are fewer than two texts, or if that is short. */
function sharedStart(texts: readonly string[]): string {
  const [first = '', ...others] = texts;
  if (others.every((text) => text === first)) return '';
  let length = first.length;
  for (const text of others) {
    let at = 0;
    while (at < Math.min(length, text.length) && text[at] === first[at]) at++;
    length = at;
  }
  const start = first.slice(0, length);
  const end = Math.max(start.lastIndexOf(' '), start.lastIndexOf(':')) + 1;
  return end < shortestStart ? '' : start.slice(0, end);
}

function headingRow(heading: RowsHeading, index: number): ResultsRow {
  const plain = { customId: '', state: 'answered', isFailed: false, request: '', answer: '', model: '' } as const;
  return { row: -1 - index, ...plain, heading };
}

/** Finds the table that the batch file was made from. */
async function sourceOf(
  joined: Joined,
  { columns: places, input }: ResultsSource,
  files: ResultFiles,
): Promise<SourceRows | undefined> {
  if (!places || !hasLines(joined)) return undefined;
  const sample = () => {
    const rows = sampleOf(Array.from({ length: joined.rows.lines }, (_, row) => row));
    return new Map(
      rows.flatMap((row) => {
        const place = requestAt(joined, row);
        const line = place && files.text(joined.files.length + place.file, place);
        return line === undefined || joined.rows.idOf(row) === '' ? [] : [[joined.rows.idOf(row), line] as const];
      }),
    );
  };
  return findSourceRows(places, { path: input?.current ?? input?.path, sha256: input?.sha256, sample });
}

function answerOf(joined: Joined, files: ResultFiles, row: number): string {
  const read = resultOf(joined, files, row);
  return read ? answerText(read) : '';
}

function resultOf(joined: Joined, files: ResultFiles, row: number) {
  const result = joined.rows.resultAt(row);
  return readResultLine(result && files.text(result.file, { start: result.offset, size: result.bytes }));
}

/** Marks result files that were written to while they were read. */
function withChanged(joined: Joined, changed: readonly boolean[]): Joined {
  const files = joined.files.map((file, number) =>
    changed[number] && file.problem === undefined ? { ...file, problem: 'changed' as const } : file,
  );
  return { ...joined, files };
}
