import { nearestIds } from '../catalogue/nearestIds';
import { providedNames } from './prompt';
import type { Prompt } from './prompt';
import type { PromptProblem } from './promptProblem';

/** Yields placeholders without a value, and variables without a placeholder. */
export function* variableProblems({ places, variables }: Prompt): Iterable<PromptProblem> {
  const known: readonly string[] = [...variables.map(({ name }) => name), ...providedNames];
  for (const { name, span } of places) {
    if (known.includes(name)) continue;
    yield { code: 'variable.undeclared', span, name, suggestions: nearestIds(name, known) };
  }
  for (const { name, span } of variables) {
    if (!places.some((place) => place.name === name)) yield { code: 'variable.unused', span, name };
  }
}
