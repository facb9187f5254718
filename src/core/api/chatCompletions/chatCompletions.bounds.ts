import { boundsAt } from '../../parameters/parameterTable';
import type { Bounds } from '../bounds';
import type { ChatCompletionRequest } from './chatCompletions.schema';

/** Only what no server accepts is rejected. */
export const chatCompletionBounds: Bounds<ChatCompletionRequest> = {
  model: { minLength: 1 },
  messages: { minItems: 1 },
  ...boundsAt('chatCompletions'),
};
