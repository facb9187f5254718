import { inputTokensOf } from '../answers/chatEngine';
import type { ChatRequest } from '../answers/chatEngine';
import { type CatalogueModel, findModel } from '../catalogue';
import { badParameter, unknownModel } from '../refusal';

export function chatModel(id: string): CatalogueModel {
  const model = findModel(id);
  if (model?.subType !== 'chat') throw unknownModel();
  return model;
}

/** Throws a refusal if two messages of the user or two of the assistant follow each other. */
export function requireTurns(messages: readonly Readonly<Record<string, unknown>>[]): void {
  for (const [index, { role }] of messages.entries()) {
    if (role === messages[index + 1]?.['role'] && (role === 'user' || role === 'assistant'))
      throw badParameter(`messages[${index + 1}].role: two messages of the role ${role} in a row`, 'messages');
  }
}

/** Throws a refusal if the prompt or `max_tokens` does not fit the model. */
export function requireFit(request: ChatRequest): void {
  const context = request.model.context ?? Infinity;
  const most = request.model.maxTokens ?? Infinity;
  if (request.maxTokens > most)
    throw badParameter(`max_tokens (${request.maxTokens}) have exceeded max_seq_len (${most}) limit.`, 'max_tokens');
  const input = inputTokensOf(request);
  if (input >= context)
    throw badParameter(`length of prompt_tokens (${input}) must be less than max_seq_len (${context}).`, 'messages');
  if (input + request.maxTokens > context) {
    throw badParameter(
      `This model's maximum context length is ${context} tokens. However, you requested ${input + request.maxTokens} tokens. Please reduce the length.`,
      'max_tokens',
    );
  }
}
