import type { LineProblem, Problem, Severity } from '../problem';

/** More are counted, but not kept word by word. */
const mostKept = 20_000;

export interface PreviewProblem {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
}

/** `undefined`: the person does not want to see it. */
export type SeverityOf = (code: Problem['code']) => Severity | undefined;

/** What is said of lines because of the file they stand in, which no look at the line alone tells again. */
export class StoredProblems {
  private readonly byLine = new Map<number, LineProblem[]>();
  private count = 0;

  add(problem: LineProblem): void {
    if (!isOfFile(problem) || this.count >= mostKept) return;
    this.count++;
    const same = this.byLine.get(problem.line);
    if (same) same.push(problem);
    else this.byLine.set(problem.line, [problem]);
  }

  /** With those of the line by itself, in the order in which they stand; those that weigh nothing left out. */
  all(line: number, own: readonly Problem[], severityOf: SeverityOf): readonly PreviewProblem[] {
    const all = [...own, ...(this.byLine.get(line) ?? [])].toSorted((a, b) => a.span.start - b.span.start);
    return all.flatMap(({ code, message }) => {
      const severity = severityOf(code);
      return severity ? [{ code, severity, message }] : [];
    });
  }
}

function isOfFile({ code }: Problem): boolean {
  const ofFile = ['custom-id.duplicate', 'model.mixed', 'model.unknown', 'line.not-utf8', 'line.too-long'];
  return code.startsWith('file.') || ofFile.includes(code);
}
