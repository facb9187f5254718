import type { ParameterName } from '../../core/conversation/chatParameters';
import type { Conversation } from '../../core/conversation/conversationFolder';
import type { ConversationRecord } from '../../core/conversation/record';
import { shownAnswer, type TranscriptAnswer, type TranscriptTurn } from '../../core/conversation/transcript';
import { HeldElsewhere } from '../../core/storage/leases';
import { lackingModels } from '../../services/models/lackingModels';
import { toolParameters } from './answerRun';
import type { ChatEngine } from './chatEngine';

/** What to record before an answer begins. */
export interface Beginning {
  readonly turnId: string;
  readonly records: readonly ConversationRecord[];
  /** The answer to continue; without it, a new try begins. */
  readonly continues?: string;
}

/** One of several answers that begin together. */
export interface StartedAnswer {
  readonly answerId: string;
  readonly model: string;
  /** Parameters that are set but not sent, because the model refused them. */
  readonly leftOut: readonly ParameterName[];
}

/** Several answers to one question. */
interface Together {
  readonly turnId: string;
  readonly models: readonly string[];
  /** Whether other answers to the same question may still be running. */
  readonly beside: boolean;
}

/** Starts answers, one question at a time per conversation. */
export class AnswerScheduler {
  /** The conversations in which a question is being recorded. */
  private readonly beginning = new Set<string>();

  constructor(private readonly engine: ChatEngine) {}

  /** Whether a question is being recorded or an answer is running in the conversation. */
  isBusy(conversationId: string): boolean {
    return this.beginning.has(conversationId) || this.engine.runs.isAnswering(conversationId);
  }

  /**
   * Throws a localized error if the active account does not offer one of the models. `isBound`: what would be sent can go to no other
   * model.
   */
  async requireModels(models: readonly string[], isBound: boolean): Promise<void> {
    const { words, models: catalogue, profileName } = this.engine.options;
    const lacking = await lackingModels(catalogue, models);
    if (lacking.length > 0) throw words.modelNotOffered(lacking, profileName(), isBound);
  }

  /**
   * Records what `prepare` returns, then sends the request. Throws, without sending anything, if it cannot be recorded or the account does
   * not offer the model.
   */
  async begin(
    conversationId: string,
    model: string,
    prepare: (conversation: Conversation) => Beginning,
  ): Promise<{ readonly conversation: Conversation; readonly turnId: string }> {
    const { words, lastModel } = this.engine.options;
    if (this.isBusy(conversationId)) throw words.stillAnswering();
    if (model === '') throw words.noModel();
    return this.alone(conversationId, async (conversation) => {
      await this.requireModels([model], false);
      await lastModel.set(model);
      const beginning = prepare(conversation);
      const answerId = await this.write(conversation, beginning, model);
      this.engine.runs.start({ conversation, answerId, turnId: beginning.turnId, model });
      return { conversation, turnId: beginning.turnId };
    });
  }

  /** Like `begin` for several models; `prepare` returns their answers too. */
  async beginTogether(
    conversationId: string,
    { turnId, models, beside }: Together,
    prepare: (answers: readonly StartedAnswer[]) => readonly ConversationRecord[],
  ): Promise<void> {
    const { words, parameters, newId } = this.engine.options;
    if (beside ? this.beginning.has(conversationId) : this.isBusy(conversationId)) throw words.stillAnswering();
    await this.alone(conversationId, async (conversation) => {
      await this.requireModels(models, beside);
      const set = Object.keys(conversation.transcript.parameters);
      const answers = await Promise.all(
        models.map(async (model) => {
          const notTaken = await parameters.notTaken(model);
          const leftOut = notTaken.filter((name) => set.includes(name) && !toolParameters.includes(name));
          return { answerId: newId(), model, leftOut };
        }),
      );
      await this.record(conversation, prepare(answers));
      for (const { answerId, model } of answers)
        this.engine.runs.start({ conversation, turnId, answerId, model, together: true });
    });
  }

  /** Runs `work` while nothing else can begin in the conversation. */
  private async alone<Result>(
    conversationId: string,
    work: (conversation: Conversation) => Promise<Result>,
  ): Promise<Result> {
    const { pool, options } = this.engine;
    this.beginning.add(conversationId);
    try {
      const done = await pool.use(conversationId, async (conversation) => ({ result: await work(conversation) }));
      if (!done) throw options.words.conversationGone();
      return done.result;
    } finally {
      this.beginning.delete(conversationId);
    }
  }

  /** Continues an answer whose calls were decided: runs those in `allowed` and sends the next request once all have results. */
  goOn(conversation: Conversation, answer: TranscriptAnswer, turnId: string, allowed: readonly number[]): void {
    this.engine.runs.start({ conversation, answerId: answer.id, turnId, model: answer.model, allowed });
  }

  private async write(
    conversation: Conversation,
    { turnId, records, continues }: Beginning,
    model: string,
  ): Promise<string> {
    const { newId, now } = this.engine.options;
    const answerId = continues ?? newId();
    const at = now();
    const { profileId } = this.engine.options.models.state;
    const answer = { kind: 'answer', id: answerId, question: turnId, at, model, ...accountOf(profileId) } as const;
    const started = continues === undefined ? answer : ({ kind: 'continue', answer: answerId, at } as const);
    await this.record(conversation, [...records, started]);
    return answerId;
  }

  private async record(conversation: Conversation, records: readonly ConversationRecord[]): Promise<void> {
    await conversation.record(records, { durable: true }).catch((error: unknown) => {
      const { words } = this.engine.options;
      throw error instanceof HeldElsewhere
        ? words.openElsewhere(conversation.id, error.where)
        : words.notWritten(error);
    });
  }
}

/** Returns the account of an answer for its record. */
export function accountOf(account: string | undefined): { readonly account?: string } {
  return account === undefined ? {} : { account };
}

/** Returns the position of a question that follows the shown answer of `before`. */
export function parentOf(before: TranscriptTurn | undefined): {
  readonly parent: string | null;
  readonly after?: string;
} {
  const after = before && shownAnswer(before);
  return { parent: before?.id ?? null, ...(after && { after: after.id }) };
}
