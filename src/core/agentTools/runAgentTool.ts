import type * as z from 'zod/mini';
import { isApiError } from '../api/errors';
import type { ToolHost } from './toolHost';
import { isAgentProblem } from './agentTool';
import type { AgentAnswer, AgentTool } from './agentTool';
import { cut, longestAnswer } from './answerText';
import { apiErrorMessage } from './errorMessages';

/** A last resort: tools limit their text themselves where they know what to leave out. */
const mostText = 2 * longestAnswer;

/**
 * Checks the input and runs the tool. Errors that a model or a user can fix are returned in the answer. Throws the signal's
 * reason if aborted, and any unexpected error.
 */
export async function runAgentTool(
  tool: AgentTool,
  input: unknown,
  {
    host,
    signal,
    explain,
  }: {
    readonly host: ToolHost;
    readonly signal: AbortSignal;
    /** Explains errors that only the caller knows; `undefined` for any others. */
    readonly explain?: (error: unknown) => string | undefined;
  },
): Promise<AgentAnswer> {
  signal.throwIfAborted();
  const read = tool.input.safeParse(input ?? {}, { reportInput: true });
  if (!read.success) return failed(`${inputWords(read.error.issues)} Correct the input and call the tool again.`);
  try {
    const { text, ...answer } = await tool.run(read.data, host, signal);
    return { ...answer, text: cut(text, mostText) };
  } catch (error) {
    signal.throwIfAborted();
    if (isAgentProblem(error)) return failed(error.message);
    const words = explain?.(error) ?? (isApiError(error) ? apiErrorMessage(error) : undefined);
    if (words === undefined) throw error;
    return failed(words);
  }
}

function failed(text: string): AgentAnswer {
  return { text: cut(text, mostText), isError: true };
}

/** Says what is wrong with an input, one sentence per fault, for a model that has to write it again. */
function inputWords(issues: readonly z.core.$ZodIssue[]): string {
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
  if (issue.code === 'too_big')
    return `must ${verbOf(issue.origin)} no more than ${issue.maximum}${unitOf(issue.origin)}`;
  if (issue.code === 'unrecognized_keys') return `has unknown properties: ${issue.keys.join(', ')}`;
  if (issue.code === 'invalid_value') return `must be one of: ${issue.values.map(String).join(', ')}`;
  return 'does not match the schema';
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
