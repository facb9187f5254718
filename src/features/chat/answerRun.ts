import type { Client } from '../../core/api/client';
import type { GateWait } from '../../core/api/transport/gate';
import type { Message, MessageEvent } from '../../core/api/messages/messageEvents';
import type { MessageParam } from '../../core/api/messages/messages.schema';
import type { CallWatch } from '../../core/api/transport/transport';
import type { AnswerEnd } from '../../core/conversation/record';
import type { TranscriptAnswer } from '../../core/conversation/transcript';
import type { CallContext } from '../../protocol/call';
import type { Answer, AnswerChunk, AnswerWait } from '../../protocol/chat';
import type { WireError } from '../../protocol/wire';
import { createAnswerFollower } from './answerFollower';
import type { AnswerStart } from './answerStart';
import { createPieceGatherer } from './pieceGatherer';
import type { PieceGatherer, PieceGathererOptions } from './pieceGatherer';
import { toAnswer } from './toTurn';
import type { RunningAnswer } from './toTurn';

/** What passes sooner is not worth a note. */
const shortestWaitMs = 1000;

export interface AnswerRunOptions extends PieceGathererOptions {
  readonly turnId: string;
  readonly model: string;
  readonly messages: readonly MessageParam[];
  readonly parameters: AnswerStart['parameters'];
  readonly client: () => Promise<{ readonly messages: Pick<Client['messages'], 'stream'> }>;
  readonly describe: (error: unknown) => WireError;
  /** Told in place of an answer that ended without a word. */
  readonly emptyAnswer: () => WireError;
  /** What holds up an answer, in words. */
  readonly waiting: (wait: GateWait) => string;
}

/**
 * One answer that is coming, for a turn and a try that are recorded already. Sends the request at once, and goes on whether
 * or not anyone follows it.
 */
export class AnswerRun implements RunningAnswer {
  /** Resolves when the last record is written. Never rejects. */
  readonly finished: Promise<void>;
  private readonly abort = new AbortController();
  private readonly followers = new Set<() => void>();
  private readonly startedAt: number;
  private readonly gatherer: PieceGatherer;
  private endedBy: 'stop' | 'abandon' | undefined;
  private isFinished = false;
  private firstToken: number | undefined;
  private held: AnswerWait | undefined;
  private exchangeId: string | undefined;

  constructor(private readonly options: AnswerRunOptions) {
    this.startedAt = options.now();
    this.gatherer = createPieceGatherer(options, () => this.notify());
    this.finished = this.run();
  }

  get turnId(): string {
    return this.options.turnId;
  }

  get firstTokenMs(): number | undefined {
    return this.firstToken;
  }

  get wait(): AnswerWait | undefined {
    return this.held;
  }

  /** Ends the request; what came is kept as a stopped answer. */
  stop(): void {
    this.endedBy ??= 'stop';
    this.abort.abort();
  }

  /** Ends the request and leaves the answer without an end, as the end of the editor does. */
  abandon(): void {
    this.endedBy ??= 'abandon';
    this.abort.abort();
  }

  /** Tells what the page does not have yet, then what comes. Resolves at the end, or when `signal` aborts. */
  async follow(have: readonly number[], { signal, emit }: CallContext<AnswerChunk>): Promise<Answer> {
    const tell = createAnswerFollower(have, emit);
    const onNews = () => tell(this.answer, this);
    let leave = () => {};
    const left = new Promise<void>((resolve) => (leave = resolve));
    this.followers.add(onNews);
    signal.addEventListener('abort', leave, { once: true });
    try {
      onNews();
      if (!signal.aborted) await Promise.race([this.finished, left]);
      return toAnswer(this.answer, this.isFinished ? undefined : this);
    } finally {
      this.followers.delete(onNews);
      signal.removeEventListener('abort', leave);
    }
  }

  private get answer(): TranscriptAnswer {
    const { conversation, answerId } = this.options;
    const answer = conversation.transcript.answer(answerId);
    if (!answer) throw new Error('An answer was started that is not in its conversation.');
    return answer;
  }

  private async run(): Promise<void> {
    const end = await this.read();
    if (end) {
      const { conversation, answerId, now, onTrouble } = this.options;
      const totalMs = now() - this.startedAt;
      const times = this.firstToken === undefined ? { totalMs } : { totalMs, firstTokenMs: this.firstToken };
      const exchange = this.exchangeId === undefined ? {} : { exchangeId: this.exchangeId };
      const record = { kind: 'end', answer: answerId, at: now(), end: { ...end, ...times, ...exchange } } as const;
      await conversation.record([record]).catch(onTrouble);
    }
    this.isFinished = true;
    this.notify();
  }

  /** How it ended; `undefined` when it was abandoned. */
  private async read(): Promise<AnswerEnd | undefined> {
    try {
      const message = await this.readStream();
      await this.gatherer.flush();
      return endOf(message, this.answer, this.options);
    } catch (error) {
      await this.gatherer.flush();
      if (this.endedBy === 'abandon') return undefined;
      if (this.endedBy === 'stop') return { state: 'stopped' };
      return { state: 'failed', error: this.options.describe(error) };
    }
  }

  private async readStream(): Promise<Message | undefined> {
    const { client, model, messages, parameters } = this.options;
    const { signal } = this.abort;
    const noun = (await client()).messages;
    let message: Message | undefined;
    for await (const event of noun.stream({ model, messages, ...parameters, watch: this.watch }, signal)) {
      this.onEvent(event);
      if (event.type === 'end') ({ message } = event);
    }
    if (!message) signal.throwIfAborted();
    return message;
  }

  private get watch(): CallWatch {
    return {
      onStart: (exchangeId) => (this.exchangeId = exchangeId),
      onWait: (wait) => this.onWait(wait),
    };
  }

  private onWait(wait: GateWait): void {
    if (wait.until - this.options.now() < shortestWaitMs) return;
    this.held = { title: this.options.waiting(wait), until: wait.until };
    this.notify();
  }

  private onEvent(event: MessageEvent): void {
    this.held = undefined;
    if (event.type !== 'start' && event.type !== 'end') this.firstToken ??= this.options.now() - this.startedAt;
    this.gatherer.add(event);
  }

  private notify(): void {
    for (const follower of this.followers) follower();
  }
}

function endOf(message: Message | undefined, answer: TranscriptAnswer, options: AnswerRunOptions): AnswerEnd {
  const { stop_reason: stopReason, stop_sequence: stopSequence, usage } = message ?? {};
  const facts = {
    ...(stopReason === undefined ? {} : { stopReason }),
    ...(stopSequence === undefined ? {} : { stopSequence }),
    ...(usage?.input_tokens === undefined ? {} : { inputTokens: usage.input_tokens }),
    ...(usage?.output_tokens === undefined ? {} : { outputTokens: usage.output_tokens }),
  };
  // An end after nothing is what an overloaded service does; a refusal says why it has no words.
  const said = answer.blocks.map(({ text }) => text).join('');
  const isEmpty = said.slice(answer.prefill?.length ?? 0).trim() === '' && stopReason !== 'refusal';
  return isEmpty ? { ...facts, state: 'failed', error: options.emptyAnswer() } : { ...facts, state: 'done' };
}
