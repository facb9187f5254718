import { isApiError } from '../../core/api/errors';
import { modelsForJob } from '../../core/catalogue/jobs';
import { nearestIds } from '../../core/catalogue/nearestIds';
import { refusedParameter } from '../../core/conversation/chatParameters';
import { documentedMessageLimit } from '../../core/conversation/requestMessages';
import type { WireError } from '../../protocol/wire';
import type { AnswerStart } from './answerStart';
import type { ChatSessionOptions } from './chatSessionOptions';

/** Why no answer came, with the steps only the chat knows: without a parameter, a new conversation, another model. */
export function describeFailure(
  error: unknown,
  { model, messages, parameters }: AnswerStart & { readonly model: string },
  { describe, models, words }: Pick<ChatSessionOptions, 'describe' | 'models' | 'words'>,
): WireError {
  if (!isApiError(error)) return describe(error);
  if (error.kind === 'badRequest') {
    const refusal = { parameter: error.details.parameter, message: error.message };
    const refused = refusedParameter(refusal, parameters);
    const worded = describe(error);
    if (refused !== undefined) return { ...worded, actions: [words.withoutParameter(refused), ...worded.actions] };
    if (messages.length > documentedMessageLimit) return words.tooManyMessages(messages.length, worded);
  }
  if (error.kind !== 'unknownModel') return describe(error);
  const offered = modelsForJob('chat', models.state.models).map(({ id }) => id);
  // The list still names it, or does not know its successor.
  void models.refresh();
  return describe(error, { nearestModels: nearestIds(model, offered) });
}
