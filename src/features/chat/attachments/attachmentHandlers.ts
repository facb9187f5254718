import type { Handlers } from '../../../protocol/call';
import type { ChatScreen } from '../../../protocol/chat';
import type { offerCalls } from '../../../protocol/chatOffers';
import type { ChatSession } from '../chatSession';
import type { Attachments } from './attachments';

type AttachmentCalls =
  | 'chat/attachments'
  | 'chat/attach'
  | 'chat/detach'
  | 'chat/showAttachment'
  | 'chat/showSentAttachment'
  | keyof typeof offerCalls;

/** Handlers for the page's calls about attachments. The page only passes ids and positions; contents are read here. */
export function attachmentHandlers(
  attachments: Attachments,
  session: ChatSession,
): Pick<Handlers<ChatScreen>, AttachmentCalls> {
  const { tray } = attachments;
  return {
    'chat/attachments': async () => {
      await attachments.ready();
      return { chips: tray.chips };
    },
    'chat/attach': async () => {
      await attachments.choose();
      return {};
    },
    'chat/detach': async ({ id }) => {
      tray.remove([id]);
      return {};
    },
    'chat/showAttachment': async ({ id }) => {
      await attachments.show(tray.get(id));
      return {};
    },
    'chat/showSentAttachment': async ({ turnId, index }) => {
      const attachment = (await session.turn(turnId))?.attachments?.[index];
      if (!attachment) throw new Error('No request was sent there.');
      await attachments.show(attachment);
      return {};
    },
    'chat/offers': async ({ query }, { signal }) => ({ offers: await attachments.offers.search(query, signal) }),
    'chat/attachOffer': async ({ id }) => {
      await attachments.add(attachments.offers.wanted(id));
      return {};
    },
    'chat/drop': async (dropped) => {
      await attachments.drop(dropped);
      return {};
    },
  };
}
