import type { Attachment } from '../../core/conversation/attachment';
import type { Conversation } from '../../core/conversation/conversationFolder';
import { canContinue } from '../../core/conversation/requestMessages';
import { shownAnswer } from '../../core/conversation/transcript';
import type { Turn } from '../../protocol/chat';
import type { Beginning } from './answerScheduler';
import { parentOf } from './parentOf';
import { describeTurn } from './chatDescription';
import type { ChatSessionOptions } from './chatSession';

/** The ways an answer begins in the conversation that is shown. All of them throw, in words, while one comes there. */
export interface ChatQuestions {
  /** Writes the question down, then sends it. Throws when it cannot be written; nothing is sent then. */
  ask(text: string, model: string, attachments?: readonly Attachment[]): Promise<Turn>;
  /** Asks `text` in the place of a question that is shown, with what went along with it, on a branch of its own. */
  edit(turnId: string, text: string, model: string): Promise<Turn>;
  /**
   * Asks a question that is shown again; an answer that only waits is given up for it. The tries before, and what followed
   * them, are kept in the history.
   */
  retry(turnId: string, model: string): Promise<Turn>;
  /** Lets the last answer go on from where it broke off, with the model that gave it. */
  continue(turnId: string): Promise<Turn>;
}

export function createChatQuestions(options: ChatSessionOptions): ChatQuestions {
  const { shown, runs, words, newId, now } = options;

  const begin = async (model: string, prepare: (conversation: Conversation) => Beginning): Promise<Turn> => {
    const { id } = await shown.current();
    const { conversation, turnId } = await options.scheduler.begin(id, model, prepare);
    return describeTurn(conversation, conversation.transcript.turn(turnId)!, options);
  };
  /** Where the turn stands among those that are shown. */
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
