import { defaultMaxTokens } from '../api/messages/messages.bounds';
import type { MessageRequest } from '../api/messages/messages.schema';
import { requestParameters, requestPrefill } from '../conversation/chatParameters';
import { goingOnFrom } from '../conversation/requestMessages';
import type { FilledPrompt } from './fillPrompt';

/** Builds the request for a filled prompt on its own. */
export function promptRequest({ text, parameters }: FilledPrompt, model: string): MessageRequest {
  return {
    model,
    max_tokens: defaultMaxTokens(model),
    ...requestParameters(parameters, { notTaken: [], editorTools: [] }),
    messages: goingOnFrom([{ role: 'user', content: text }], requestPrefill(parameters, [])),
  };
}
