import type { Attachment } from '../../src/core/conversation/attachment';
import type { Conversation } from '../../src/core/conversation/conversationFolder';
import type { DraftAttachments } from '../../src/core/conversation/draftAttachments';

/** What is attached to a draft, kept nowhere. */
export function createHeldDraft(): DraftAttachments {
  let list: readonly Attachment[] = [];
  return {
    get list() {
      return list;
    },
    set: async (next) => {
      list = next;
    },
    settled: async () => undefined,
  };
}

/** A place that shows a conversation of which nothing but that is used. */
export function showOne() {
  const conversation = { attached: createHeldDraft() } as Conversation;
  return { conversation, current: async () => conversation };
}
