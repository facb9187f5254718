import type { Completion } from '../api/completions/completionEvents';
import { estimateTokens } from '../tokens/estimate';
import { inputCount, outputCount } from '../usage/usage';
import type { Usage } from '../usage/usage';

/** Returns a completion's token usage as counted by the service, otherwise estimated from its texts. */
export function answerUsage(prompt: string, { usage, choices }: Completion): Usage {
  const input = inputCount(usage.prompt_tokens);
  const output = outputCount(usage.completion_tokens);
  return {
    inputTokens: input ?? estimateTokens(prompt),
    outputTokens: output ?? choices.reduce((sum, { text }) => sum + estimateTokens(text), 0),
    ...((input === undefined || output === undefined) && { isEstimate: true as const }),
  };
}
