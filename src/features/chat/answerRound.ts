import { tellsOfModel } from '../../core/api/errorKinds';
import { hasToolCalls } from '../../core/api/chat/adaptedWay';
import { isApiError, type ApiError } from '../../core/api/errors';
import { messageLimitIn } from '../../core/capabilities/learnedLimits';
import type { MessageParam } from '../../core/api/messages/messages.schema';
import type { GateWait } from '../../core/api/transport/gate';
import type { ContentBlock, ImageSource, Message, MessageEvent } from '../../core/api/messages/messageEvents';
import { answerEnd, cutCall, isFailure, wholeCall } from '../../core/editorChat/answerEnd';
import type { CallWatch } from '../../core/api/transport/transport';
import type { AnswerEnd } from '../../core/conversation/record';
import type { TranscriptBlock } from '../../core/conversation/transcript';
import type { CallUsage } from '../../core/usage/usageOf';
import type { AnswerWait } from '../../protocol/chat';
import type { WireError } from '../../protocol/wire';
import { modelsForJob } from '../../core/catalogue/jobs';
import { nearestIds } from '../../core/catalogue/nearestIds';
import { refusedParameter, type RequestParameters } from '../../core/conversation/chatParameters';
import { foreign } from '../../core/text/foreignText';
import type { AnswerRun } from './answerRun';
import { createAnswerRecorder, type AnswerBeginning } from './answerRecords';

/** A shorter wait is not worth showing. */
const shortestWaitMs = 1000;

type Hint = ApiError['details']['hint'];

/** Hints of rejections that are about the tools that were offered, and of those that are about neither tools nor the history. */
const ofTools: ReadonlySet<Hint> = new Set(['noTools', 'noToolParser']);
const ofOthers: ReadonlySet<Hint> = new Set(['noImages', 'noMemory', 'badCall', 'verification']);

/** The request for an answer, and the part of the answer that already exists. */
export interface AnswerStart {
  readonly messages: readonly MessageParam[];
  readonly parameters: RequestParameters;
  readonly beginning: AnswerBeginning;
}

/** One request for an answer; an answer that runs tools takes several. Sends nothing before `read`. */
export class AnswerRound {
  private readonly startedAt: number;
  private readonly buffer: DeltaBuffer;
  private usage: CallUsage | undefined;
  private firstToken: number | undefined;
  private held: AnswerWait | undefined;
  private exchangeId: string | undefined;
  private named: Pick<AnswerEnd, 'answeredBy' | 'responseId' | 'requestId' | 'traceId'> = {};
  private refusedLimit: number | undefined;

  constructor(
    private readonly run: AnswerRun,
    private readonly start: AnswerStart,
  ) {
    this.startedAt = run.engine.options.now();
    this.buffer = createDeltaBuffer(run, start.beginning);
  }

  get firstTokenMs(): number | undefined {
    return this.firstToken;
  }

  get wait(): AnswerWait | undefined {
    return this.held;
  }

  /** The most messages of a request, if the service refused this one for having more. */
  get messageLimit(): number | undefined {
    return this.refusedLimit;
  }

  /** Sends the request, records the response and returns how it ended. Only the caller knows if it ended the request itself. */
  async read(signal: AbortSignal): Promise<AnswerEnd> {
    const end = await this.readToEnd(signal);
    const { now, currency } = this.run.engine.options;
    const totalMs = now() - this.startedAt;
    const paidIn = this.usage?.cost === undefined ? undefined : currency();
    return {
      ...end,
      ...this.usage,
      ...(paidIn !== undefined && { currency: paidIn }),
      totalMs,
      ...(this.firstToken === undefined ? {} : { firstTokenMs: this.firstToken }),
      ...(this.exchangeId === undefined ? {} : { exchangeId: this.exchangeId }),
      ...this.named,
    };
  }

  /** A first answer that failed may fail because of what the model or its server can't do. */
  private offeringCheck(error: WireError): WireError {
    const { engine, sending } = this.run;
    if (!this.start.messages.every(({ role }) => role === 'user')) return error;
    return { ...error, actions: [...error.actions, engine.options.words.checkModel(sending.model)] };
  }

  private async readToEnd(signal: AbortSignal): Promise<AnswerEnd> {
    try {
      const message = await this.readStream(signal);
      await this.buffer.flush();
      return this.endOf(message);
    } catch (error) {
      await this.buffer.flush();
      if (signal.aborted) return { state: 'stopped' };
      const described = this.describe(error);
      return { state: 'failed', error: tellsOfModel(error) ? this.offeringCheck(described) : described };
    }
  }

  private async readStream(signal: AbortSignal): Promise<Message | undefined> {
    const { model } = this.run.sending;
    const { messages, parameters } = this.start;
    const { engine, account } = this.run;
    const { chat } = await engine.options.client((usage) => (this.usage = usage), account);
    let message: Message | undefined;
    for await (const event of chat.stream({ model, messages, ...parameters, watch: this.watch }, signal)) {
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
      onAnswer: ({ requestId, traceId }) => this.note({ requestId, traceId }),
    };
  }

  private onWait(wait: GateWait): void {
    const { now, words } = this.run.engine.options;
    if (wait.until - now() < shortestWaitMs) return;
    this.held = { title: words.waiting(wait), until: wait.until };
    this.run.notify();
  }

  /** Notes what the service says about its response. It may say anything, so only what can be shown is kept. */
  private note(named: { readonly [Name in keyof AnswerRound['named']]: string | undefined }): void {
    const shown = Object.entries(named).flatMap(([name, text = '']) =>
      text === '' ? [] : [[name, foreign(text, 200)]],
    );
    this.named = { ...this.named, ...Object.fromEntries(shown) };
  }

  private onEvent(event: MessageEvent): void {
    this.held = undefined;
    if (event.type === 'start') {
      const { id, model } = event;
      this.note({ responseId: id, answeredBy: model === this.run.sending.model ? undefined : model });
    }
    if (event.type !== 'start' && event.type !== 'end') {
      this.firstToken ??= this.run.engine.options.now() - this.startedAt;
    }
    this.buffer.add(event);
    if (event.type === 'blockStop' && event.block.type === 'image') this.save(event.block.source);
  }

  /** Saves an image beside the images that were generated. The answer does not wait for it. */
  private save(source: ImageSource): void {
    const { engine, sending } = this.run;
    if (source.type !== 'base64') return;
    const prompt = sending.conversation.transcript.turn(sending.turnId)?.question ?? '';
    const image = { bytes: Buffer.from(source.data, 'base64'), model: sending.model, prompt };
    engine.options.saveImage(image).catch(engine.options.onTrouble);
  }

  private endOf(message: Message | undefined): AnswerEnd {
    const { stop_reason: stopReason, stop_sequence: stopSequence, citations, unreadCall } = message ?? {};
    const facts = {
      ...(stopReason === undefined ? {} : { stopReason }),
      ...(stopSequence === undefined ? {} : { stopSequence }),
      ...(citations && { citations }),
      ...(unreadCall && { unreadCall }),
    };
    const error = this.lackOf({
      content: this.received(),
      ...(stopReason !== undefined && { stop_reason: stopReason }),
    });
    return error ? { ...facts, state: 'failed', error: this.offeringCheck(error) } : { ...facts, state: 'done' };
  }

  /** Returns what was recorded of this response. */
  private received(): readonly ContentBlock[] {
    const { sending } = this.run;
    const { prefill, blocks } = this.start.beginning;
    const answer = sending.conversation.transcript.answer(sending.answerId);
    return (answer?.blocks ?? []).slice(blocks.length).map((block, index) => {
      const text = index === 0 && blocks.length === 0 ? block.text.slice(prefill.length) : block.text;
      return asContent({ ...block, text });
    });
  }

  /** Returns what is missing in a response that ended, if anything is. */
  private lackOf(message: Pick<Message, 'content' | 'stop_reason'>): WireError | undefined {
    const { words } = this.run.engine.options;
    const { content, stop_reason: reason } = message;
    const cut = cutCall(message);
    const isLimit = reason === 'max_tokens';
    if (cut && !wholeCall(message)) return words.cutCall(cut.name, isLimit);
    if (isFailure(reason)) return words.endedWithError(reason ?? '');
    const end = answerEnd(message);
    // A text that is continued may already be complete. What is of no known kind may be the answer.
    const isEnough = this.start.beginning.unfinished >= 0 || content.some(({ type }) => type === 'unknown');
    if (end === 'answered' || end === 'refused' || isEnough) return undefined;
    const hasThought = content.some(({ type }) => type === 'thinking');
    if (hasThought) return words.thoughtOnly(isLimit);
    // An overloaded service ends a response without any content.
    return words.emptyAnswer();
  }

  /** Describes why no answer came, with the chat's own actions: send without a parameter, new conversation, another model. */
  private describe(error: unknown): WireError {
    const { describe, models, words, advisedMessages } = this.run.engine.options;
    if (!isApiError(error)) return describe(error);
    const { messages, parameters, beginning } = this.start;
    if (error.kind === 'badRequest') {
      const refusal = { parameter: error.details.parameter, message: error.message };
      this.refusedLimit = messageLimitIn(refusal, messages);
      const isAboutTools = parameters.tools !== undefined && ofTools.has(error.details.hint);
      const refused = isAboutTools
        ? ('tools' as const)
        : refusedParameter(refusal, { ...parameters, prefill: beginning.prefill });
      const worded = describe(error);
      if (refused !== undefined) return { ...worded, actions: [words.withoutParameter(refused), ...worded.actions] };
      const limit = this.refusedLimit ?? advisedMessages();
      if (limit !== undefined && messages.length > limit) return words.tooManyMessages(messages.length, limit, worded);
      // The service may reject the calls in the history, in words that tell nobody so.
      if (hasToolCalls(messages) && !ofOthers.has(error.details.hint))
        return { ...worded, actions: [words.withoutCalls(), ...worded.actions] };
    }
    if (error.kind !== 'unknownModel') return describe(error);
    const offered = modelsForJob('chat', models.state.models).map(({ id }) => id);
    // The list still contains the model, or lacks its successor.
    void models.refresh();
    return describe(error, { nearestModels: nearestIds(this.run.sending.model, offered) });
  }
}

function asContent({ type, text, name = '', whole }: TranscriptBlock): ContentBlock {
  if (whole) return whole;
  if (type === 'thinking') return { type, thinking: text };
  if (type === 'tool_use') return { type, id: '', name, input: text };
  return type === 'text' ? { type, text } : { type: 'unknown', raw: {} };
}

interface DeltaBuffer {
  add(event: MessageEvent): void;
  /** Resolves once everything added before is written and shown. Never rejects. */
  flush(): Promise<void>;
}

/**
 * Collects the deltas of an answer, records them, and only then notifies the run, which may show them. The first delta does not
 * wait.
 */
function createDeltaBuffer(run: AnswerRun, beginning: AnswerBeginning): DeltaBuffer {
  const { conversation, answerId } = run.sending;
  const { gatherMs, now } = run.engine.options;
  const recorder = createAnswerRecorder(answerId, beginning);
  let timer: NodeJS.Timeout | undefined;
  let lastFlush = Number.NEGATIVE_INFINITY;
  let writing: Promise<void> = Promise.resolve();

  const writeNow = async () => {
    const records = recorder.take();
    if (records.length === 0) return;
    await conversation.record(records);
    run.notify();
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
