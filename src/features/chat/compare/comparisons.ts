import type { Attachment } from '../../../core/conversation/attachment';
import type { ComparedModels } from '../../../core/conversation/comparison';
import type { Conversation } from '../../../core/conversation/conversationFolder';
import type { ConversationRecord } from '../../../core/conversation/record';
import { textOf } from '../../../core/conversation/requestMessages';
import type { TranscriptTurn } from '../../../core/conversation/transcript';
import type { Turn } from '../../../protocol/chat';
import type { StartedAnswer } from '../answerScheduler';
import { parentOf } from '../parentOf';
import { describeTurn } from '../chatDescription';
import type { ChatSessionOptions } from '../chatSession';

/** Asks several models at once in the shown conversation, and continues with one of their answers. */
export interface Comparisons {
  /** Chooses the models; with `on`, the next question goes to all of them. */
  choose(chosen: ComparedModels): Promise<void>;
  /** Throws while the last question's answers are shown side by side, because the next question could follow any of them. */
  checkPicked(): Promise<void>;
  /** Records the question, then sends it to each model. Throws, without sending anything, if it cannot be recorded. */
  ask(text: string, models: readonly string[], attachments: readonly Attachment[]): Promise<Turn>;
  /** Asks the model of one column again; the other columns continue unchanged. */
  again(turnId: string, tryId: string, model: string): Promise<Turn>;
  /** Stops one answer. */
  stop(turnId: string, tryId: string): void;
  /** Continues with this answer and its model. The others are stopped and stay in the history. */
  pick(turnId: string, tryId: string): Promise<void>;
  /** Shows the answers side by side again. */
  showAgain(turnId: string): Promise<void>;
}

export function createComparisons(options: ChatSessionOptions): Comparisons {
  const { shown, runs, words } = options;
  return {
    ...createCompared(options),
    async choose(chosen) {
      const conversation = await shown.current();
      if (JSON.stringify(conversation.transcript.comparedModels) === JSON.stringify(chosen)) return;
      await conversation.record([{ kind: 'comparing', ...chosen }]);
    },
    async checkPicked() {
      const last = (await shown.current()).transcript.turns().at(-1);
      if (!last?.comparison?.isOpen) return;
      const { tries } = last.comparison;
      const said = last.answers.filter((answer) => tries.includes(answer.id) && textOf(answer) !== '');
      throw words.pickFirst(said.map(({ id, model }) => ({ tryId: id, model })));
    },
    stop(turnId, tryId) {
      const run = runs.of(tryId);
      if (run?.turnId === turnId) run.stop();
    },
    async pick(turnId, tryId) {
      const conversation = await shown.current();
      const answer = comparedIn(conversation, turnId, options).answers.find(({ id }) => id === tryId);
      if (!answer) throw words.turnGone();
      const others = runs.inTurn(turnId).filter((run) => run !== runs.of(tryId));
      for (const run of others) run.stop();
      await Promise.all(others.map(({ finished }) => finished));
      const { models } = conversation.transcript.comparedModels;
      const records: readonly ConversationRecord[] = [
        { kind: 'shown', question: turnId, try: tryId },
        { kind: 'picked', question: turnId, try: tryId },
        { kind: 'model', model: answer.model },
        { kind: 'comparing', models, on: false },
      ];
      await conversation.record(records);
    },
    async showAgain(turnId) {
      const conversation = await shown.current();
      if (options.scheduler.isBusy(conversation.id)) throw words.stillAnswering();
      comparedIn(conversation, turnId, options);
      await conversation.record([{ kind: 'picked', question: turnId, try: null }]);
    },
  };
}

/** The ways to start compared answers. */
function createCompared(options: ChatSessionOptions): Pick<Comparisons, 'ask' | 'again'> {
  const { shown, runs, scheduler, words, newId, now } = options;
  const describe = (conversation: Conversation, turnId: string) =>
    describeTurn(conversation, conversation.transcript.turn(turnId)!, options);

  return {
    async ask(text, models, attachments) {
      if (text.trim() === '') throw words.nothingAsked();
      const conversation = await shown.current();
      const turnId = newId();
      await scheduler.beginTogether(conversation.id, { turnId, models, beside: false }, (answers) => {
        const { transcript } = conversation;
        const at = now();
        const along = attachments.length > 0 ? { attachments } : {};
        const before = parentOf(transcript.turns().at(-1));
        const tries = answers.map(({ answerId }) => answerId);
        return [
          { kind: 'question', id: turnId, ...before, at, text, ...along },
          ...answers.map(({ answerId, model }) => answerRecord(answerId, { turnId, at, model })),
          // An answer record makes its model the current one, but none of these has been picked yet.
          { kind: 'model', model: transcript.model ?? models[0] ?? '' },
          { kind: 'compare', question: turnId, tries, leftOut: leftOutOf(answers) },
        ];
      });
      await conversation.writeDraft('').catch(options.onTrouble);
      return describe(conversation, turnId);
    },
    async again(turnId, tryId, model) {
      const conversation = await shown.current();
      await scheduler.beginTogether(conversation.id, { turnId, models: [model], beside: true }, ([answer]) => {
        const { transcript } = conversation;
        const { comparison } = comparedIn(conversation, turnId, options);
        if (!answer || !comparison?.tries.includes(tryId) || runs.of(tryId)) throw words.turnGone();
        const { answerId } = answer;
        const tries = comparison.tries.map((id) => (id === tryId ? answerId : id));
        const leftOut = { ...comparison.leftOut, ...leftOutOf([answer]) };
        return [
          answerRecord(answerId, { turnId, at: now(), model }),
          { kind: 'model', model: transcript.model ?? model },
          { kind: 'compare', question: turnId, tries, leftOut },
        ];
      });
      return describe(conversation, turnId);
    },
  };
}

function answerRecord(
  id: string,
  { turnId, at, model }: { readonly turnId: string; readonly at: number; readonly model: string },
): ConversationRecord {
  return { kind: 'answer', id, question: turnId, at, model };
}

/** Returns, by answer id, the conversation's parameters that are not sent to its model. */
function leftOutOf(answers: readonly StartedAnswer[]): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    answers.flatMap(({ answerId, leftOut }) => (leftOut.length > 0 ? [[answerId, leftOut]] : [])),
  );
}

/** Returns a shown turn whose answers were compared. Throws if there is none. */
function comparedIn({ transcript }: Conversation, turnId: string, { words }: ChatSessionOptions): TranscriptTurn {
  const turn = transcript.turns().find(({ id }) => id === turnId);
  if (!turn?.comparison) throw words.turnGone();
  return turn;
}
