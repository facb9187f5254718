import { createFileNames } from '../../../../../src/core/batch/fixes/fileNames';
import { quickFixesOf, rootOf } from '../../../../../src/core/batch/fixes/fixLine';
import { waysFor } from '../../../../../src/core/batch/fixes/fixTable';
import type { LineChange, Lines, Work } from '../../../../../src/core/batch/fixes/lineChange';
import { createBatchIndex } from '../../../../../src/core/batch/index/batchIndex';
import type { BatchIndex } from '../../../../../src/core/batch/index/batchIndex';
import type { LineProblem } from '../../../../../src/core/batch/problem';

const plainFacts = { hasBom: false, hasCrlf: false };
const listed = new Map(['m1', 'Qwen/Qwen3-8B', 'Qwen/Qwen3-14B'].map((id) => [id, {}]));

export function finish<T>(work: Work<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

export function openLines(lines: readonly string[]): BatchIndex {
  const index = createBatchIndex();
  index.replace(0, 0, lines);
  return index;
}

export function problemsOf(index: BatchIndex): readonly LineProblem[] {
  return [...index.problems(plainFacts, listed)];
}

export function namesOf(index: BatchIndex) {
  return createFileNames({
    isUsed: (id) => index.hasId(id),
    model: () => index.summary(plainFacts).models.keys().next().value,
  });
}

export function linesOf(index: BatchIndex): Lines {
  return { lineCount: index.lineCount, line: (line) => index.line(line) };
}

/** The lines with changes made, which are in document order. */
export function changed(lines: readonly string[], changes: readonly LineChange[]): readonly string[] {
  const fresh: string[] = [];
  let at = 0;
  for (const { start, removed, added } of changes) {
    fresh.push(...lines.slice(at, start), ...added);
    at = start + removed;
  }
  return [...fresh, ...lines.slice(at)];
}

/** What there is to choose for the first problem of a kind in one line: titles, and what the line becomes. */
export function choices(
  text: string,
  code: string,
  others: readonly string[] = [],
): readonly (readonly [string, string])[] {
  const index = openLines([...others, text, '']);
  const problem = problemsOf(index).find((one) => one.code === code && one.line === others.length);
  if (!problem) throw new Error(`${code} is not said of ${text}`);
  const target = { text, problem, root: rootOf(text), file: namesOf(index) };
  return waysFor(problem.code).flatMap((way) =>
    quickFixesOf(way, target).map(({ fix, lines }) => [fix.title, lines.join('\n')] as const),
  );
}
