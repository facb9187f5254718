import type { CompletionUsage } from '../api/completions/completionEvents';
import type { CompletionRequest } from '../api/completions/completions.schema';
import { estimateTokens } from '../tokens/estimate';
import { inputCount, outputCount } from '../usage/usage';
import type { Usage } from '../usage/usage';

/** Returns a suggestion's token usage as counted by the service, otherwise estimated from the request and the answer. */
export function suggestionUsage(
  { prompt, suffix }: Pick<CompletionRequest, 'prompt' | 'suffix'>,
  answer: string,
  { prompt_tokens, completion_tokens }: CompletionUsage,
): Usage {
  const input = inputCount(prompt_tokens);
  const output = outputCount(completion_tokens);
  return {
    inputTokens: input ?? estimateTokens(prompt) + estimateTokens(suffix ?? ''),
    outputTokens: output ?? estimateTokens(answer),
    ...((input === undefined || output === undefined) && { isEstimate: true }),
  };
}
