import type { ParameterIssue } from '../api/parameters';
import type { Severity, Span } from '../batch/problem';
import { fitsJob, modelsForJob } from '../catalogue/jobs';
import type { CatalogueModel } from '../catalogue/model';
import { nearestIds } from '../catalogue/nearestIds';
import { mostComparedModels, providedNames } from './prompt';
import type { Prompt } from './prompt';

/** Every kind of problem a prompt file can have, with its severity. A file with an error cannot be run. */
export const promptSeverities = {
  /** Conflict markers of an unfinished merge. */
  'file.conflict': 'error',
  /** More text than models read in one request. */
  'file.too-large': 'error',
  /** The file begins with `---` and nothing closes the front matter. */
  'front-matter.not-closed': 'error',
  'front-matter.not-mapping': 'error',
  'yaml.invalid': 'error',
  /** An unknown key or parameter. */
  'key.unknown': 'warning',
  /** A parameter outside of `parameters`, or a key inside of it. */
  'key.misplaced': 'warning',
  'value.wrong-type': 'error',
  'parameter.out-of-bounds': 'error',
  /** Accepted, but beyond the range in the service's documentation. */
  'parameter.unusual': 'warning',
  /** Not in the account's model list. */
  'model.unknown': 'warning',
  /** In the list, but not a chat model. */
  'model.not-chat': 'warning',
  /** More than can be compared at once. */
  'models.too-many': 'warning',
  /** Used, but neither declared nor provided by the editor. */
  'variable.undeclared': 'warning',
  'variable.unused': 'hint',
  /** A name that no placeholder can have. */
  'variable.bad-name': 'error',
  'variable.default-not-option': 'warning',
  /** There is nothing to ask. */
  'text.empty': 'error',
} as const satisfies Readonly<Record<string, Severity>>;

export type PromptProblemCode = keyof typeof promptSeverities;

/** The expected kind of value. */
export type ValueKind = 'text' | 'number' | 'true or false' | 'list of texts' | 'mapping';

/** A problem as data; the caller words its message. */
export interface PromptProblem {
  readonly code: PromptProblemCode;
  /** In UTF-16 offsets of the file. */
  readonly span: Span;
  /** The key, model or variable concerned. */
  readonly name?: string;
  readonly expected?: ValueKind;
  readonly issue?: ParameterIssue;
  /** Possible replacements, best first. */
  readonly suggestions?: readonly string[];
  /** The parser's own message. */
  readonly detail?: string;
}

/** Yields the problems of the models named in a prompt file. `listed`: the account's models; empty if the list was never fetched. */
export function* modelProblems({ model, models }: Prompt, listed: readonly CatalogueModel[]): Iterable<PromptProblem> {
  for (const { id, span } of models.slice(mostComparedModels)) yield { code: 'models.too-many', span, name: id };
  if (listed.length === 0) return;
  const ids = modelsForJob('chat', listed).map((other) => other.id);
  const byId = new Map(listed.map((other) => [other.id, other]));
  const nearest = firstTimes(mostCompared, (id: string) => nearestIds(id, ids));
  for (const { id, span } of [...(model ? [model] : []), ...models]) {
    const known = byId.get(id);
    if (!known) yield { code: 'model.unknown', span, name: id, suggestions: nearest(id) };
    else if (!fitsJob(known, 'chat')) yield { code: 'model.not-chat', span, name: id, suggestions: nearest(id) };
  }
}

/** Yields placeholders without a value, and variables without a placeholder. */
export function* variableProblems({ places, variables }: Prompt): Iterable<PromptProblem> {
  const known = [...variables.map(({ name }) => name), ...providedNames];
  const declared: ReadonlySet<string> = new Set(known);
  const used: ReadonlySet<string> = new Set(places.map(({ name }) => name));
  const nearest = firstTimes(mostCompared, (name: string) => nearestIds(name, known));
  for (const { name, span } of places) {
    if (!declared.has(name)) yield { code: 'variable.undeclared', span, name, suggestions: nearest(name) };
  }
  for (const { name, span } of variables) if (!used.has(name)) yield { code: 'variable.unused', span, name };
}

/** For so many different names of a file, similar ones are searched. */
const mostCompared = 100;

/** Returns a function that searches once for each of the first `most` different names, and finds nothing for others. */
function firstTimes(most: number, search: (name: string) => readonly string[]): typeof search {
  const found = new Map<string, readonly string[]>();
  return (name) => {
    const known = found.get(name);
    if (known || found.size >= most) return known ?? [];
    const fresh = search(name);
    found.set(name, fresh);
    return fresh;
  };
}
