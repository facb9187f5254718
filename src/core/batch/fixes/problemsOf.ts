import { createLineFacts } from '../index/lineFacts';
import type { Problem } from '../problem';

/** What there is to say of a line by itself. */
export type ProblemsOf = (text: string) => readonly Problem[];

/** Enough for a line before and after its fixes. */
const mostKept = 4;

/** The same line is asked for several times while it is mended: the last ones are kept. */
export function createProblemsOf(): ProblemsOf {
  const read = createLineFacts();
  const kept: { readonly text: string; readonly problems: readonly Problem[] }[] = [];
  return (text) => {
    const known = kept.find((one) => one.text === text);
    if (known) return known.problems;
    const facts = read(text);
    const problems = facts.isClean ? [] : facts.reading().problems;
    kept.push({ text, problems });
    if (kept.length > mostKept) kept.shift();
    return problems;
  };
}
