import type { Client } from '../../core/api/client';
import type { GateWait } from '../../core/api/transport/gate';
import type { Message, MessageEvent } from '../../core/api/messages/messageEvents';
import type { CallWatch } from '../../core/api/transport/transport';
import type { AnswerEnd } from '../../core/conversation/record';
import type { TranscriptAnswer } from '../../core/conversation/transcript';
import type { CallUsage } from '../../core/usage/usageOf';
import type { AnswerWait } from '../../protocol/chat';
import type { WireError } from '../../protocol/wire';
import type { AnswerStart } from './answerStart';
import type { Conversation } from '../../core/conversation/conversationFolder';
import { createAnswerRecorder, type AnswerBeginning } from './answerRecords';

/** A shorter wait is not worth showing. */
const shortestWaitMs = 1000;

export interface AnswerRoundOptions extends Omit<DeltaBufferOptions, 'beginning'> {
  readonly model: string;
  /** Resolves to a metered client; `onUsage` receives what the request used once it is over, if it used anything. */
  readonly client: (
    onUsage: (usage: CallUsage) => void,
  ) => Promise<{ readonly messages: Pick<Client['messages'], 'stream'> }>;
  /** Describes why the response ended with an error. Without a start, nothing was sent. */
  readonly describe: (error: unknown, start: AnswerStart | undefined) => WireError;
  /** The error for a response that ended without any text. */
  readonly emptyAnswer: () => WireError;
  /** A localized reason for a delay. */
  readonly waiting: (wait: GateWait) => string;
}

/** One request for an answer; an answer that runs tools takes several. Sends nothing before `read`. */
export class AnswerRound {
  private readonly startedAt: number;
  private readonly buffer: DeltaBuffer;
  private usage: CallUsage | undefined;
  /** The number of leading characters that do not count as an answer. */
  private readonly had: number;
  private firstToken: number | undefined;
  private held: AnswerWait | undefined;
  private exchangeId: string | undefined;

  constructor(
    private readonly options: AnswerRoundOptions,
    private readonly start: AnswerStart,
    private readonly onChange: () => void,
  ) {
    this.startedAt = options.now();
    const { prefill, blocks, unfinished } = start.beginning;
    // An unfinished text may already be complete when it is continued; after tool results, more text is expected.
    this.had = unfinished >= 0 ? 0 : blocks.reduce((sum, { length }) => sum + length, prefill.length);
    this.buffer = createDeltaBuffer({ ...options, beginning: start.beginning }, onChange);
  }

  get firstTokenMs(): number | undefined {
    return this.firstToken;
  }

  get wait(): AnswerWait | undefined {
    return this.held;
  }

  /** Sends the request, records the response and returns how it ended. Only the caller knows if it ended the request itself. */
  async read(signal: AbortSignal): Promise<AnswerEnd> {
    const end = await this.readToEnd(signal);
    const totalMs = this.options.now() - this.startedAt;
    return {
      ...end,
      ...this.usage,
      totalMs,
      ...(this.firstToken === undefined ? {} : { firstTokenMs: this.firstToken }),
      ...(this.exchangeId === undefined ? {} : { exchangeId: this.exchangeId }),
    };
  }

  private async readToEnd(signal: AbortSignal): Promise<AnswerEnd> {
    try {
      const message = await this.readStream(signal);
      await this.buffer.flush();
      return this.endOf(message);
    } catch (error) {
      await this.buffer.flush();
      return signal.aborted
        ? { state: 'stopped' }
        : { state: 'failed', error: this.options.describe(error, this.start) };
    }
  }

  private async readStream(signal: AbortSignal): Promise<Message | undefined> {
    const { client, model } = this.options;
    const { messages, parameters } = this.start;
    const noun = (await client((usage) => (this.usage = usage))).messages;
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
    this.onChange();
  }

  private onEvent(event: MessageEvent): void {
    this.held = undefined;
    if (event.type !== 'start' && event.type !== 'end') this.firstToken ??= this.options.now() - this.startedAt;
    this.buffer.add(event);
  }

  private endOf(message: Message | undefined): AnswerEnd {
    const { conversation, answerId, emptyAnswer } = this.options;
    const { stop_reason: stopReason, stop_sequence: stopSequence } = message ?? {};
    const facts = {
      ...(stopReason === undefined ? {} : { stopReason }),
      ...(stopSequence === undefined ? {} : { stopSequence }),
    };
    // An overloaded service ends a response without any content. A refusal is allowed to have no text.
    const isEmpty = saidIn(conversation.transcript.answer(answerId)).slice(this.had).trim() === '';
    if (!isEmpty || stopReason === 'refusal') return { ...facts, state: 'done' };
    return { ...facts, state: 'failed', error: emptyAnswer() };
  }
}

function saidIn(answer: TranscriptAnswer | undefined): string {
  return answer?.blocks.map(({ text }) => text).join('') ?? '';
}

interface DeltaBufferOptions {
  readonly conversation: Conversation;
  readonly answerId: string;
  readonly beginning: AnswerBeginning;
  /** How long deltas are collected before they are written and shown. The first one does not wait. */
  readonly gatherMs: number;
  /** Unix milliseconds. */
  readonly now: () => number;
}

interface DeltaBuffer {
  add(event: MessageEvent): void;
  /** Resolves once everything added before is written and shown. Never rejects. */
  flush(): Promise<void>;
}

/** Collects the deltas of an answer, records them, and only then calls `onWritten`, which may show them. */
function createDeltaBuffer(options: DeltaBufferOptions, onWritten: () => void): DeltaBuffer {
  const { conversation, answerId, beginning, gatherMs, now } = options;
  const recorder = createAnswerRecorder(answerId, beginning);
  let timer: NodeJS.Timeout | undefined;
  let lastFlush = Number.NEGATIVE_INFINITY;
  let writing: Promise<void> = Promise.resolve();

  const writeNow = async () => {
    const records = recorder.take();
    if (records.length === 0) return;
    await conversation.record(records);
    onWritten();
  };
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    lastFlush = now();
    writing = writing.then(writeNow);
    return writing;
  };
  return {
    flush,
    add(event) {
      recorder.add(event);
      timer ??= setTimeout(() => void flush(), Math.max(0, gatherMs - (now() - lastFlush)));
    },
  };
}
