import { compareIds } from '../compareIds';
import type { WalkedLine } from '../disk/fileWalk';
import type { LineProblem, Problem, Severity } from '../problem';

export type ProblemCounts = Readonly<Record<Severity, number>>;

export type SortKey = 'line' | 'customId' | 'model' | 'size' | 'problems';

export interface ViewChoice {
  readonly sort: SortKey;
  readonly descending: boolean;
  readonly onlyProblems: boolean;
}

export interface PreviewProblem {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
}

/** Returns `undefined` if the user does not want to see the problem. */
export type SeverityOf = (code: Problem['code']) => Severity | undefined;

/** A line of a file; its text is not stored. */
interface TableLine {
  readonly start: number;
  /** Up to the next line. */
  size: number;
  readonly customId: string;
  readonly model: string;
}

/** Further problems are counted but not stored. */
const maxCached = 20_000;
const noProblems: ProblemCounts = { error: 0, warning: 0, hint: 0 };

/** The lines of a file and their problems, and which lines are shown in which order. */
export class LineTable {
  readonly lines: TableLine[] = [];
  private readonly counts: Record<Severity, number>[] = [];
  /** The problems that lines have because of their file, which checking the line alone does not find again. */
  private readonly ofFile = new Map<number, LineProblem[]>();
  private cachedCount = 0;
  /** `undefined`: all lines in file order. */
  private shown: readonly number[] | undefined;

  constructor(private readonly severityOf: SeverityOf) {}

  add({ start, end, customId, model = '' }: WalkedLine): void {
    const before = this.lines.at(-1);
    if (before) before.size = start - before.start;
    this.lines.push({ start, size: end - start, customId, model });
  }

  /** Counts a problem of a line, which may be reported before the line is. */
  addProblem(problem: LineProblem): void {
    const { code, line } = problem;
    const severity = this.severityOf(code);
    if (!severity) return;
    this.counts[line] ??= { ...noProblems };
    this.counts[line][severity]++;
    if (!isOfFile(code) || this.cachedCount >= maxCached) return;
    this.cachedCount++;
    this.ofFile.set(line, [...(this.ofFile.get(line) ?? []), problem]);
  }

  counted(line: number): ProblemCounts {
    return this.counts[line] ?? noProblems;
  }

  /** Returns a line's own problems and those it has because of its file, sorted by position. */
  problemsOf(line: number, own: readonly Problem[]): readonly PreviewProblem[] {
    const all = [...own, ...(this.ofFile.get(line) ?? [])].toSorted((a, b) => a.span.start - b.span.start);
    return all.flatMap(({ code, message }) => {
      const severity = this.severityOf(code);
      return severity ? [{ code, severity, message }] : [];
    });
  }

  /** The number of lines shown. */
  get shownCount(): number {
    return this.shown?.length ?? this.lines.length;
  }

  /** Applies a view. If `found` is set, only those lines are shown. */
  arrange({ sort, descending, onlyProblems }: ViewChoice, found: ReadonlySet<number> | undefined): void {
    const isShown = (line: number) => (!onlyProblems || line in this.counts) && (!found || found.has(line));
    const shown = [...this.lines.keys()].filter(isShown);
    const compare = this.comparison(sort);
    const sign = descending ? -1 : 1;
    this.shown = sort === 'line' && !descending ? shown : shown.sort((a, b) => sign * compare(a, b) || a - b);
  }

  shownLines(from: number, count: number): readonly number[] {
    if (this.shown) return this.shown.slice(from, from + count);
    const end = Math.min(from + count, this.lines.length);
    return Array.from({ length: Math.max(0, end - from) }, (_, index) => from + index);
  }

  /** Returns the index at which a line is shown, or `undefined` if it is not. */
  indexOf(line: number): number | undefined {
    if (!this.shown) return line >= 0 && line < this.lines.length ? line : undefined;
    const index = this.shown.indexOf(line);
    return index < 0 ? undefined : index;
  }

  private comparison(key: SortKey): (a: number, b: number) => number {
    const { lines } = this;
    switch (key) {
      case 'line':
        return (a, b) => a - b;
      case 'customId':
        return (a, b) => compareIds(lines[a]!.customId, lines[b]!.customId);
      case 'size':
        return (a, b) => lines[a]!.size - lines[b]!.size;
      case 'model':
        return (a, b) => (lines[a]!.model < lines[b]!.model ? -1 : Number(lines[a]!.model > lines[b]!.model));
      case 'problems':
        return (a, b) => {
          const [one, other] = [this.counted(a), this.counted(b)];
          return one.error - other.error || one.warning - other.warning || one.hint - other.hint;
        };
    }
  }
}

function isOfFile(code: Problem['code']): boolean {
  const ofFile = [
    'custom-id.duplicate',
    'model.mixed',
    'model.unknown',
    'model.not-chat',
    'line.not-utf8',
    'line.too-long',
  ];
  return code.startsWith('file.') || ofFile.includes(code);
}
