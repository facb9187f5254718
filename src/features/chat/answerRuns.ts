import type { Disposable } from '../../platform/disposables';
import { AnswerRun, type Sending } from './answerRun';
import type { ChatEngine } from './chatEngine';

/** The running answers of this window, whether or not a page shows them. One conversation may have several at once. */
export class AnswerRuns {
  /** By answer id. */
  private readonly runs = new Map<string, AnswerRun>();
  private readonly listeners = new Set<(conversationId: string) => void>();

  constructor(private readonly engine: ChatEngine) {}

  /** Sends the request of a recorded answer. Its conversation stays open until the answer has ended. */
  start(sending: Sending): AnswerRun {
    const { pool, options } = this.engine;
    const { answerId, conversation } = sending;
    const run = new AnswerRun(this.engine, sending);
    this.runs.set(answerId, run);
    const work = options.activity.start(options.words.answering, {
      kind: 'chat',
      paid: true,
      subject: [conversation.transcript.title, sending.model].filter((text) => text !== '').join(' · '),
      profileId: run.account,
      stop: () => run.stop(),
    });
    void run.finished.then(() => {
      work.dispose();
      this.runs.delete(answerId);
      if (conversation.transcript.answer(answerId)?.end?.state === 'done') options.onAnswer();
      this.tell(conversation.id);
    });
    void pool.use(conversation.id, () => run.finished).catch(options.onTrouble);
    this.tell(conversation.id);
    return run;
  }

  of(answerId: string): AnswerRun | undefined {
    return this.runs.get(answerId);
  }

  /** The running tries of this turn. */
  inTurn(turnId: string): readonly AnswerRun[] {
    return [...this.runs.values()].filter((run) => run.turnId === turnId);
  }

  isAnswering(conversationId: string): boolean {
    return this.inConversation(conversationId).length > 0;
  }

  /** Stops all answers in a conversation. Resolves once their last records are written. */
  async stopIn(conversationId: string): Promise<void> {
    const runs = this.inConversation(conversationId);
    for (const run of runs) run.stop();
    await Promise.all(runs.map(({ finished }) => finished));
  }

  /** Calls the listener with the id of the conversation in which an answer began or ended. */
  onDidChange(listener: (conversationId: string) => void): Disposable {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  }

  /** Leaves running answers without an end, so that they show as interrupted when seen again. Resolves once everything is written. */
  async dispose(): Promise<void> {
    const runs = [...this.runs.values()];
    for (const run of runs) run.abandon();
    await Promise.all(runs.map(({ finished }) => finished));
  }

  private inConversation(conversationId: string): readonly AnswerRun[] {
    return [...this.runs.values()].filter((run) => run.conversationId === conversationId);
  }

  private tell(conversationId: string): void {
    for (const listener of this.listeners) listener(conversationId);
  }
}
