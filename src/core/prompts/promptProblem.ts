import type { ParameterIssue } from '../api/parameters';
import type { Severity, Span } from '../batch/problem';

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
export type ValueKind = 'text' | 'number' | 'list of texts' | 'mapping';

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
