import type { SentParts } from '../capabilities/learnedLimits';
import { toBlocks } from '../conversation/compactedTranscript';
import type { EditorRequest } from './chatRequest';

/** Returns the parts of a request that a refusal may be about. */
export function sentParts({ request, hasImages }: Pick<EditorRequest, 'request' | 'hasImages'>): SentParts {
  const blocks = request.messages.flatMap(({ content }) => toBlocks(content));
  const isFromTool = blocks.some(
    (block) => block.type === 'tool_result' && toBlocks(block.content ?? '').some(({ type }) => type === 'image'),
  );
  return {
    tools: request.tools !== undefined && request.tools !== null,
    images: hasImages && !isFromTool,
    maxTokens: request.max_tokens,
  };
}
