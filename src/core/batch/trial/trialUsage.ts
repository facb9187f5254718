import { mayBeBilled } from '../../api/errors';
import { estimateTokens } from '../../tokens/estimate';
import { inputCount, outputCount } from '../../usage/usage';
import type { Usage } from '../../usage/usage';
import type { TrialAnswer } from './trialAnswer';

/**
 * Returns the usage of a tried line: as counted by the service, else estimated from the texts. Returns `undefined` if nothing
 * arrived, unless it failed in a way that may be billed: what a service rejects costs nothing.
 */
export function trialUsage(
  body: Readonly<Record<string, unknown>>,
  { choices, usage }: TrialAnswer,
  failure?: unknown,
): Usage | undefined {
  if (choices.length === 0 && !usage && !mayBeBilled(failure)) return undefined;
  const input = inputCount(usage?.prompt_tokens);
  const output = outputCount(usage?.completion_tokens);
  const came = choices.map(({ reasoning, text, calls }) => [reasoning, text, ...calls.map((call) => call.arguments)]);
  return {
    inputTokens: input ?? estimateTokens([...textsOf(body['messages'])].join('\n')),
    outputTokens: output ?? estimateTokens(came.flat().filter(Boolean).join('\n')),
    ...((input === undefined || output === undefined) && { isEstimate: true }),
  };
}

/** Yields the texts of messages and their parts; images are not texts. */
export function* textsOf(messages: unknown): Iterable<string> {
  if (!Array.isArray(messages)) return;
  for (const message of messages as readonly { readonly content?: unknown; readonly text?: unknown }[]) {
    if (typeof message?.content === 'string') yield message.content;
    else if (typeof message?.text === 'string') yield message.text;
    else yield* textsOf(message?.content);
  }
}
