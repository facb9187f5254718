import type { Disposable } from '../../../platform/disposables';
import { createAttachments } from '../attachments/attachments';
import type { Attachments, AttachmentsOptions } from '../attachments/attachments';
import type { ChatEngine } from '../chatEngine';
import { ChatPage } from '../chatPage';
import type { ChatPageOptions } from '../chatPage';
import type { ChatSession } from '../chatSession';
import { ConversationShelf } from '../conversationShelf';
import type { ConversationShelfOptions } from '../conversationShelf';
import type { ShownMemory } from '../shownConversation';
import type { PlaceLinks } from './placeHandlers';

/** A conversation that is shown, with all that belongs to it: it can be moved from one frame of the editor to another. */
export interface ChatPlace extends Disposable {
  readonly session: ChatSession;
  readonly attachments: Attachments;
  readonly page: ChatPage;
}

/** What all places are made of. */
export interface ChatPlaceParts
  extends
    Pick<ChatPageOptions, 'services' | 'spending' | 'code' | 'desk' | 'toolDesk' | 'toolNews'>,
    Omit<AttachmentsOptions, 'changed' | 'shown'> {
  readonly engine: ChatEngine;
  readonly shelf: Pick<ConversationShelfOptions, 'leases' | 'index' | 'bin' | 'age' | 'gone'>;
}

export interface ChatPlaceOptions {
  readonly memory: ShownMemory;
  readonly links: Omit<PlaceLinks, 'scrolled'>;
  readonly others: ConversationShelfOptions['others'];
}

export function createChatPlace(parts: ChatPlaceParts, { memory, links, others }: ChatPlaceOptions): ChatPlace {
  const { engine } = parts;
  const session = engine.openSession(memory);
  const attachments = createAttachments({ ...parts, shown: session.shown, changed: () => page.tellAttachments() });
  const shelf = new ConversationShelf({ ...parts.shelf, session, others, pool: engine.pool, runs: engine.runs });
  const page = new ChatPage({ ...parts, session, shelf, attachments, links });
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
