import { estimateTokens } from '../../tokens/estimate';
import { inputCount, outputCount } from '../../usage/usage';
import type { Usage } from '../../usage/usage';
import { textsOf } from '../trial/trialUsage';

/** Returns the usage of an answer: as counted by the service, else estimated from the texts. `completion` may be incomplete. */
export function answerUsage(
  body: Readonly<Record<string, unknown>>,
  completion: Readonly<Record<string, unknown>>,
): Usage {
  const usage = (completion['usage'] ?? {}) as Readonly<Record<string, unknown>>;
  const input = inputCount(usage['prompt_tokens']);
  const output = outputCount(usage['completion_tokens']);
  return {
    inputTokens: input ?? estimateTokens([...textsOf(body['messages'])].join('\n')),
    outputTokens: output ?? estimateTokens([...answerTexts(completion['choices'])].join('\n')),
    ...((input === undefined || output === undefined) && { isEstimate: true }),
  };
}

interface Choice {
  readonly message?: Readonly<Record<string, unknown>>;
}

function* answerTexts(choices: unknown): Iterable<string> {
  for (const { message } of (Array.isArray(choices) ? choices : []) as readonly Choice[]) {
    for (const value of Object.values(message ?? {})) {
      if (typeof value === 'string') yield value;
      else if (value !== undefined) yield JSON.stringify(value);
    }
  }
}
