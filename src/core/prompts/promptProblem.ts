import type { ParameterIssue } from '../api/parameters';
import type { Severity, Span } from '../batch/problem';

/** Every kind of problem a prompt file can have, with how much it weighs. An error keeps it from being run. */
export const promptSeverities = {
  /** Marks of a merge that is not finished. */
  'file.conflict': 'error',
  /** More than models read in one request. */
  'file.too-large': 'error',
  /** `---` begins the file and nothing ends the front matter. */
  'front-matter.not-closed': 'error',
  'front-matter.not-mapping': 'error',
  'yaml.invalid': 'error',
  /** A key or parameter nobody knows. */
  'key.unknown': 'warning',
  /** A parameter beside `parameters`, or a key within it. */
  'key.misplaced': 'warning',
  'value.wrong-type': 'error',
  'parameter.out-of-bounds': 'error',
  /** Within what is sent, beyond what the service's page names. */
  'parameter.unusual': 'warning',
  /** Not in the account's list. */
  'model.unknown': 'warning',
  /** In the list, and not for chatting. */
  'model.not-chat': 'warning',
  /** More than can be compared at once. */
  'models.too-many': 'warning',
  /** Used, not declared and not given by the editor. */
  'variable.undeclared': 'warning',
  'variable.unused': 'hint',
  /** A name that no place can have. */
  'variable.bad-name': 'error',
  'variable.default-not-option': 'warning',
  /** Nothing to ask. */
  'text.empty': 'error',
} as const satisfies Readonly<Record<string, Severity>>;

export type PromptProblemCode = keyof typeof promptSeverities;

/** What a value was to be. */
export type ValueKind = 'text' | 'number' | 'list of texts' | 'mapping';

/** What is wrong, as data: whoever shows it words it. */
export interface PromptProblem {
  readonly code: PromptProblemCode;
  /** In UTF-16 offsets of the file. */
  readonly span: Span;
  /** The key, model or variable it is about. */
  readonly name?: string;
  readonly expected?: ValueKind;
  readonly issue?: ParameterIssue;
  /** What could stand in its place, best first. */
  readonly suggestions?: readonly string[];
  /** The parser's own words. */
  readonly detail?: string;
}
