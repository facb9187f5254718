import type { Attachment } from '../../src/core/conversation/attachment';
import type { Conversation } from '../../src/core/conversation/conversationFolder';
import type { DraftAttachments } from '../../src/core/conversation/draftAttachments';

/** Creates draft attachments that aren't stored. */
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

/** Creates a view that shows one conversation, without other functions. */
export function showOne() {
  const conversation = { attached: createHeldDraft() } as Conversation;
  return { conversation, current: async () => conversation };
}
