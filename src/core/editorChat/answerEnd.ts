import type { ContentBlock } from '../api/messages/messageEvents';
import { isObject } from '../api/isObject';

/** What a message that has arrived is judged by. */
export interface ReceivedMessage {
  readonly content: readonly ContentBlock[];
  readonly stop_reason?: string;
}

/** `thoughtOnly`: the model ended after thinking, without any text. */
export type AnswerEnd = 'answered' | 'refused' | 'cutOff' | 'thoughtOnly' | 'empty';

/** Services' reasons for an interrupted answer, in lowercase. */
const failures: ReadonlySet<string | undefined> = new Set([
  'error',
  'abort',
  'network_error',
  'insufficient_system_resource',
  'malformed_function_call',
  'unexpected_tool_call',
  'too_many_tool_calls',
  'missing_thought_signature',
  'malformed_response',
  'aborted',
  'canceled',
  'cancelled',
  'failed',
  'timeout',
  'repetition',
]);

/** Whether a service ended an answer because something went wrong there. */
export function isFailure(reason: string | undefined): boolean {
  return failures.has(reason?.toLowerCase());
}

export type ToolCall = Extract<ContentBlock, { readonly type: 'tool_use' }>;

const cutShort: ReadonlySet<string | undefined> = new Set(['max_tokens', 'length', 'model_context_window_exceeded']);

/**
 * Returns how an answer ended. Only text, images, and tool calls count as answered, thinking alone doesn't. `undefined` means no answer at
 * all.
 */
export function answerEnd(message: ReceivedMessage | undefined): AnswerEnd {
  const { content = [], stop_reason: reason } = message ?? {};
  if (content.some(isAnswer)) return 'answered';
  if (reason === 'refusal') return 'refused';
  if (cutShort.has(reason)) return 'cutOff';
  return content.some(({ type }) => type === 'thinking') ? 'thoughtOnly' : 'empty';
}

function isAnswer(block: ContentBlock): boolean {
  return block.type === 'tool_use' || block.type === 'image' || (block.type === 'text' && block.text.trim() !== '');
}

/** Returns the first call whose input is complete. */
export function wholeCall({ content }: ReceivedMessage): ToolCall | undefined {
  return content.find((block): block is ToolCall => block.type === 'tool_use' && isObject(block.input));
}

/**
 * Returns the call in which an answer was truncated: its arguments aren't an object, or it is the last block of a truncated answer and has
 * none yet.
 */
export function cutCall({ content, stop_reason: reason }: ReceivedMessage): ToolCall | undefined {
  return content.find((block, at): block is ToolCall => {
    if (block.type !== 'tool_use') return false;
    if (!isObject(block.input)) return true;
    return cutShort.has(reason) && at === content.length - 1 && Object.keys(block.input).length === 0;
  });
}
