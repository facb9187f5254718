import type { BatchRules } from '../services/batchRules';
import { createLineFacts } from '../index/lineFacts';
import type { Problem } from '../problem';

/** Returns the problems of a line on its own, however many: whether a fix was one is seen by their number. */
export type ProblemsOf = (text: string) => readonly Problem[];

/** Enough for a line before and after its fixes. */
const maxRecent = 4;

/** Caches the last lines, because the same line is checked several times while it is fixed. */
export function createProblemsOf(rules: BatchRules): ProblemsOf {
  const read = createLineFacts(() => rules, Infinity);
  const recent: { readonly text: string; readonly problems: readonly Problem[] }[] = [];
  return (text) => {
    const known = recent.find((one) => one.text === text);
    if (known) return known.problems;
    const facts = read(text);
    const problems = facts.isClean ? [] : facts.reading().problems;
    recent.push({ text, problems });
    if (recent.length > maxRecent) recent.shift();
    return problems;
  };
}
