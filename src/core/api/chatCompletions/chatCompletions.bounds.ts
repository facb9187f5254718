import type { Bounds } from '../bounds';
import type { ChatCompletionRequest } from './chatCompletions.schema';

/** From the vendor's reference; other servers accept more, so only what no server accepts is rejected. */
export const chatCompletionBounds: Bounds<ChatCompletionRequest> = {
  model: { minLength: 1 },
  messages: { minItems: 1, advised: { maxItems: 10 } },
  max_tokens: { integer: true, min: 1 },
  stop: { advised: { maxItems: 4 } },
  temperature: { min: 0, max: 2 },
  top_p: { min: 0, max: 1, advised: { min: 0.1 } },
  top_k: { integer: true, min: 0, advised: { max: 50 } },
  min_p: { min: 0, max: 1 },
  frequency_penalty: { min: -2, max: 2 },
  n: { integer: true, min: 1 },
  seed: { integer: true },
  tools: { advised: { maxItems: 128 } },
  thinking_budget: { integer: true, min: 1, advised: { min: 128, max: 32_768 } },
};
