import { boundsAt } from '../../parameters/parameterTable';
import type { Bounds } from '../bounds';
import type { ChatCompletionRequest } from './chatCompletions.schema';

/** From the vendor's reference; other servers accept more, so only what no server accepts is rejected. */
export const chatCompletionBounds: Bounds<ChatCompletionRequest> = {
  model: { minLength: 1 },
  messages: { minItems: 1, advised: { maxItems: 10 } },
  ...boundsAt('chatCompletions'),
};
