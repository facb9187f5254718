import * as vscode from 'vscode';
import type { ChatParameters } from '../../core/conversation/chatParameters';
import type { ServiceRules } from '../../core/profiles/vendorRules';
import type { Disposable } from '../../platform/disposables';
import type { Settings } from '../../platform/settings';

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
   * Asks in a new conversation, which is shown. Throws a localized error if nothing was sent; what the user had typed there is preserved.
   */
  ask(order: ChatRequest): Promise<void>;
  /** Sets the function that handles requests from now on. */
  setHandler(handle: (order: ChatRequest) => Promise<void>): Disposable;
}

export function createChatService(): ChatService {
  let handler: ((order: ChatRequest) => Promise<void>) | undefined;
  return {
    async ask(order) {
      if (!handler) throw new Error('The chat did not start.');
      await handler(order);
    },
    setHandler(handle) {
      handler = handle;
      return { dispose: () => (handler = undefined) };
    },
  };
}

/**
 * Returns the most messages of one request to a service with these rules; 0 for no limit. The default of the setting is the public service's:
 * elsewhere the setting holds only where a person has set it.
 */
export function messageLimitOf(settings: Settings, rules: ServiceRules): number {
  const found = vscode.workspace.getConfiguration('inferenceDesk.chat').inspect('messageLimit');
  const isSet = [found?.globalValue, found?.workspaceValue, found?.workspaceFolderValue].some(
    (one) => one !== undefined,
  );
  return isSet || rules.messageLimit !== undefined ? settings.get('chat.messageLimit') : 0;
}
