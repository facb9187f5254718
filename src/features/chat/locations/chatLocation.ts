import type { Disposable } from '../../../platform/disposables';
import { createAttachments } from '../attachments/attachments';
import type { Attachments, AttachmentsOptions } from '../attachments/attachments';
import type { ChatEngine } from '../chatEngine';
import { ChatPage } from '../chatPage';
import type { ChatPageOptions } from '../chatPage';
import type { ChatSession } from '../chatSession';
import { ConversationHistory } from '../conversationHistory';
import type { ConversationHistoryOptions } from '../conversationHistory';
import type { ShownMemory } from '../shownConversation';
import type { LocationLinks } from './locationHandlers';

/** A shown conversation with everything that belongs to it. It can be moved between the side bar and a tab. */
export interface ChatLocation extends Disposable {
  readonly session: ChatSession;
  readonly attachments: Attachments;
  readonly page: ChatPage;
}

/** Dependencies shared by all locations. */
export interface ChatLocationParts
  extends
    Pick<ChatPageOptions, 'services' | 'code' | 'parameterService' | 'toolSettings' | 'toolChanges'>,
    Omit<AttachmentsOptions, 'changed' | 'shown'> {
  readonly engine: ChatEngine;
  readonly history: Pick<ConversationHistoryOptions, 'leases' | 'index' | 'trash' | 'age' | 'gone'>;
}

export interface ChatLocationOptions {
  readonly memory: ShownMemory;
  readonly links: Omit<LocationLinks, 'scrolled'>;
  readonly others: ConversationHistoryOptions['others'];
}

export function createChatLocation(
  parts: ChatLocationParts,
  { memory, links, others }: ChatLocationOptions,
): ChatLocation {
  const { engine } = parts;
  const session = engine.openSession(memory);
  const attachments = createAttachments({ ...parts, shown: session.shown, changed: () => page.tellAttachments() });
  const history = new ConversationHistory({ ...parts.history, session, others, pool: engine.pool, runs: engine.runs });
  const page = new ChatPage({ ...parts, session, history, attachments, links });
  return {
    session,
    attachments,
    page,
    dispose() {
      page.dispose();
      return session.shown.close();
    },
  };
}
