import type { CompletionUsage } from '../api/completions/completionEvents';
import type { CompletionRequest } from '../api/completions/completions.schema';
import { estimateTokens } from '../tokens/estimate';
import type { Usage } from '../usage/usage';

/** What a suggestion took: as the service counted it, else as estimated from what was sent and what came. */
export function suggestionUsage(
  { prompt, suffix }: Pick<CompletionRequest, 'prompt' | 'suffix'>,
  answer: string,
  { prompt_tokens, completion_tokens }: CompletionUsage,
): Usage {
  return {
    inputTokens: prompt_tokens ?? estimateTokens(prompt) + estimateTokens(suffix ?? ''),
    outputTokens: completion_tokens ?? estimateTokens(answer),
    ...((prompt_tokens === undefined || completion_tokens === undefined) && { isEstimate: true }),
  };
}
