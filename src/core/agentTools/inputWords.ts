import type * as z from 'zod/mini';

/** Says what is wrong with an input, one sentence per fault, for a model that has to write it again. */
export function inputWords(issues: readonly z.core.$ZodIssue[]): string {
  return issues.map((issue) => `${placeOf(issue.path)} ${faultOf(issue)}.`).join(' ');
}

function placeOf(path: readonly PropertyKey[]): string {
  return path.length === 0 ? 'The input' : `"${path.map(String).join('.')}"`;
}

function faultOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') {
    return `${issue.input === undefined ? 'is missing, or not' : 'must be'} ${article(issue.expected)}`;
  }
  if (issue.code === 'too_small')
    return `must ${verbOf(issue.origin)} at least ${issue.minimum}${unitOf(issue.origin)}`;
  if (issue.code === 'too_big') return `must ${verbOf(issue.origin)} at most ${issue.maximum}${unitOf(issue.origin)}`;
  if (issue.code === 'unrecognized_keys') return `has members that are not known: ${issue.keys.join(', ')}`;
  if (issue.code === 'invalid_value') return `must be one of: ${issue.values.map(String).join(', ')}`;
  return 'is not of the form that the schema names';
}

function article(type: string): string {
  if (type === 'int') return 'a whole number';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function verbOf(origin: string): string {
  return origin === 'string' || origin === 'array' ? 'have' : 'be';
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' ? ' items' : '';
}
