import type { BatchRules } from '../services/batchRules';
import type { ListedModels } from '../fileRules';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import type { ProgressMonitor } from '../../async/progressMonitor';
import { checkFile } from '../disk/checkFile';
import { versionOf } from '../disk/fileVersion';
import type { LineProblem } from '../problem';
import { readLine } from '../readLine';
import { isAnswerLine } from './lineContent';
import { LineTable } from './lineTable';
import type { PreviewProblem, SeverityOf, ViewChoice } from './lineTable';
import { readPreview } from './previewLine';
import type { PreviewContent } from './previewLine';
import { readRow, unreadRow } from './previewRow';
import type { PreviewRow } from './previewRow';
import { searchFile } from './searchFile';

/** The most bytes to read for a row of the table; a single line that is opened may be longer. */
const longestRow = 1 << 20;
const longestLine = 1 << 24;
/** The most bytes to read in order to see what kind of lines a file contains. */
const longestFirstLine = 1 << 18;

export interface PreviewLoaded {
  readonly lines: number;
  /** The number of lines that are not blank. */
  readonly requests: number;
  /** The number of models used, and the model if there is only one. */
  readonly models: number;
  readonly model: string | undefined;
  readonly bytes: number;
  readonly holds: 'requests' | 'answers';
  /** Why there are no lines. */
  readonly without: 'file.empty' | 'file.array' | 'file.spread' | 'file.not-text' | 'file.compressed' | undefined;
  /** `false` if reading was stopped: only the lines read until then are known. */
  readonly isWhole: boolean;
}

/** The rules and model list for checking lines. */
interface PreviewRules {
  readonly severityOf: SeverityOf;
  /** The model ids the service lists, if they are known. */
  readonly models: ListedModels | undefined;
  /** Those of the service that the file is for; the public service's if absent. */
  readonly rules?: BatchRules | undefined;
}

interface Search {
  readonly query: string;
  found: Set<number> | undefined;
  isWhole: boolean;
}

/** Follows a search. `show` replaces what is shown with what was found so far. */
type SearchMonitor = ProgressMonitor<[bytes: number, found: number, show: () => void]>;

export interface PreviewLine extends PreviewContent {
  readonly problems: readonly PreviewProblem[];
  /** The number of problems that are counted but not listed here. */
  readonly moreProblems: number;
  /** The line is too long to be read. */
  readonly isTooLong: boolean;
}

/**
 * A file on disk as a table: positions and ids are stored, the rest is read on demand. Whoever opens it must
 * close it. Opening throws if the file cannot be opened or read.
 */
export class PreviewFile {
  private search: Search = { query: '', found: undefined, isWhole: true };

  private constructor(
    private readonly file: FileHandle,
    private readonly path: string,
    private readonly table: LineTable,
    private readonly version: string,
    readonly loaded: PreviewLoaded,
    private readonly rules: BatchRules | undefined,
  ) {}

  /** Reads the file once. If aborted, resolves with what was read until then. */
  static async open(
    path: string,
    rules: PreviewRules,
    monitor: ProgressMonitor<[bytes: number, total: number]>,
  ): Promise<PreviewFile> {
    const file = await open(path);
    try {
      const { size } = await file.stat();
      const version = await versionOf(path);
      const holds = await kindOf(file);
      const table = new LineTable(rules.severityOf);
      const { signal } = monitor;
      const onProgress = (bytes: number) => monitor.onProgress(bytes, size);
      const { unreadable, result } = await fill(table, { ...rules, path, holds }, { signal, onProgress });
      const [model] = result?.models.keys() ?? [];
      const loaded: PreviewLoaded = {
        lines: table.lines.length,
        requests: result?.requests ?? table.lines.length,
        models: result?.models.size ?? 0,
        model: result?.models.size === 1 ? model : undefined,
        bytes: size,
        holds,
        without: table.lines.length > 0 || !result ? undefined : (unreadable ?? 'file.empty'),
        isWhole: result !== undefined,
      };
      return new PreviewFile(file, path, table, result?.changed ? '' : version, loaded, rules.rules);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Applies a view. Resolves with the number of lines shown; rejects if aborted or replaced by another search. */
  async arrange(choice: ViewChoice, query: string, monitor: SearchMonitor): Promise<number> {
    if (query !== this.search.query || !this.search.isWhole) {
      const search: Search = { query, found: undefined, isWhole: query === '' };
      this.search = search;
      const show = () => {
        if (this.search === search) this.table.arrange(choice, search.found);
      };
      if (!search.isWhole) await this.find(search, monitor, show);
      if (this.search !== search) throw new DOMException('Another search was begun.', 'AbortError');
    }
    this.table.arrange(choice, this.search.found);
    return this.table.shownCount;
  }

  /** `isChanged`: the file has changed, so nothing read from it is reliable. */
  async rows(
    from: number,
    count: number,
  ): Promise<{ readonly rows: readonly PreviewRow[]; readonly isChanged: boolean }> {
    const rows: PreviewRow[] = [];
    for (const line of this.table.shownLines(from, count)) rows.push(await this.row(line));
    return { rows, isChanged: (await versionOf(this.path).catch(() => '')) !== this.version };
  }

  indexOf(line: number): number | undefined {
    return this.table.indexOf(line);
  }

  async line(line: number): Promise<PreviewLine> {
    const { table } = this;
    const { error, warning, hint } = table.counted(line);
    const isTooLong = (table.lines[line]?.size ?? 0) > longestLine;
    const text = isTooLong ? '' : await this.text(line);
    const own = isTooLong || this.loaded.holds === 'answers' ? [] : readLine(text, this.rules).problems;
    const problems = table.problemsOf(line, own);
    const moreProblems = Math.max(0, error + warning + hint - problems.length);
    return { ...readPreview(text), problems, moreProblems, isTooLong };
  }

  async close(): Promise<void> {
    await this.file.close();
  }

  private async find(search: Search, { signal, onProgress }: SearchMonitor, show: () => void): Promise<void> {
    const found = new Set<number>();
    search.found = found;
    for await (const piece of searchFile(this.file, this.table.lines, search.query)) {
      signal.throwIfAborted();
      for (const line of piece.found) found.add(line);
      onProgress(piece.end, found.size, show);
    }
    search.isWhole = true;
  }

  private async row(line: number): Promise<PreviewRow> {
    const { size: bytes = 0 } = this.table.lines[line] ?? {};
    const part = { line, bytes, problems: this.table.counted(line) };
    return bytes > longestRow ? unreadRow(part) : readRow(await this.text(line), part);
  }

  /** Returns the text of a line without its line break. */
  private async text(line: number): Promise<string> {
    const { start = 0, size = 0 } = this.table.lines[line] ?? {};
    const buffer = Buffer.alloc(size);
    const { bytesRead } = await this.file.read(buffer, 0, size, start);
    const text = buffer.toString('utf8', 0, bytesRead).replace(/\r?\n$|\r$/, '');
    return start === 0 && text.startsWith('\ufeff') ? text.slice(1) : text;
  }
}

/** Reads a file into a table. If aborted, there is no result. */
async function fill(
  table: LineTable,
  { path, models, rules, holds }: PreviewRules & { readonly path: string; readonly holds: string },
  { signal, onProgress }: ProgressMonitor,
) {
  let unreadable: PreviewLoaded['without'];
  const onProblem = (problem: LineProblem) => {
    const { code } = problem;
    if (code === 'file.array' || code === 'file.spread' || code === 'file.not-text' || code === 'file.compressed')
      unreadable = code;
    // The lines of a result file must be JSON, but not requests.
    if (holds === 'answers' && !/^(file|line)\.(not|blank|too|compressed)/.test(problem.code)) return;
    table.addProblem(problem);
  };
  const result = await checkFile(path, {
    ...(models && { models }),
    ...(rules && { rules }),
    signal,
    onProblem,
    onLine: (line) => table.add(line),
    onProgress,
  }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    return undefined;
  });
  return { unreadable, result };
}

/** Returns what the file contains, judging by its first line. */
async function kindOf(file: FileHandle): Promise<PreviewLoaded['holds']> {
  const buffer = Buffer.alloc(longestFirstLine);
  const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
  const first =
    buffer
      .toString('utf8', 0, bytesRead)
      .trimStart()
      .split(/[\r\n]/, 1)[0] ?? '';
  return isAnswerLine(first) ? 'answers' : 'requests';
}
