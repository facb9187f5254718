import { isApiError } from '../../core/api/errors';
import { modelsForJob } from '../../core/catalogue/jobs';
import { nearestIds } from '../../core/catalogue/nearestIds';
import { refusedParameter } from '../../core/conversation/chatParameters';
import { documentedMessageLimit } from '../../core/conversation/requestMessages';
import type { WireError } from '../../protocol/wire';
import type { AnswerStart } from './answerStart';
import type { ChatEngineOptions } from './chatEngineOptions';

/** Describes why no answer came, with the chat's own actions: send without a parameter, new conversation, another model. */
export function describeFailure(
  error: unknown,
  start: (AnswerStart & { readonly model: string }) | undefined,
  { describe, models, words }: Pick<ChatEngineOptions, 'describe' | 'models' | 'words'>,
): WireError {
  if (!isApiError(error) || !start) return describe(error);
  const { model, messages, parameters, beginning } = start;
  if (error.kind === 'badRequest') {
    const refusal = { parameter: error.details.parameter, message: error.message };
    const refused = refusedParameter(refusal, { ...parameters, prefill: beginning.prefill });
    const worded = describe(error);
    if (refused !== undefined) return { ...worded, actions: [words.withoutParameter(refused), ...worded.actions] };
    if (messages.length > documentedMessageLimit) return words.tooManyMessages(messages.length, worded);
  }
  if (error.kind !== 'unknownModel') return describe(error);
  const offered = modelsForJob('chat', models.state.models).map(({ id }) => id);
  // The list still contains the model, or lacks its successor.
  void models.refresh();
  return describe(error, { nearestModels: nearestIds(model, offered) });
}
