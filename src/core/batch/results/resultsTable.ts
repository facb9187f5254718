import type { ProgressMonitor } from '../../async/progressMonitor';
import { lineDigest } from './lineMarks';
import { joinFiles, requestAt, retryOf } from './joinFiles';
import type { Joined } from './joinFiles';
import { CurrentFile, openFiles } from './resultFiles';
import type { CurrentLine, ResultFiles } from './resultFiles';
import type { ResultsSource } from './resultsSource';
import type {
  AskedLine,
  FailedLine,
  ResultAttempt,
  ResultDetails,
  ResultsRow,
  ResultsSummary,
  ResultsView,
} from './resultsView';
import { readDetails, readResultLine, readRow } from './rowTexts';
import type { RowPart, RowTexts } from './rowTexts';
import { arrangeRows, searchResults } from './shownRows';
import { hasLines, isRetried, stateOf, summarise } from './summarise';

/** Follows a search: `part` is from 0 to 1. `show` replaces what is shown with what was found so far. */
export type SearchMonitor = ProgressMonitor<[part: number, found: number, show: () => void]>;

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

/**
 * The results of a run beside its requests: positions and ids are stored, the rest is read on demand. Whoever opens it must close
 * it.
 */
export class ResultsTable {
  /** The rows in the order in which they are shown. */
  private shown: readonly number[];
  private search: Search = { query: '', found: undefined, isWhole: true };

  private constructor(
    readonly joined: Joined,
    private readonly files: ResultFiles,
    readonly summary: ResultsSummary,
    /** Every file that is read. */
    readonly paths: readonly string[],
    /** The batch file, if what was sent is read from a copy. */
    private readonly current: CurrentFile | undefined,
    private readonly at: number | undefined,
  ) {
    this.shown = arrangeRows(joined, everything, undefined);
  }

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
      return new ResultsTable(joined, files, summarise(joined), read, own, at);
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
    if (view.query !== this.search.query || !this.search.isWhole) {
      const search: Search = { query: view.query, found: undefined, isWhole: view.query === '' };
      this.search = search;
      const show = () => {
        if (this.search === search) this.shown = arrangeRows(this.joined, view, search.found);
      };
      if (!search.isWhole) {
        const onFound = (part: number, found: ReadonlySet<number>) => {
          search.found = found;
          onProgress(part, found.size, show);
        };
        search.found = await searchResults(this.joined, view.query, { signal, onProgress: onFound });
        search.isWhole = true;
      }
      if (this.search !== search) throw new DOMException('Another search was begun.', 'AbortError');
    }
    this.shown = arrangeRows(this.joined, view, this.search.found);
    return this.shown.length;
  }

  /** `isChanged`: one of the files has changed, so nothing read from it is reliable. */
  async rows(
    from: number,
    count: number,
  ): Promise<{ readonly rows: readonly ResultsRow[]; readonly isChanged: boolean }> {
    const rows = this.shown.slice(from, from + count).map((row) => this.row(row));
    return { rows, isChanged: await this.isChanged() };
  }

  /** Returns the index at which a row is shown, or `undefined` if it is not. */
  indexOf(row: number): number | undefined {
    const index = this.shown.indexOf(row);
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
        duplicates: rows.duplicatesOf(row),
        attempts: this.attempts(row),
        ...(result && path !== undefined && { place: { path, line: result.line } }),
        isTooLong: texts.isTooLong,
      },
      texts,
    );
  }

  private attempts(row: number): readonly ResultAttempt[] {
    const { rows, files, retries } = this.joined;
    const atOf = (attempt: number) => {
      const at = attempt === 0 ? this.at : retries[attempt - 1]?.at;
      return at === undefined ? {} : { at };
    };
    const told = rows.attemptsAt(row).map((result): ResultAttempt => {
      const attempt = files[result.file]?.attempt ?? 0;
      if (result.group === undefined) return { attempt, ...atOf(attempt), state: result.outcome };
      const place = { start: result.offset, size: result.bytes };
      const { failure, status } = readResultLine(this.files.text(result.file, place)) ?? {};
      const known = failure && { failure: { ...(status !== undefined && { status }), ...failure } };
      return { attempt, ...atOf(attempt), state: result.outcome, ...known };
    });
    const waiting = this.part(row).isRetried ? retryOf(this.joined, row) : undefined;
    if (waiting !== undefined) told.push({ attempt: waiting, ...atOf(waiting), state: 'waiting' });
    return told.length > 1 ? told.slice(-mostAttempts) : [];
  }

  /** Returns the details with the line's position in the current batch file, and what happened to it since it was sent. */
  async sinceSent(details: ResultDetails): Promise<ResultDetails> {
    const { line, ...rest } = details;
    if (!this.current || line === undefined || this.joined.rows.firstOf(details.row) !== details.row) return details;
    const now = await this.currentLine();
    const found = now?.(details.row);
    if (!found) return { ...rest, since: 'gone' };
    const isSame = this.lineBytes(details.row)?.equals(found.bytes);
    return { ...rest, line: found.line, ...(!isSame && { since: 'changed' }) };
  }

  /**
   * Returns a function that finds the line of a row in the current batch file; `undefined` if that file is read anyway, or is
   * missing.
   */
  async currentLine(): Promise<((row: number) => CurrentLine | undefined) | undefined> {
    const find = await this.current?.look();
    return find && ((row) => find(this.joined.rows.idOf(row), row < this.joined.rows.lines ? row : undefined));
  }

  /** Returns the rows of ids, `undefined` for each that is not known. */
  answersFor(lines: readonly AskedLine[]): readonly (ResultsRow | undefined)[] {
    return lines.map((line) => {
      const row = this.joined.rows.find(line.customId);
      if (row === undefined) return undefined;
      return this.isOther(row, line) ? { ...this.row(row), isChanged: true } : this.row(row);
    });
  }

  answerFor(line: AskedLine): ResultDetails | undefined {
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

  private isOther(row: number, { digest }: AskedLine): boolean {
    if (digest === undefined || !this.knowsSent) return false;
    const { request } = this.texts(row);
    return request !== undefined && lineDigest(request) !== digest;
  }

  /** Returns the rows shown, or all rows, for an export. */
  rowsOf(what: 'shown' | 'all'): readonly number[] {
    if (what === 'shown') return this.shown;
    return arrangeRows(this.joined, everything, undefined);
  }

  /** Returns the lines of a row as they are in their files. */
  texts(row: number, longest = Infinity): RowTexts & { readonly isTooLong: boolean } {
    const { rows, files } = this.joined;
    const asked = requestAt(this.joined, row);
    const result = rows.resultAt(row);
    const isWithin = (size: number) => size <= longest;
    const request = asked && isWithin(asked.size) ? this.files.text(files.length + asked.file, asked) : undefined;
    const answer = result && { start: result.offset, size: result.bytes };
    const text = result && answer && isWithin(answer.size) ? this.files.text(result.file, answer) : undefined;
    const isTooLong = (asked !== undefined && request === undefined) || (answer !== undefined && text === undefined);
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

  row(row: number): ResultsRow {
    return readRow(this.part(row), this.texts(row, longestOfRow));
  }
}

/** Marks result files that were written to while they were read. */
function withChanged(joined: Joined, changed: readonly boolean[]): Joined {
  const files = joined.files.map((file, number) =>
    changed[number] && file.trouble === undefined ? { ...file, trouble: 'changed' as const } : file,
  );
  return { ...joined, files };
}
