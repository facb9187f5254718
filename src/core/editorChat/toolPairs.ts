import type { MessageParam } from '../api/messages/messages.schema';
import type { ContentParam } from '../conversation/compactedTranscript';
import { toBlocks } from '../conversation/compactedTranscript';

type ToolUse = Extract<ContentParam, { readonly type: 'tool_use' }>;
type ToolResult = Extract<ContentParam, { readonly type: 'tool_result' }>;

/** English regardless of the editor's language, because only models read it. */
const noResult = 'This call was not run: there is no result.';

/**
 * Puts every call right before its one result, as the service requires, if an editor cut its history or a person stopped a turn: a
 * call without a result gets one that says so, a result without its call becomes text. Results come first in their message. User
 * and assistant must alternate in `messages`.
 */
export function pairTools(messages: readonly MessageParam[]): readonly MessageParam[] {
  const paired: MessageParam[] = [];
  messages.forEach((message, index) => {
    const before = messages[index - 1];
    if (message.role === 'user') paired.push(answered(message, before ? callsIn(before) : []));
    else {
      paired.push(message);
      const calls = callsIn(message);
      // A turn that ends with its calls, or was stopped there.
      if (calls.length > 0 && messages[index + 1]?.role !== 'user')
        paired.push(answered({ role: 'user', content: [] }, calls));
    }
  });
  return paired;
}

function answered(message: MessageParam, calls: readonly ToolUse[]): MessageParam {
  const blocks = toBlocks(message.content);
  const given = blocks.filter((block) => block.type === 'tool_result');
  if (calls.length === 0 && given.length === 0) return message;
  const results = calls.map(
    ({ id }): ToolResult =>
      given.find(({ tool_use_id }) => tool_use_id === id) ?? {
        type: 'tool_result',
        tool_use_id: id,
        content: noResult,
        is_error: true,
      },
  );
  const rest = blocks.flatMap((block) =>
    block.type === 'tool_result' ? (results.includes(block) ? [] : toldResult(block)) : [block],
  );
  return { role: message.role, content: [...results, ...rest] };
}

function toldResult({ content = '' }: ToolResult): readonly ContentParam[] {
  return [{ type: 'text', text: '[Result of an earlier tool call]' }, ...toBlocks(content)];
}

function callsIn({ content }: MessageParam): readonly ToolUse[] {
  return toBlocks(content).filter((block) => block.type === 'tool_use');
}
