import { defaultSeverities } from '../problem';
import type { LineProblem, ProblemCode } from '../problem';
import { depthOf, readJson } from '../scan/jsonTree';
import type { JsonNode } from '../scan/jsonTree';
import { createProblemsOf } from './problemsOf';
import type { ProblemsOf } from './problemsOf';
import { applyEdits } from './lineChange';
import { publicService } from './strategy';
import type { FileNames, QuickFix, Target, FixStrategy } from './strategy';

/** Deeper lines are not read for fixes because the JSON reader is recursive. */
const deepestMended = 500;
/** The most rounds for one line: some fixes have to wait for others, e.g. of neighbouring members. */
const mostRounds = 50;
/** The most problems to fix in one round: each looks for its place in the line. */
const mostAtOnce = 100;
/** After this many problems of one line, the others wait for the next time, because each round checks the entire line. */
const mostFixed = 200;
/** The most fixes to try alone: each needs the line to be checked again. */
const mostAlone = 10;

/** A line with the problems to fix in it. */
export interface LineToFix {
  readonly text: string;
  readonly problems: readonly LineProblem[];
  readonly file: FileNames;
  readonly problemsOf: ProblemsOf;
}

/** Returns the quick fixes that do fix the problem, each with the lines it results in. */
export function quickFixesOf(
  way: FixStrategy,
  target: Target,
): readonly { readonly fix: QuickFix; readonly lines: readonly string[] }[] {
  const problemsOf = createProblemsOf((target.file.service ?? publicService).rules);
  return [...way.fixes(target)]
    .map((fix) => ({ fix, lines: afterFix(target.text, fix) }))
    .filter(({ lines }) => isBetter({ before: target.text, after: lines, code: target.problem.code }, way, problemsOf));
}

/** Returns the lines after fixing all problems passed and all of `codes` that remain then; `undefined` if none can be fixed. */
export function fixLine(
  way: FixStrategy,
  codes: ReadonlySet<ProblemCode>,
  { text, problems, file, problemsOf }: LineToFix,
) {
  let lines: readonly string[] | undefined;
  let left = problems;
  let tried = 0;
  for (let round = 0; round < mostRounds && left.length > 0 && tried < mostFixed; round++) {
    const now: string = lines?.[0] ?? text;
    const fixed = fixOnce(way, { text: now, problems: left, file, problemsOf });
    if (!fixed) break;
    tried += Math.min(left.length, mostAtOnce);
    lines = fixed;
    if (fixed.length !== 1) break;
    const [{ line }] = problems as readonly [LineProblem];
    left = problemsOf(fixed[0]!).flatMap((problem) => (codes.has(problem.code) ? [{ ...problem, line }] : []));
  }
  return lines;
}

function fixOnce(way: FixStrategy, { text, problems, file, problemsOf }: LineToFix): readonly string[] | undefined {
  const root = rootOf(text);
  const found = problems.slice(0, mostAtOnce).flatMap((problem) => {
    const [fix] = way.fixes({ text, problem, root, file });
    return fix ? [{ fix, code: problem.code }] : [];
  });
  const [first] = found;
  if (!first) return undefined;
  const together: QuickFix = { ...first.fix, edits: found.flatMap(({ fix }) => fix.edits) };
  const lines = afterFix(text, together);
  if (isBetter({ before: text, after: lines, code: first.code }, way, problemsOf)) return lines;
  // A combination of fixes can spoil the result, so apply the first one that works alone.
  const alone = found.slice(0, mostAlone).map(({ fix, code }) => ({ before: text, after: afterFix(text, fix), code }));
  return alone.find((one) => isBetter(one, way, problemsOf))?.after;
}

export function rootOf(text: string): JsonNode | undefined {
  return depthOf(text) > deepestMended ? undefined : readJson(text).root;
}

function afterFix(text: string, { edits, removesLine }: QuickFix): readonly string[] {
  return removesLine ? [] : applyEdits(text, edits).split('\n');
}

interface Change {
  readonly before: string;
  readonly after: readonly string[];
  readonly code: ProblemCode;
}

/** Whether this kind of problem occurs less often and there is no new error or duplicate key. */
function isBetter({ before, after, code }: Change, { reveals }: FixStrategy, problemsOf: ProblemsOf): boolean {
  if (after.length === 1 && after[0] === before) return false;
  const old = problemsOf(before);
  const fresh = after.flatMap((text, index) =>
    // The empty text after the last line break is not a line.
    text === '' && index > 0 && index === after.length - 1 ? [] : problemsOf(text),
  );
  const count = (problems: typeof old) => problems.filter((problem) => problem.code === code).length;
  // Problems caused by other lines are not found in the line alone.
  if (count(old) > 0 && count(fresh) >= count(old)) return false;
  if (reveals) return true;
  const known = new Set(old.map(({ code: kind, message }) => `${kind} ${message}`));
  const isBad = (kind: ProblemCode) => defaultSeverities[kind] === 'error' || kind === 'line.duplicate-key';
  return fresh.every(({ code: kind, message }) => !isBad(kind) || known.has(`${kind} ${message}`));
}
