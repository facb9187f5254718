import type { Activity } from '../../platform/activity';
import type { Disposable } from '../../platform/disposables';
import { AnswerRun } from './answerRun';
import type { AnswerRunOptions } from './answerRun';
import type { ConversationPool } from './conversationPool';

export interface AnswerRunsOptions {
  readonly pool: Pick<ConversationPool, 'use'>;
  readonly activity: Pick<Activity, 'start'>;
  /** What the status bar calls a running answer. */
  readonly label: string;
  /** An answer came to its end. */
  readonly onAnswer: () => void;
  readonly onTrouble: (error: unknown) => void;
}

/** The answers that come in this window, whether or not a page shows them. One conversation may have several at once. */
export class AnswerRuns {
  /** By answer. */
  private readonly runs = new Map<string, AnswerRun>();
  private readonly listeners = new Set<(conversationId: string) => void>();

  constructor(private readonly options: AnswerRunsOptions) {}

  /** Sends the request of an answer that is recorded. Its conversation stays open until the answer ended. */
  start(options: AnswerRunOptions): AnswerRun {
    const { pool, activity, label, onAnswer, onTrouble } = this.options;
    const { answerId, conversation } = options;
    const run = new AnswerRun(options);
    this.runs.set(answerId, run);
    const work = activity.start(label, { paid: true });
    void run.finished.then(() => {
      work.dispose();
      this.runs.delete(answerId);
      if (conversation.transcript.answer(answerId)?.end?.state === 'done') onAnswer();
      this.tell(conversation.id);
    });
    void pool.use(conversation.id, () => run.finished).catch(onTrouble);
    this.tell(conversation.id);
    return run;
  }

  of(answerId: string): AnswerRun | undefined {
    return this.runs.get(answerId);
  }

  /** The tries at this turn that go on. */
  inTurn(turnId: string): readonly AnswerRun[] {
    return [...this.runs.values()].filter((run) => run.turnId === turnId);
  }

  isAnswering(conversationId: string): boolean {
    return this.inConversation(conversationId).length > 0;
  }

  /** Ends what is coming in a conversation. Resolves when its last record is written. */
  async stopIn(conversationId: string): Promise<void> {
    const runs = this.inConversation(conversationId);
    for (const run of runs) run.stop();
    await Promise.all(runs.map(({ finished }) => finished));
  }

  /** Told the conversation in which an answer began or ended. */
  onDidChange(listener: (conversationId: string) => void): Disposable {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  }

  /** Answers that come are left without an end: they show as interrupted when seen again. Ends when all is written. */
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
