import type { ParameterName } from '../../../core/conversation/chatParameters';
import type { Conversation } from '../../../core/conversation/conversationFolder';
import type { AnswerEnd, ConversationRecord } from '../../../core/conversation/record';
import { lastCalls } from '../../../core/conversation/toolRounds';
import {
  shownAnswer,
  type Transcript,
  type TranscriptAnswer,
  type TranscriptTurn,
} from '../../../core/conversation/transcript';
import { expectedRequest, type ExpectedCharge } from '../../../core/prices/paidWork';
import { HeldElsewhere } from '../../../core/storage/leases';
import type { Disposable } from '../../../platform/disposables';
import type { CallContext } from '../../../protocol/call';
import type { Answer, AnswerChunk, AnswerWait, Turn } from '../../../protocol/chat';
import { lackingModels } from '../../../services/models/lackingModels';
import { prepareRequest, toolParameters, type AnswerRequest, type AnswerTask } from './answerRequest';
import type { ChatServices } from './chatServices';
import type { ConversationPool } from './conversationPool';
import { abandoned, ToolRunner, type CallingAnswer, type ToolAccess } from './toolAccess';
import { createAnswerFeed, toAnswer, toTurn, type AnswerFeed, type AnswerNow, type AnswerProgress } from './turnView';
import { conversationGone, notWritten, openElsewhere, stillAnswering } from './chatMessages';
import { modelNotOffered } from '../../../services/models/modelNotOffered';
import { UserError } from '../../../platform/errors/userError';
import * as l10n from '@vscode/l10n';

/** What to record before an answer begins. */
export interface Beginning {
  readonly turnId: string;
  readonly records: readonly ConversationRecord[];
  /** The answer to continue; without it, a new try begins. */
  readonly continues?: string;
}

/** One of several answers that begin together. */
export interface PlannedAnswer {
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
 * The answers of this window, whether or not a page shows them: starts them, one question at a time per conversation, and runs them. One
 * conversation may have several at once.
 */
export class Answers {
  /** By answer id. */
  private readonly running = new Map<string, RunningAnswer>();
  /** The conversations in which a question is being recorded. */
  private readonly beginning = new Set<string>();
  private readonly listeners = new Set<(conversationId: string) => void>();

  constructor(
    private readonly services: ChatServices,
    private readonly pool: ConversationPool,
    private readonly tools: ToolAccess,
  ) {}

  of(answerId: string): RunningAnswer | undefined {
    return this.running.get(answerId);
  }

  /** The running tries of this turn. */
  inTurn(turnId: string): readonly RunningAnswer[] {
    return [...this.running.values()].filter(({ task }) => task.turnId === turnId);
  }

  /** Resolves once no try of this turn is running. */
  whenOver(turnId: string): Promise<void> {
    return new Promise((resolve) => {
      const check = () => {
        if (this.inTurn(turnId).length > 0) return;
        listening.dispose();
        resolve();
      };
      const listening = this.onDidChange(check);
      check();
    });
  }

  isAnswering(conversationId: string): boolean {
    return this.inConversation(conversationId).length > 0;
  }

  /** Whether a question is being recorded or an answer is running in the conversation. */
  isBusy(conversationId: string): boolean {
    return this.beginning.has(conversationId) || this.isAnswering(conversationId);
  }

  /** Calls the listener with the id of the conversation in which an answer began or ended. */
  onDidChange(listener: (conversationId: string) => void): Disposable {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  }

  /** Returns a turn of the conversation for the page, in its current state. */
  describe({ transcript }: Conversation, turn: TranscriptTurn): Turn {
    return toTurn(turn, transcript.siblings(turn.id), (answer) => this.now(transcript, answer));
  }

  /** Returns an answer of the conversation for the page, in its current state. */
  describeAnswer({ transcript }: Conversation, answer: TranscriptAnswer): Answer {
    return toAnswer(this.now(transcript, answer));
  }

  /**
   * Throws a localized error if the active account does not offer one of the models. `isBound`: what would be sent can go to no other
   * model.
   */
  async requireModels(models: readonly string[], isBound: boolean): Promise<void> {
    const { models: known, window, account } = this.services;
    const lacking = await lackingModels(known.catalogue, models);
    if (lacking.length > 0) throw modelNotOffered(lacking, account.name(), isBound, window.locale);
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
    if (this.isBusy(conversationId)) throw stillAnswering();
    if (model === '') {
      throw new UserError(l10n.t('No model chosen'), l10n.t('Choose a model below the chat input.'), [
        { id: 'refreshModels', label: l10n.t('Refresh Models') },
      ]);
    }
    return this.alone(conversationId, async (conversation) => {
      await this.requireModels([model], false);
      await this.services.models.last.set(model);
      const beginning = prepare(conversation);
      const answerId = await this.write(conversation, beginning, model);
      this.start({ conversation, answerId, turnId: beginning.turnId, model });
      return { conversation, turnId: beginning.turnId };
    });
  }

  /** Like `begin` for several models; `prepare` returns their answers too. */
  async beginTogether(
    conversationId: string,
    { turnId, models, beside }: Together,
    prepare: (answers: readonly PlannedAnswer[]) => readonly ConversationRecord[],
  ): Promise<void> {
    const { parameters, clock } = this.services;
    if (beside ? this.beginning.has(conversationId) : this.isBusy(conversationId)) throw stillAnswering();
    await this.alone(conversationId, async (conversation) => {
      await this.requireModels(models, beside);
      const set = Object.keys(conversation.transcript.parameters);
      const answers = await Promise.all(
        models.map(async (model) => {
          const notTaken = await parameters.notTaken(model);
          const leftOut = notTaken.filter((name) => set.includes(name) && !toolParameters.includes(name));
          return { answerId: clock.newId(), model, leftOut };
        }),
      );
      await this.record(conversation, prepare(answers));
      for (const { answerId, model } of answers) this.start({ conversation, turnId, answerId, model, together: true });
    });
  }

  /** Continues an answer whose calls were decided: runs those in `allowed` and sends the next request once all have results. */
  continueCalls(
    conversation: Conversation,
    { id: answerId, model }: TranscriptAnswer,
    turnId: string,
    allowed: readonly number[],
  ): void {
    this.start({ conversation, answerId, turnId, model }, allowed);
  }

  /** Stops all answers in a conversation. Resolves once their last records are written. */
  stopIn(conversationId: string): Promise<void> {
    return stopAll(this.inConversation(conversationId));
  }

  /** Leaves running answers without an end, so that they show as interrupted when seen again. Resolves once everything is written. */
  async dispose(): Promise<void> {
    const all = [...this.running.values()];
    for (const running of all) running.abandon();
    await Promise.all(all.map(({ finished }) => finished));
  }

  /** Sends the request of a recorded answer. Its conversation stays open until the answer has ended. */
  private start(sending: Omit<AnswerTask, 'account'>, allowed?: readonly number[]): void {
    const { activity, window, models } = this.services;
    const { answerId, conversation, model } = sending;
    const account = models.catalogue.state.profileId;
    const running = new RunningAnswer(this.services, this.tools, { ...sending, account }, allowed);
    this.running.set(answerId, running);
    const work = activity.start(l10n.t('Answering'), {
      kind: 'chat',
      paid: true,
      subject: [conversation.transcript.title, model].filter((text) => text !== '').join(' · '),
      profileId: account,
      stop: () => running.stop(),
      expected: () => running.expected,
    });
    void running.finished.then(() => {
      work.dispose();
      this.running.delete(answerId);
      if (conversation.transcript.answer(answerId)?.end?.state === 'done') window.onAnswer();
      this.notify(conversation.id);
    });
    void this.pool.use(conversation.id, () => running.finished).catch(window.onError);
    this.notify(conversation.id);
  }

  /** Runs `work` while nothing else can begin in the conversation. */
  private async alone<Result>(
    conversationId: string,
    work: (conversation: Conversation) => Promise<Result>,
  ): Promise<Result> {
    this.beginning.add(conversationId);
    try {
      const done = await this.pool.use(conversationId, async (conversation) => ({ result: await work(conversation) }));
      if (!done) throw conversationGone();
      return done.result;
    } finally {
      this.beginning.delete(conversationId);
    }
  }

  private async write(
    conversation: Conversation,
    { turnId, records, continues }: Beginning,
    model: string,
  ): Promise<string> {
    const { clock, models } = this.services;
    const answerId = continues ?? clock.newId();
    const at = clock.now();
    const { profileId } = models.catalogue.state;
    const answer = { kind: 'answer', id: answerId, question: turnId, at, model, ...accountOf(profileId) } as const;
    const started = continues === undefined ? answer : ({ kind: 'continue', answer: answerId, at } as const);
    await this.record(conversation, [...records, started]);
    return answerId;
  }

  private async record(conversation: Conversation, records: readonly ConversationRecord[]): Promise<void> {
    await conversation.record(records, { durable: true }).catch((error: unknown) => {
      throw error instanceof HeldElsewhere ? openElsewhere(conversation.id, error.where) : notWritten(error);
    });
  }

  private now(transcript: Transcript, answer: TranscriptAnswer): AnswerNow {
    const progress = this.running.get(answer.id);
    return { answer, progress, calls: this.tools.views(transcript, answer, progress) };
  }

  private inConversation(conversationId: string): readonly RunningAnswer[] {
    return [...this.running.values()].filter(({ task }) => task.conversation.id === conversationId);
  }

  private notify(conversationId: string): void {
    for (const listener of this.listeners) listener(conversationId);
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

/** Stops these answers. Resolves once their last records are written. */
export async function stopAll(answers: readonly RunningAnswer[]): Promise<void> {
  for (const answer of answers) answer.stop();
  await Promise.all(answers.map(({ finished }) => finished));
}

/**
 * A running answer whose turn and try are already recorded. Sends the request at once, runs the tools that may run, sends their
 * results, and so on until the answer ends or needs the user, whether or not any page follows it.
 */
class RunningAnswer implements AnswerProgress, CallingAnswer {
  /** Resolves once the last record is written. Never rejects. */
  readonly finished: Promise<void>;
  private readonly abort = new AbortController();
  private readonly feeds = new Set<AnswerFeed>();
  private readonly runner: ToolRunner;
  private isFinished = false;
  private request: AnswerRequest | undefined;
  /** Number of consecutive requests since the last user input. */
  private alone = 0;

  /** `allowed`: the blocks of the tool calls the user allowed; these run before anything is sent. If absent, a request is sent at once. */
  constructor(
    private readonly services: ChatServices,
    private readonly tools: ToolAccess,
    readonly task: AnswerTask,
    allowed: readonly number[] | undefined,
  ) {
    this.runner = new ToolRunner(tools, this);
    this.finished = this.run(allowed)
      .catch(services.window.onError)
      .then(() => {
        this.isFinished = true;
        this.onChange();
      });
  }

  get firstTokenMs(): number | undefined {
    return this.request?.firstTokenMs;
  }

  get wait(): AnswerWait | undefined {
    return this.request?.wait;
  }

  get runningCalls(): ReadonlySet<number> {
    return this.runner.running;
  }

  /** What will be charged for the request in progress. */
  get expected(): readonly ExpectedCharge[] {
    return this.request ? [expectedRequest(this.request.sent)] : [];
  }

  get isAtTools(): boolean {
    return !this.isFinished && this.request === undefined;
  }

  now(): number {
    return this.services.clock.now();
  }

  /**
   * To be called when the user decided about a call while others are running; `allowed` is the block of a call to run as well.
   * Returns false if it is too late because no call is running any more.
   */
  noteDecision(allowed?: number): boolean {
    if (this.runner.running.size === 0) return false;
    this.alone = 0;
    if (allowed !== undefined) this.runner.allow(allowed);
    return true;
  }

  /** Aborts the request and the tools; what has arrived is stored as a stopped answer. */
  stop(): void {
    this.abort.abort();
  }

  /** Aborts the request and leaves the answer without an end, as if the editor had closed. */
  abandon(): void {
    this.abort.abort(abandoned);
  }

  /** Emits what the page does not have yet, then every change. Resolves at the end, or when `signal` aborts. */
  async follow(have: readonly number[], { signal, emit }: CallContext<AnswerChunk>): Promise<Answer> {
    const feed = createAnswerFeed(have, emit);
    let leave = () => {};
    const left = new Promise<void>((resolve) => (leave = resolve));
    this.feeds.add(feed);
    signal.addEventListener('abort', leave, { once: true });
    try {
      feed.catchUp(this.current);
      if (!signal.aborted) await Promise.race([this.finished, left]);
      return toAnswer(this.current);
    } finally {
      this.feeds.delete(feed);
      signal.removeEventListener('abort', leave);
    }
  }

  /** To be called when the answer or one of its calls changed, with the records that were added. */
  readonly onChange = (records: readonly ConversationRecord[] = []): void => {
    if (this.feeds.size === 0) return;
    const { current } = this;
    for (const feed of this.feeds) feed.update(current, records);
  };

  private get current(): AnswerNow {
    const { answer } = this;
    const progress = this.isFinished ? undefined : this;
    return { answer, progress, calls: this.tools.views(this.task.conversation.transcript, answer, progress) };
  }

  private get answer(): TranscriptAnswer {
    const { conversation, answerId } = this.task;
    const answer = conversation.transcript.answer(answerId);
    if (!answer) throw new Error('An answer was started that is not in its conversation.');
    return answer;
  }

  private async run(allowed: readonly number[] | undefined): Promise<void> {
    for (const block of allowed ?? []) this.runner.allow(block);
    let continues = allowed === undefined || (await this.runTools());
    while (continues) {
      const end = await this.send();
      continues = end?.state === 'done' && (await this.runTools());
    }
  }

  /** Resolves with whether all calls have results and the next request is recorded. */
  private async runTools(): Promise<boolean> {
    const { conversation, answerId } = this.task;
    if (lastCalls(this.answer).length === 0 || !(await this.runner.work(this.abort.signal))) return false;
    const max = this.services.tools.maxRounds;
    if (max > 0 && this.alone >= max) {
      await conversation.record([{ kind: 'toolLimit', answer: answerId, at: this.now(), rounds: this.alone }]);
      return false;
    }
    this.alone += 1;
    const records = [{ kind: 'continue', answer: answerId, at: this.now() }] as const;
    await conversation.record(records, { durable: true }).catch((error: unknown) => {
      if (error instanceof HeldElsewhere) throw error;
      // A disk that refuses the write does not end the answer.
      return conversation.record(records);
    });
    return true;
  }

  /** Resolves with how the request ended; `undefined` if it was abandoned. */
  private async send(): Promise<AnswerEnd | undefined> {
    const { conversation, answerId } = this.task;
    const { signal } = this.abort;
    const end = await this.receive(signal);
    if (signal.reason === abandoned) return undefined;
    await conversation.record([{ kind: 'end', answer: answerId, at: this.now(), end }]);
    this.request = undefined;
    return end;
  }

  /** A request that was refused for having too many messages is sent once more with fewer, if that limit was not known before. */
  private async receive(signal: AbortSignal): Promise<AnswerEnd> {
    const { account, window } = this.services;
    const prepare = async () => (this.request = await prepareRequest(this.services, this.task, this.onChange));
    try {
      const request = await prepare();
      const end = await request.read(signal);
      const { messageLimit } = request;
      if (messageLimit === undefined || signal.aborted) return end;
      if (!(await account.learnMessageLimit(messageLimit))) return end;
      return await (await prepare()).read(signal);
    } catch (error) {
      return { state: 'failed', error: window.describe(error) };
    }
  }
}
