import type { Attachment } from '../../core/conversation/attachment';
import type { Conversation } from '../../core/conversation/conversationFolder';
import { canContinue } from '../../core/conversation/requestMessages';
import { shownAnswer } from '../../core/conversation/transcript';
import type { Turn } from '../../protocol/chat';
import type { Beginning } from './answerScheduler';
import { parentOf } from './parentOf';
import { describeTurn } from './chatDescription';
import type { ChatSessionOptions } from './chatSession';

/** The ways to start an answer in the shown conversation. All throw a localized error while an answer is running there. */
export interface ChatQuestions {
  /** Records the question, then sends it. Throws, without sending anything, if it cannot be recorded. */
  ask(text: string, model: string, attachments?: readonly Attachment[]): Promise<Turn>;
  /** Asks `text` in place of a shown question, with the same attachments, on a new branch. */
  edit(turnId: string, text: string, model: string): Promise<Turn>;
  /**
   * Asks a shown question again; an answer that is only waiting is stopped first. Earlier tries, and what followed them, remain in
   * the history.
   */
  retry(turnId: string, model: string): Promise<Turn>;
  /** Continues the last answer from where it broke off, with the same model. */
  continue(turnId: string): Promise<Turn>;
}

export function createChatQuestions(options: ChatSessionOptions): ChatQuestions {
  const { shown, runs, words, newId, now } = options;

  const begin = async (model: string, prepare: (conversation: Conversation) => Beginning): Promise<Turn> => {
    const { id } = await shown.current();
    const { conversation, turnId } = await options.scheduler.begin(id, model, prepare);
    return describeTurn(conversation, conversation.transcript.turn(turnId)!, options);
  };
  /** Returns the index of the turn among the shown ones. */
  const placeOf = (turnId: string, { transcript }: Conversation): number => {
    const location = transcript.turns().findIndex(({ id }) => id === turnId);
    if (location < 0) throw words.turnGone();
    return location;
  };
  const question = (
    text: string,
    before: Parameters<typeof parentOf>[0],
    attachments: readonly Attachment[] = [],
  ): Beginning => {
    const id = newId();
    const along = attachments.length > 0 ? { attachments } : {};
    return { turnId: id, records: [{ kind: 'question', id, ...parentOf(before), at: now(), text, ...along }] };
  };

  return {
    async ask(text, model, attachments) {
      if (text.trim() === '') throw words.nothingAsked();
      const conversation = await shown.current();
      const turn = await begin(model, ({ transcript }) => question(text, transcript.turns().at(-1), attachments));
      await conversation.writeDraft('').catch(options.onTrouble);
      return turn;
    },
    async edit(turnId, text, model) {
      if (text.trim() === '') throw words.nothingAsked();
      return begin(model, (conversation) => {
        const { transcript } = conversation;
        const before = transcript.turns()[placeOf(turnId, conversation) - 1];
        return question(text, before, transcript.turn(turnId)?.attachments);
      });
    },
    async retry(turnId, model) {
      const waiting = runs.inTurn(turnId).filter((run) => run.wait);
      for (const run of waiting) run.stop();
      await Promise.all(waiting.map(({ finished }) => finished));
      return begin(model, (conversation) => {
        placeOf(turnId, conversation);
        return { turnId, records: [] };
      });
    },
    async continue(turnId) {
      const last = (await shown.current()).transcript.turns().at(-1);
      const answer = last && shownAnswer(last);
      return begin(answer?.model ?? '', () => {
        if (last?.id !== turnId) throw words.turnGone();
        if (!answer || !canContinue(answer)) throw words.cannotContinue();
        return { turnId, records: [], continues: answer.id };
      });
    },
  };
}
