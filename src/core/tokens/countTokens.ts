import type { MessageParam, MessageRequest } from '../api/messages/messages.schema';
import type { ContentParam } from '../conversation/compactedTranscript';
import { toBlocks } from '../conversation/compactedTranscript';
import { estimateTokens } from './estimate';

/** For an image of about 1000 by 1000 pixels: one token per 28 by 28. https://huggingface.co/Qwen/Qwen2.5-VL-7B-Instruct */
export const tokensPerImage = 1300;

/** Overhead of a message besides its text: its role and delimiters. */
const tokensPerMessage = 4;

/** Estimates how many tokens a model counts for a message. */
export function countMessageTokens({ content }: Pick<MessageParam, 'content'>): number {
  return toBlocks(content).reduce((sum, block) => sum + countBlock(block), tokensPerMessage);
}

/** Estimates how many tokens a model counts for its whole input. */
export function countPromptTokens({
  messages,
  system,
  tools,
}: Pick<MessageRequest, 'messages' | 'system' | 'tools'>): number {
  return (
    messages.reduce((sum, message) => sum + countMessageTokens(message), 0) +
    toBlocks(system ?? '').reduce((sum, block) => sum + countBlock(block), 0) +
    (tools ? estimateTokens(JSON.stringify(tools)) : 0)
  );
}

function countBlock(block: ContentParam): number {
  switch (block.type) {
    case 'text':
      return estimateTokens(block.text);
    case 'thinking':
      return estimateTokens(block.thinking);
    case 'image':
      return tokensPerImage;
    case 'tool_use':
      return estimateTokens(`${block.name} ${JSON.stringify(block.input)}`);
    case 'unknown':
      return estimateTokens(JSON.stringify(block.raw));
    case 'tool_result':
      return toBlocks(block.content ?? '').reduce((sum, part) => sum + countBlock(part), tokensPerMessage);
  }
}
