import type { LineProblem, Problem, Severity } from '../problem';

/** Further problems are counted but not stored. */
const mostKept = 20_000;

export interface PreviewProblem {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
}

/** Returns `undefined` if the user does not want to see the problem. */
export type SeverityOf = (code: Problem['code']) => Severity | undefined;

/** The problems that lines have because of their file, which checking the line alone does not find again. */
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

  /** Returns these and the line's own problems, sorted by position, without those that have no severity. */
  all(line: number, own: readonly Problem[], severityOf: SeverityOf): readonly PreviewProblem[] {
    const all = [...own, ...(this.byLine.get(line) ?? [])].toSorted((a, b) => a.span.start - b.span.start);
    return all.flatMap(({ code, message }) => {
      const severity = severityOf(code);
      return severity ? [{ code, severity, message }] : [];
    });
  }
}

function isOfFile({ code }: Problem): boolean {
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
