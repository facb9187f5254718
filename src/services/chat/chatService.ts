import type { ChatParameters } from '../../core/conversation/chatParameters';
import type { Disposable } from '../../platform/disposables';

/** A question for the chat, with all its settings. */
export interface ChatRequest {
  readonly text: string;
  /** One model answers; several are compared. */
  readonly models: readonly string[];
  readonly parameters: ChatParameters;
}

/** Lets other features use the chat. */
export interface ChatService {
  /**
   * Asks in a new conversation, which is shown. Throws a localized error if no request was sent. What the user had typed there is
   * preserved.
   */
  ask(request: ChatRequest): Promise<void>;
  /** Sets the function that handles requests from now on. */
  setHandler(handle: (request: ChatRequest) => Promise<void>): Disposable;
}

export function createChatService(): ChatService {
  let handler: ((request: ChatRequest) => Promise<void>) | undefined;
  return {
    async ask(request) {
      if (!handler) throw new Error('The chat did not start.');
      await handler(request);
    },
    setHandler(handle) {
      handler = handle;
      return { dispose: () => (handler = undefined) };
    },
  };
}
