import type { ChatParameters } from '../../core/conversation/chatParameters';
import type { Conversation } from '../../core/conversation/conversationFolder';

/** The parameters set in the shown conversation. */
export interface ConversationParameters {
  get(): Promise<ChatParameters>;
  /** Throws if they cannot be recorded; the previous ones then remain in effect. */
  set(parameters: ChatParameters): Promise<void>;
}

export function conversationParameters(
  current: () => Promise<Conversation>,
  now: () => number,
): ConversationParameters {
  return {
    get: async () => (await current()).transcript.parameters,
    async set(parameters) {
      const conversation = await current();
      if (JSON.stringify(conversation.transcript.parameters) === JSON.stringify(parameters)) return;
      await conversation.record([{ kind: 'parameters', at: now(), parameters: { ...parameters } }], { durable: true });
    },
  };
}
