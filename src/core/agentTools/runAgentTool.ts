import { isApiError } from '../api/errors';
import type { ToolHost } from './toolHost';
import { isAgentProblem } from './agentTool';
import type { AgentAnswer, AgentTool } from './agentTool';
import { cut, longestAnswer } from './answerText';
import { failureWords } from './failureWords';
import { inputWords } from './inputWords';

/** Tools keep to less by themselves, where they can tell what to leave out. */
const mostText = 2 * longestAnswer;

export interface RunOptions {
  readonly host: ToolHost;
  readonly signal: AbortSignal;
  /** Words for errors that only the place it runs in knows; `undefined` for those that it does not know either. */
  readonly explain?: (error: unknown) => string | undefined;
}

/**
 * Checks the input and runs the tool. What a model or a person can mend is told in the answer; throws the signal's reason where it
 * was stopped, and what nobody expected.
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
