import type { ListedModels } from '../../../core/batch/fileRules';
import type { Work } from '../../../core/batch/fixes/lineChange';
import type { FixStrategy } from '../../../core/batch/fixes/strategy';
import { codesOf } from '../../../core/batch/fixes/fixTable';
import type { LineProblem } from '../../../core/batch/problem';
import type { BatchDocument } from '../batchDocument';
import { inSlices } from '../slices';

/** All problems of a batch file in its current version, including those the editor does not show. */
export interface OpenProblems {
  readonly all: readonly LineProblem[];
  inLine(line: number): readonly LineProblem[];
  /** The number of problems that a strategy fixes. */
  countFor(way: FixStrategy): number;
}

interface Kept {
  readonly version: number;
  readonly listed: ListedModels | undefined;
  readonly problems: Promise<OpenProblems | undefined>;
}

/**
 * Collected once per version of a document, in slices, because the editor requests code actions at every move of the cursor.
 * Resolves to `undefined` if the document was edited in the meantime.
 */
export function createOpenProblems(
  listed: () => ListedModels | undefined,
): (open: BatchDocument) => Promise<OpenProblems | undefined> {
  const kept = new WeakMap<BatchDocument, Kept>();
  return (open) => {
    const { document } = open;
    const { version } = document;
    const known = kept.get(open);
    const models = listed();
    if (known?.version === version && known.listed === models) return known.problems;
    const whileSame = {
      get isCancellationRequested() {
        return document.version !== version;
      },
    };
    const problems = inSlices(gather(open.problems(models)), whileSame);
    kept.set(open, { version, listed: models, problems });
    return problems;
  };
}

function* gather(problems: Iterable<LineProblem>): Work<OpenProblems> {
  const all: LineProblem[] = [];
  const lines = new Map<number, LineProblem[]>();
  const counts = new Map<string, number>();
  for (const problem of problems) {
    all.push(problem);
    const same = lines.get(problem.line);
    if (same) same.push(problem);
    else lines.set(problem.line, [problem]);
    counts.set(problem.code, (counts.get(problem.code) ?? 0) + 1);
    yield;
  }
  return {
    all,
    inLine: (line) => lines.get(line) ?? [],
    countFor: (way) => [...codesOf(way)].reduce((sum, code) => sum + (counts.get(code) ?? 0), 0),
  };
}
