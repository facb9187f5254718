import type { Bounds } from '../bounds';
import type { CompletionRequest } from './completions.schema';

export const completionBounds: Bounds<CompletionRequest> = {
  model: { minLength: 1 },
  max_tokens: { integer: true, min: 1 },
  temperature: { min: 0, max: 1 },
  top_p: { min: 0, max: 1 },
  top_k: { integer: true, min: 0 },
  n: { integer: true, min: 1, max: 128 },
  presence_penalty: { min: -2, max: 2 },
  frequency_penalty: { min: -2, max: 2 },
  seed: { integer: true },
  logprobs: { integer: true, min: 0 },
};
