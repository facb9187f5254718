import type { Attachment } from '../../../core/conversation/attachment';
import type { HandlersOf } from '../../../protocol/call';
import type { compareCalls } from '../../../protocol/chatCompare';
import type { ChatSession } from '../chatSession';

export interface CompareHandlersOptions {
  readonly session: Pick<ChatSession, 'comparisons' | 'snapshot'>;
  readonly spending: { check(): Promise<void> };
  readonly attachments: {
    readonly tray: { get(id: string): Attachment; remove(ids: readonly string[]): void };
  };
}

export function compareHandlers({
  session,
  spending,
  attachments,
}: CompareHandlersOptions): HandlersOf<typeof compareCalls> {
  const { comparisons } = session;
  return {
    'chat/compareWith': async (chosen) => {
      await comparisons.choose(chosen);
      return {};
    },
    'chat/compare': async ({ text, models, attachments: ids = [] }) => {
      await spending.check();
      await comparisons.checkPicked();
      const along = ids.map((id) => attachments.tray.get(id));
      const turn = await comparisons.ask(text, models, along);
      if (ids.length > 0) attachments.tray.remove(ids);
      return { turn };
    },
    'chat/stopTry': async ({ turnId, tryId }) => {
      comparisons.stop(turnId, tryId);
      return {};
    },
    'chat/compareAgain': async ({ turnId, tryId, model }) => {
      await spending.check();
      return { turn: await comparisons.again(turnId, tryId, model) };
    },
    'chat/pick': async ({ turnId, tryId }) => {
      await comparisons.pick(turnId, tryId);
      return session.snapshot();
    },
    'chat/showComparison': async ({ turnId }) => {
      await comparisons.showAgain(turnId);
      return session.snapshot();
    },
  };
}
