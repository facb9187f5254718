import { boundsAt } from '../../parameters/parameterTable';
import type { Bounds } from '../bounds';
import type { MessageRequest } from './messages.schema';

export const messageBounds: Bounds<MessageRequest> = {
  model: { minLength: 1 },
  messages: { minItems: 1 },
  ...boundsAt('messages'),
};

/**
 * Returns the `max_tokens` to send if the caller sets none. The vendor's models accept at most 4096, 8192, 16384, or more, depending on the
 * model. A higher value is rejected, a lower one truncates the response. https://docs.siliconflow.com/en/faqs/misc
 */
export function defaultMaxTokens(model: string): number {
  return longAnswers.test(model) ? 8192 : 4096;
}

/** Model families with a documented limit of 8192 or more. */
const longAnswers =
  /\b(deepseek-(r1|v[3-9])|qwen3|qwq|glm-([5-9]|4\.[5-9])|kimi-k|minimax-m|gpt-oss|step-?3|hunyuan-a13b)/i;
