import type { Handlers } from '../../../protocol/call';
import type { ChatScreen } from '../../../protocol/chat';
import type { ChatLocation } from '../locations/chatLocation';

/** Handlers for the page's calls about code of answers in files. The page only names blocks; texts and paths are read here. */
export function editHandlers({ session, runtime }: ChatLocation) {
  const turnsTo = async (turnId: string) => {
    const turns = await session.turnsTo(turnId);
    if (turns.length === 0) throw new Error('The code is of no answer that is shown.');
    return turns;
  };
  return {
    'chat/codeTargets': async ({ turnId }) => ({
      targets: await (await runtime.edits()).targets(await turnsTo(turnId)),
    }),
    'chat/applyCode': async ({ turnId, ...place }) => {
      await (await runtime.edits()).apply(await turnsTo(turnId), place);
      return {};
    },
    'chat/applyAll': async ({ turnId }) => {
      await (await runtime.edits()).applyAll(await turnsTo(turnId));
      return {};
    },
    'chat/openTarget': async ({ turnId, ...place }) => {
      await (await runtime.edits()).open(await turnsTo(turnId), place);
      return {};
    },
    'chat/pendingEdits': async () => ({ files: runtime.edits.loaded?.pending.views ?? [] }),
    'chat/keepEdits': async () => {
      (await runtime.edits()).pending.keep();
      return {};
    },
    'chat/undoEdits': async () => {
      await (await runtime.edits()).pending.undo();
      return {};
    },
    'chat/showEdits': async () => {
      await (await runtime.edits()).pending.reveal();
      return {};
    },
  } satisfies Partial<Handlers<ChatScreen>>;
}
