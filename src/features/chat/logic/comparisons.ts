import { type Attachment, isQuestion } from '../../../core/conversation/attachment';
import type { ComparedModels } from '../../../core/conversation/comparison';
import type { Conversation } from '../../../core/conversation/conversationFolder';
import type { ConversationRecord } from '../../../core/conversation/record';
import { textOf } from '../../../core/conversation/requestMessages';
import type { TranscriptTurn } from '../../../core/conversation/transcript';
import type { Turn } from '../../../protocol/chat';
import { accountOf, parentOf, stopAll, type PlannedAnswer } from './answers';
import type { ChatEngine } from './chatEngine';
import type { ShownConversation } from './shownConversation';
import { noQuestion, stillAnswering, turnGone } from './chatMessages';
import * as l10n from '@vscode/l10n';
import { UserError } from '../../../platform/errors/userError';

/** Asks several models at once in the shown conversation, and continues with one of their answers. */
export class Comparisons {
  constructor(
    private readonly engine: ChatEngine,
    private readonly shown: ShownConversation,
  ) {}

  async chosen(): Promise<ComparedModels> {
    return (await this.shown.current()).transcript.comparedModels;
  }

  /** Chooses the models; with `on`, the next question goes to all of them. */
  async choose(chosen: ComparedModels): Promise<void> {
    const conversation = await this.shown.current();
    if (JSON.stringify(conversation.transcript.comparedModels) === JSON.stringify(chosen)) return;
    await conversation.record([{ kind: 'comparing', ...chosen }]);
  }

  /**
   * Throws while the last question's answers are shown side by side, because the next question could follow any of them. Without any
   * answer there is nothing to follow, so the next question replaces the last one.
   */
  async checkPicked(): Promise<void> {
    const last = (await this.shown.current()).transcript.turns().at(-1);
    if (!last?.comparison?.isOpen) return;
    const { tries } = last.comparison;
    const answered = last.answers.filter((answer) => tries.includes(answer.id) && textOf(answer) !== '');
    if (answered.length === 0) return;
    throw new UserError(
      l10n.t('Choose the response to continue with'),
      l10n.t('Choose a response to the last question first.'),
      answered.map(({ id, model }) => ({
        id: `pick:${id}`,
        label: l10n.t('Continue with {0}', model.slice(model.lastIndexOf('/') + 1) || model),
      })),
    );
  }

  /** Records the question, then sends it to each model. Throws, without sending anything, if it cannot be recorded. */
  async ask(text: string, models: readonly string[], attachments: readonly Attachment[]): Promise<Turn> {
    const { answers: running, services } = this.engine;
    const { clock, window } = services;
    if (!isQuestion(text, attachments)) throw noQuestion();
    const conversation = await this.shown.current();
    const turnId = clock.newId();
    await running.beginTogether(conversation.id, { turnId, models, beside: false }, (answers) => {
      const { transcript } = conversation;
      const at = clock.now();
      const along = attachments.length > 0 ? { attachments } : {};
      const before = parentOf(transcript.turns().at(-1));
      const tries = answers.map(({ answerId }) => answerId);
      return [
        { kind: 'question', id: turnId, ...before, at, text, ...along },
        ...answers.map(({ answerId, model }) => answerRecord(answerId, { turnId, at, model, account: this.account })),
        // An answer record makes its model the current one, but none of these has been picked yet.
        { kind: 'model', model: transcript.model ?? models[0] ?? '' },
        { kind: 'compare', question: turnId, tries, leftOut: leftOutOf(answers) },
      ];
    });
    await conversation.writeDraft('').catch(window.onError);
    return this.describe(conversation, turnId);
  }

  /** Asks the model of one column again; the other columns continue unchanged. */
  async again(turnId: string, tryId: string, model: string): Promise<Turn> {
    const { answers, services } = this.engine;
    const conversation = await this.shown.current();
    await answers.beginTogether(conversation.id, { turnId, models: [model], beside: true }, ([answer]) => {
      const { transcript } = conversation;
      const { comparison } = this.comparedIn(conversation, turnId);
      if (!answer || !comparison?.tries.includes(tryId) || answers.of(tryId)) throw turnGone();
      const { answerId } = answer;
      const tries = comparison.tries.map((id) => (id === tryId ? answerId : id));
      const leftOut = { ...comparison.leftOut, ...leftOutOf([answer]) };
      return [
        answerRecord(answerId, { turnId, at: services.clock.now(), model, account: this.account }),
        { kind: 'model', model: transcript.model ?? model },
        { kind: 'compare', question: turnId, tries, leftOut },
      ];
    });
    return this.describe(conversation, turnId);
  }

  /** Stops one answer. */
  stop(turnId: string, tryId: string): void {
    const running = this.engine.answers.of(tryId);
    if (running?.task.turnId === turnId) running.stop();
  }

  /** Continues with this answer and its model. The others are stopped and stay in the history. */
  async pick(turnId: string, tryId: string): Promise<void> {
    const { answers } = this.engine;
    const conversation = await this.shown.current();
    const answer = this.comparedIn(conversation, turnId).answers.find(({ id }) => id === tryId);
    if (!answer) throw turnGone();
    await stopAll(answers.inTurn(turnId).filter((running) => running !== answers.of(tryId)));
    const { models } = conversation.transcript.comparedModels;
    const records: readonly ConversationRecord[] = [
      { kind: 'shown', question: turnId, try: tryId },
      { kind: 'picked', question: turnId, try: tryId },
      { kind: 'model', model: answer.model },
      { kind: 'comparing', models, on: false },
    ];
    await conversation.record(records);
  }

  /** Shows the answers side by side again. */
  async showAgain(turnId: string): Promise<void> {
    const conversation = await this.shown.current();
    if (this.engine.answers.isBusy(conversation.id)) throw stillAnswering();
    this.comparedIn(conversation, turnId);
    await conversation.record([{ kind: 'picked', question: turnId, try: null }]);
  }

  private describe(conversation: Conversation, turnId: string): Turn {
    return this.engine.answers.describe(conversation, conversation.transcript.turn(turnId)!);
  }

  private get account(): string | undefined {
    return this.engine.services.models.catalogue.state.profileId;
  }

  /** Returns a shown turn whose answers were compared. Throws if there is none. */
  private comparedIn({ transcript }: Conversation, turnId: string): TranscriptTurn {
    const turn = transcript.turns().find(({ id }) => id === turnId);
    if (!turn?.comparison) throw turnGone();
    return turn;
  }
}

function answerRecord(
  id: string,
  {
    turnId,
    at,
    model,
    account,
  }: {
    readonly turnId: string;
    readonly at: number;
    readonly model: string;
    readonly account: string | undefined;
  },
): ConversationRecord {
  return { kind: 'answer', id, question: turnId, at, model, ...accountOf(account) };
}

/** Returns, by answer id, the conversation's parameters that are not sent to its model. */
function leftOutOf(answers: readonly PlannedAnswer[]): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    answers.flatMap(({ answerId, leftOut }) => (leftOut.length > 0 ? [[answerId, leftOut]] : [])),
  );
}
