import type { ContentBlock, Message } from '../api/messages/messageEvents';
import { isObject } from '../api/isObject';

/** `thoughtOnly`: the model ended after thinking, without any text. */
export type AnswerEnd = 'answered' | 'refused' | 'cutOff' | 'thoughtOnly' | 'empty';

export type ToolCall = Extract<ContentBlock, { readonly type: 'tool_use' }>;

const cutShort: ReadonlySet<string | undefined> = new Set(['max_tokens', 'length']);

/** Returns how an answer ended; only text and tool calls count as answered, thinking alone does not. `undefined` means no answer at all. */
export function answerEnd(message: Pick<Message, 'content' | 'stop_reason'> | undefined): AnswerEnd {
  const { content = [], stop_reason: reason } = message ?? {};
  if (content.some((block) => block.type === 'tool_use' || (block.type === 'text' && block.text.trim() !== '')))
    return 'answered';
  if (reason === 'refusal') return 'refused';
  if (cutShort.has(reason)) return 'cutOff';
  return content.some(({ type }) => type === 'thinking') ? 'thoughtOnly' : 'empty';
}

/**
 * Returns the call in which an answer was cut off: its arguments are not an object, or it is the last block of a cut answer and has
 * none yet.
 */
export function cutCall({
  content,
  stop_reason: reason,
}: Pick<Message, 'content' | 'stop_reason'>): ToolCall | undefined {
  return content.find((block, at): block is ToolCall => {
    if (block.type !== 'tool_use') return false;
    if (!isObject(block.input)) return true;
    return cutShort.has(reason) && at === content.length - 1 && Object.keys(block.input).length === 0;
  });
}
