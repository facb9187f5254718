import type { Handlers } from '../../protocol/call';
import type { ChatScreen } from '../../protocol/chat';
import type { ChatSession } from './chatSession';
import type { ConversationHistory } from './conversationHistory';

export interface ConversationHandlersOptions {
  readonly session: Pick<ChatSession, 'snapshot' | 'edit' | 'walk'>;
  readonly spending: { check(): Promise<void> };
  readonly history: Pick<ConversationHistory, 'list' | 'open' | 'rename' | 'pin' | 'delete' | 'restore'>;
  /** Notifies the page of changes it did not make itself. */
  readonly changed: () => void;
}

type ConversationCalls =
  | 'chat/edit'
  | 'chat/walk'
  | 'chat/conversations'
  | 'chat/openConversation'
  | 'chat/renameConversation'
  | 'chat/pinConversation'
  | 'chat/deleteConversation'
  | 'chat/restoreConversation';

/** Handlers for the page's calls about branches and other conversations. */
export function conversationHandlers({
  session,
  spending,
  history,
  changed,
}: ConversationHandlersOptions): Pick<Handlers<ChatScreen>, ConversationCalls> {
  return {
    'chat/edit': async ({ turnId, text, model }) => {
      await spending.check();
      return { turn: await session.edit(turnId, text, model) };
    },
    'chat/walk': async ({ turnId, among, index }) => {
      await session.walk(turnId, among, index);
      return session.snapshot();
    },
    'chat/conversations': async ({ query }, { signal }) => history.list(query, signal),
    'chat/openConversation': async ({ id }) => {
      await history.open(id);
      return session.snapshot();
    },
    'chat/renameConversation': async ({ id, title }) => {
      await history.rename(id, title);
      return {};
    },
    'chat/pinConversation': async ({ id, pinned }) => {
      await history.pin(id, pinned);
      return {};
    },
    'chat/deleteConversation': async ({ id }) => {
      if (await history.delete(id)) changed();
      return {};
    },
    'chat/restoreConversation': async ({ id }) => {
      await history.restore(id);
      return {};
    },
  };
}
