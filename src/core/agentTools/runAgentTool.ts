import { isApiError } from '../api/errors';
import type { ToolHost } from './toolHost';
import { isAgentProblem } from './agentTool';
import type { AgentAnswer, AgentTool } from './agentTool';
import { cut, longestAnswer } from './answerText';
import { failureWords } from './failureWords';
import { inputWords } from './inputWords';

/** A last resort: tools limit their text themselves where they know what to leave out. */
const mostText = 2 * longestAnswer;

export interface RunOptions {
  readonly host: ToolHost;
  readonly signal: AbortSignal;
  /** Explains errors that only the caller knows; `undefined` for any others. */
  readonly explain?: (error: unknown) => string | undefined;
}

/**
 * Checks the input and runs the tool. Errors that a model or a person can fix are returned in the answer. Throws the signal's
 * reason if aborted, and any unexpected error.
 */
export async function runAgentTool(
  tool: AgentTool,
  input: unknown,
  { host, signal, explain }: RunOptions,
): Promise<AgentAnswer> {
  signal.throwIfAborted();
  const read = tool.input.safeParse(input ?? {}, { reportInput: true });
  if (!read.success)
    return failed(`${inputWords(read.error.issues)} Nothing was done: call it again with that mended.`);
  try {
    const { text, ...answer } = await tool.run(read.data, host, signal);
    return { ...answer, text: cut(text, mostText) };
  } catch (error) {
    signal.throwIfAborted();
    if (isAgentProblem(error)) return failed(error.message);
    const words = explain?.(error) ?? (isApiError(error) ? failureWords(error) : undefined);
    if (words === undefined) throw error;
    return failed(words);
  }
}

function failed(text: string): AgentAnswer {
  return { text: cut(text, mostText), isError: true };
}
