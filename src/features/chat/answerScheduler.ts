import { type ParameterName, refusedParameter } from '../../core/conversation/chatParameters';
import type { Conversation } from '../../core/conversation/conversationFolder';
import { HeldElsewhere } from '../../core/storage/leases';
import type { ConversationRecord } from '../../core/conversation/record';
import type { TranscriptAnswer } from '../../core/conversation/transcript';
import type { AnswerRuns } from './answerRuns';
import { toAnswerStart, type AnswerStart } from './answerStart';
import type { ChatEngineOptions } from './chatEngineOptions';
import { messageLimit } from './contextCompaction';
import type { ConversationPool } from './conversationPool';
import type { TranscriptCallViews } from './tools/callViews';
import type { ToolAccess } from './tools/toolAccess';
import { isApiError } from '../../core/api/errors';
import { modelsForJob } from '../../core/catalogue/jobs';
import { nearestIds } from '../../core/catalogue/nearestIds';
import { documentedMessageLimit } from '../../core/conversation/requestMessages';
import type { WireError } from '../../protocol/wire';

export interface AnswerSchedulerOptions extends ChatEngineOptions {
  readonly access: ToolAccess;
  readonly callViews: TranscriptCallViews;
  readonly pool: ConversationPool;
  readonly runs: AnswerRuns;
}

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

/**
 * Not sent to models that answer side by side: each tool call would need a separate decision, and one model's calls may change
 * what the others find.
 */
const notSentTogether: readonly ParameterName[] = ['tools', 'tool_choice'];

/** Starts answers, one question at a time per conversation. */
export class AnswerScheduler {
  /** The conversations in which a question is being recorded. */
  private readonly beginning = new Set<string>();

  constructor(private readonly options: AnswerSchedulerOptions) {}

  /** Whether a question is being recorded or an answer is running in the conversation. */
  isBusy(conversationId: string): boolean {
    return this.beginning.has(conversationId) || this.options.runs.isAnswering(conversationId);
  }

  /** Records what `prepare` returns, then sends the request. Throws, without sending anything, if it cannot be recorded. */
  async begin(
    conversationId: string,
    model: string,
    prepare: (conversation: Conversation) => Beginning,
  ): Promise<{ readonly conversation: Conversation; readonly turnId: string }> {
    const { words, lastModel } = this.options;
    if (this.isBusy(conversationId)) throw words.stillAnswering();
    if (model === '') throw words.noModel();
    return this.alone(conversationId, async (conversation) => {
      await lastModel.set(model);
      const beginning = prepare(conversation);
      const answerId = await this.write(conversation, beginning, model);
      this.send({ conversation, answerId, turnId: beginning.turnId, model });
      return { conversation, turnId: beginning.turnId };
    });
  }

  /** Records what `prepare` returns, including the answers, then sends a request for each of them. */
  async beginTogether(
    conversationId: string,
    { turnId, models, beside }: Together,
    prepare: (answers: readonly StartedAnswer[]) => readonly ConversationRecord[],
  ): Promise<void> {
    const { words, parameters, newId } = this.options;
    if (beside ? this.beginning.has(conversationId) : this.isBusy(conversationId)) throw words.stillAnswering();
    await this.alone(conversationId, async (conversation) => {
      const set = Object.keys(conversation.transcript.parameters);
      const answers = await Promise.all(
        models.map(async (model) => {
          const notTaken = await parameters.notTaken(model);
          const leftOut = notTaken.filter((name) => set.includes(name) && !notSentTogether.includes(name));
          return { answerId: newId(), model, leftOut };
        }),
      );
      await this.record(conversation, prepare(answers));
      for (const answer of answers) this.send({ conversation, turnId, ...answer, withoutTools: true });
    });
  }

  /** Runs `work` while nothing else can begin in the conversation. */
  private async alone<Result>(
    conversationId: string,
    work: (conversation: Conversation) => Promise<Result>,
  ): Promise<Result> {
    const { words, pool } = this.options;
    this.beginning.add(conversationId);
    try {
      const done = await pool.use(conversationId, async (conversation) => ({ result: await work(conversation) }));
      if (!done) throw words.conversationGone();
      return done.result;
    } finally {
      this.beginning.delete(conversationId);
    }
  }

  /** Continues an answer whose calls were decided: runs those in `allowed` and sends the next request once all have results. */
  goOn(conversation: Conversation, answer: TranscriptAnswer, turnId: string, allowed: readonly number[]): void {
    this.send({ conversation, answerId: answer.id, turnId, model: answer.model, allowed });
  }

  private async write(
    conversation: Conversation,
    { turnId, records, continues }: Beginning,
    model: string,
  ): Promise<string> {
    const { newId, now } = this.options;
    const answerId = continues ?? newId();
    const at = now();
    const answer = { kind: 'answer', id: answerId, question: turnId, at, model } as const;
    const started = continues === undefined ? answer : ({ kind: 'continue', answer: answerId, at } as const);
    await this.record(conversation, [...records, started]);
    return answerId;
  }

  private async record(conversation: Conversation, records: readonly ConversationRecord[]): Promise<void> {
    await conversation.record(records, { durable: true }).catch((error: unknown) => {
      const { words } = this.options;
      throw error instanceof HeldElsewhere
        ? words.openElsewhere(conversation.id, error.where)
        : words.notWritten(error);
    });
  }

  private send({ conversation, answerId, turnId, model, allowed, withoutTools = false }: Sending): void {
    const { client, words, onTrouble, now, gatherMs, runs, tools, maxToolRounds, parameters } = this.options;
    const { transcript } = conversation;
    runs.start({
      start: async () =>
        toAnswerStart({
          transcript,
          answerId,
          notTaken: [...(await parameters.notTaken(model)), ...(withoutTools ? notSentTogether : [])],
          editorTools: tools.list(),
          limit: messageLimit(this.options.messageLimit()),
        }),
      conversation,
      answerId,
      turnId,
      model,
      client,
      describe: (error, start) => describeFailure(error, start && { ...start, model }, this.options),
      emptyAnswer: words.emptyAnswer,
      waiting: words.waiting,
      onTrouble,
      now,
      gatherMs,
      access: this.options.access,
      maxToolRounds,
      callViews: (answer, running) => this.options.callViews(transcript, answer, running),
      ...(allowed === undefined ? {} : { allowed }),
    });
  }
}

interface Sending {
  readonly conversation: Conversation;
  readonly answerId: string;
  readonly turnId: string;
  readonly model: string;
  /** The blocks of the calls to run before anything is sent. */
  readonly allowed?: readonly number[];
  readonly withoutTools?: boolean;
}

/** Describes why no answer came, with the chat's own actions: send without a parameter, new conversation, another model. */
function describeFailure(
  error: unknown,
  start: (AnswerStart & { readonly model: string }) | undefined,
  { describe, models, words }: ChatEngineOptions,
): WireError {
  if (!isApiError(error) || !start) return describe(error);
  const { model, messages, parameters, beginning } = start;
  if (error.kind === 'badRequest') {
    const refusal = { parameter: error.details.parameter, message: error.message };
    const refused = refusedParameter(refusal, { ...parameters, prefill: beginning.prefill });
    const worded = describe(error);
    if (refused !== undefined) return { ...worded, actions: [words.withoutParameter(refused), ...worded.actions] };
    if (messages.length > documentedMessageLimit) return words.tooManyMessages(messages.length, worded);
  }
  if (error.kind !== 'unknownModel') return describe(error);
  const offered = modelsForJob('chat', models.state.models).map(({ id }) => id);
  // The list still contains the model, or lacks its successor.
  void models.refresh();
  return describe(error, { nearestModels: nearestIds(model, offered) });
}
