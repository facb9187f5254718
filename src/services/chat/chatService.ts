import type { ChatParameters } from '../../core/conversation/chatParameters';
import type { Disposable } from '../../platform/disposables';

/** A question for the chat, with all that is set for it. */
export interface ChatRequest {
  readonly text: string;
  /** One is asked, several are compared. */
  readonly models: readonly string[];
  readonly parameters: ChatParameters;
}

/** The way from other features to the chat. */
export interface ChatService {
  /** Asks in a new conversation, which is shown. Throws, in words, when nothing was sent; what a person typed there stays theirs. */
  ask(order: ChatRequest): Promise<void>;
  /** The chat is behind it from now on. */
  lead(take: (order: ChatRequest) => Promise<void>): Disposable;
}

export function createChatService(): ChatService {
  let taker: ((order: ChatRequest) => Promise<void>) | undefined;
  return {
    async ask(order) {
      if (!taker) throw new Error('The chat did not start.');
      await taker(order);
    },
    lead(take) {
      taker = take;
      return { dispose: () => (taker = undefined) };
    },
  };
}
