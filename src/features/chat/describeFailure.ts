import { isApiError } from '../../core/api/errors';
import { modelsForJob } from '../../core/catalogue/jobs';
import { nearestIds } from '../../core/catalogue/nearestIds';
import { documentedMessageLimit } from '../../core/conversation/requestMessages';
import type { WireError } from '../../protocol/wire';
import type { ChatSessionOptions } from './chatSessionOptions';

/** Words why a request failed, with what a conversation and the list of models can add to it. */
export function describeFailure(
  { describe, models, words }: Pick<ChatSessionOptions, 'describe' | 'models' | 'words'>,
  error: unknown,
  model: string,
  messageCount: number,
): WireError {
  if (!isApiError(error)) return describe(error);
  if (error.kind === 'badRequest' && messageCount > documentedMessageLimit) {
    return words.tooManyMessages(messageCount, describe(error));
  }
  if (error.kind !== 'unknownModel') return describe(error);
  const offered = modelsForJob('chat', models.state.models).map(({ id }) => id);
  // The list still names it, or does not know its successor.
  void models.refresh();
  return describe(error, { nearestModels: nearestIds(model, offered) });
}
