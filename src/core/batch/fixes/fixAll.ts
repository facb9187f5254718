import type { LineProblem, Problem } from '../problem';
import { codesOf, safeWays } from './fixTable';
import { fixLine } from './fixLine';
import type { LineChange, Lines, Work } from './lineChange';
import { createProblemsOf } from './problemsOf';
import { publicService } from './strategy';
import type { FileNames, FixStrategy } from './strategy';

/** A file with the problems to fix in it. */
export interface FileToFix {
  readonly lines: Lines;
  /** In document order. */
  readonly problems: Iterable<LineProblem>;
  readonly file: FileNames;
}

/** Fixes every problem `way` can fix. Returns the changes in document order. */
export function fixAll(way: FixStrategy, { lines, problems, file }: FileToFix): Work<readonly LineChange[]> {
  return fixBy([way], { lines, problems, file });
}

/** Fixes everything that can be fixed without changing the content of a request. */
export function fixSafely(toFix: FileToFix): Work<readonly LineChange[]> {
  return fixBy(safeWays, toFix);
}

/** A round can reveal problems that the next one fixes. */
const mostRounds = 5;

function* fixBy(ways: readonly FixStrategy[], { lines, problems, file }: FileToFix): Work<readonly LineChange[]> {
  const known = ways.map((way) => ({ way, codes: codesOf(way) }));
  const problemsOf = createProblemsOf((file.service ?? publicService).rules);
  const changes: LineChange[] = [];
  for (const [line, inLine] of yield* byLine(problems)) {
    const text = lines.line(line);
    if (text === undefined) continue;
    let added: readonly string[] = [text];
    for (let round = 0; round < mostRounds; round++) {
      const before = added;
      for (const { way, codes } of known) {
        const [now] = added;
        if (now === undefined || added.length > 1) break;
        const ofWay = (now === text ? inLine : stillIn(problemsOf(now), inLine)).filter(({ code }) => codes.has(code));
        if (ofWay.length > 0) added = fixLine(way, codes, { text: now, problems: ofWay, file, problemsOf }) ?? added;
      }
      if (added === before) break;
    }
    if (added.length !== 1 || added[0] !== text) changes.push(endedWell({ start: line, removed: 1, added }, lines));
    yield;
  }
  return changes;
}

/** Returns the problems of the changed line, plus its earlier ones that concern the file. */
function stillIn(now: readonly Problem[], before: readonly LineProblem[]): readonly LineProblem[] {
  const [{ line }] = before as readonly [LineProblem, ...LineProblem[]];
  const found = now.map((problem) => ({ ...problem, line }));
  return [...found, ...before.filter(({ code }) => code.startsWith('file.'))];
}

function* byLine(problems: Iterable<LineProblem>): Work<ReadonlyMap<number, readonly LineProblem[]>> {
  const lines = new Map<number, LineProblem[]>();
  for (const problem of problems) {
    const same = lines.get(problem.line);
    if (same) same.push(problem);
    else lines.set(problem.line, [problem]);
    yield;
  }
  return lines;
}

/** Replaces a removed last line with an empty one, so that the line before it still ends with a line break. */
export function endedWell(change: LineChange, { lineCount }: Lines): LineChange {
  return change.added.length === 0 && change.start === lineCount - 1 ? { ...change, added: [''] } : change;
}
