import type { CompletionParameterName, CompletionParameters } from './completionParameters';

/** Usual maximum of `stop` and of alternatives per token. https://platform.openai.com/docs/api-reference/completions/create */
const usuallyMost = { stop: 4, logprobs: 5 } as const;
/** Usual range of `repetition_penalty`; 1 has no effect. https://docs.vllm.ai/en/v0.6.0/dev/sampling_params.html */
const usualPenalty = { above: 0, most: 2 } as const;

/** Parameters that are sent anyway, although the service may refuse them or they may not have the expected effect. */
export type CompletionWarning =
  | { readonly name: CompletionParameterName; readonly kind: 'usuallyMost'; readonly most: number }
  | { readonly name: 'repetition_penalty'; readonly kind: 'usuallyAbove'; readonly least: number }
  /** Several answers are requested with settings that always pick the likeliest token. */
  | { readonly name: 'n'; readonly kind: 'allAlike' };

export function completionWarnings(parameters: CompletionParameters): readonly CompletionWarning[] {
  const { n = 1, temperature, top_k, stop = [], logprobs = 0, repetition_penalty = 1 } = parameters;
  const warnings: CompletionWarning[] = [];
  if (n > 1 && (temperature === 0 || top_k === 1)) warnings.push({ name: 'n', kind: 'allAlike' });
  if (stop.length > usuallyMost.stop) warnings.push({ name: 'stop', kind: 'usuallyMost', most: usuallyMost.stop });
  if (logprobs > usuallyMost.logprobs) {
    warnings.push({ name: 'logprobs', kind: 'usuallyMost', most: usuallyMost.logprobs });
  }
  if (repetition_penalty <= usualPenalty.above) {
    warnings.push({ name: 'repetition_penalty', kind: 'usuallyAbove', least: usualPenalty.above });
  }
  if (repetition_penalty > usualPenalty.most) {
    warnings.push({ name: 'repetition_penalty', kind: 'usuallyMost', most: usualPenalty.most });
  }
  return warnings;
}
