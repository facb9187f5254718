import type { ConversationRow } from '../../src/protocol/chatConversations';

/** Returns a conversation in the list, neither pinned nor shown nor streaming. */
export function conversationRow(id: string, title: string, changes: Partial<ConversationRow> = {}): ConversationRow {
  return {
    id,
    title,
    pinned: false,
    at: Date.UTC(2026, 10, 20, 12, 4),
    age: '2 hr. ago',
    running: false,
    current: false,
    ...changes,
  };
}
