import { tellsOfModel } from '../../../core/api/errorKinds';
import { hasToolCalls, toolCallsAsText } from '../../../core/api/chat/adaptedWay';
import { isApiError, type ApiError } from '../../../core/api/errors';
import { messageLimitIn } from '../../../core/capabilities/learnedLimits';
import type { MessageParam } from '../../../core/api/messages/messages.schema';
import type { GateWait } from '../../../core/api/transport/gate';
import type { ContentBlock, ImageSource, Message, MessageEvent } from '../../../core/api/messages/messageEvents';
import { answerEnd, cutCall, isFailure, wholeCall, type ReceivedMessage } from '../../../core/editorChat/answerEnd';
import type { CallWatch } from '../../../core/api/transport/transport';
import type { Conversation } from '../../../core/conversation/conversationFolder';
import { smallestMessageLimit } from '../../../core/conversation/compaction';
import type { AnswerEnd, ConversationRecord, AnswerNames } from '../../../core/conversation/record';
import { compactTurns, goingOnFrom, unfinishedBlock, unfinishedText } from '../../../core/conversation/requestMessages';
import type { TranscriptBlock } from '../../../core/conversation/transcript';
import type { CallUsage } from '../../../core/usage/usageOf';
import type { AnswerWait } from '../../../protocol/chat';
import type { WireError } from '../../../protocol/wire';
import { modelsForJob } from '../../../core/catalogue/jobs';
import { nearestIds } from '../../../core/catalogue/nearestIds';
import {
  refusedParameter,
  requestParameters,
  requestPrefill,
  type ParameterName,
  type RequestParameters,
} from '../../../core/conversation/chatParameters';
import { foreign } from '../../../core/text/foreignText';
import { createAnswerBuffer, type AnswerBeginning, type AnswerBuffer } from './answerBuffer';
import type { ChatAccount, ChatServices } from './chatServices';
import {
  callCutOff,
  continueWithoutCalls,
  emptyAnswer,
  endedWithError,
  thoughtOnly,
  tooManyMessages,
  withoutParameter,
} from './chatMessages';
import { step } from '../../../platform/errors/errorActions';
import { waitTitle } from '../../../platform/errors/rateLimitMessages';

/** A shorter wait is not worth showing. */
const shortestWaitMs = 1000;

type Hint = ApiError['details']['hint'];

/** Hints of rejections that are about the tools that were offered, and of those that are about neither tools nor the history. */
const ofTools: ReadonlySet<Hint> = new Set(['noTools', 'noToolParser']);
const ofOthers: ReadonlySet<Hint> = new Set(['noImages', 'noMemory', 'badCall', 'verification']);

/** A recorded answer whose request is to be sent. */
export interface AnswerTask {
  readonly conversation: Conversation;
  readonly answerId: string;
  readonly turnId: string;
  readonly model: string;
  /** The id of the account it goes on with, also when another becomes active meanwhile. */
  readonly account: string | undefined;
  /** Whether other models answer beside it. */
  readonly together?: boolean;
}

/** Called when records of the answer are written, or without any when something else about it changed. */
export type OnAnswerChange = (records: readonly ConversationRecord[]) => void;

/** The messages and parameters of a request, and the part of the answer that already exists. */
interface RequestContent {
  readonly messages: readonly MessageParam[];
  readonly parameters: RequestParameters;
  readonly beginning: AnswerBeginning;
}

/**
 * Not sent to models that get calls as text, nor to models that answer side by side: each tool call would need a separate decision, and one
 * model's calls may change what the others find.
 */
export const toolParameters: readonly ParameterName[] = ['tools', 'tool_choice'];

/** Returns the most messages in one request; `undefined` for no limit. */
export function mostMessages({ messageLimit }: ChatAccount): number | undefined {
  const set = messageLimit();
  return set === 0 ? undefined : Math.max(set, smallestMessageLimit);
}

/**
 * Prepares the next request of an answer from the current state. A new try begins with the prefill; one that already has text continues
 * from there, and one whose tools have results continues from those.
 */
export async function prepareRequest(
  services: ChatServices,
  task: AnswerTask,
  onChange: OnAnswerChange,
): Promise<AnswerRequest> {
  return new AnswerRequest(services, task, await contentOf(services, task), onChange);
}

async function contentOf(
  { account, parameters: known, tools, instructions }: ChatServices,
  { conversation, answerId, model, account: accountId, together = false }: AnswerTask,
): Promise<RequestContent> {
  const { parameters, callsAsText } = conversation.transcript;
  const isWithoutTools = together || callsAsText.has(model);
  const notTaken = [...(await known.notTaken(model)), ...(isWithoutTools ? toolParameters : [])];
  const answer = conversation.transcript.answer(answerId);
  // When several tries run side by side, each continues from its own tools.
  const turns = conversation.transcript
    .sentTurns()
    .map((turn) => (answer && turn.answers.includes(answer) ? { ...turn, shown: answer } : turn));
  const blocks = (answer?.blocks ?? []).map(({ text }) => ({ length: text.length }));
  const prefill = blocks.length === 0 ? requestPrefill(parameters, notTaken) : '';
  const lastTurn = answer && blocks.length > 0 ? unfinishedText(answer) : prefill;
  const limit = mostMessages(account);
  // The existing part of the answer counts as a message too.
  const room = limit === undefined || lastTurn === '' ? limit : limit - 1;
  const { messages } = compactTurns(turns, room, { model, account: accountId });
  return {
    messages: goingOnFrom(callsAsText.has(model) ? toolCallsAsText(messages) : messages, lastTurn),
    parameters: requestParameters(parameters, {
      notTaken,
      editorTools: tools.list(),
      instructions: conversation.transcript.usesInstructions ? (await instructions()).text : '',
    }),
    beginning: { blocks, unfinished: answer ? unfinishedBlock(answer) : -1, prefill },
  };
}

/** One request for an answer; an answer that runs tools takes several. Sends nothing before `read`. */
export class AnswerRequest {
  private readonly startedAt: number;
  private readonly buffer: AnswerBuffer;
  private usage: CallUsage | undefined;
  private firstToken: number | undefined;
  private waiting: AnswerWait | undefined;
  private exchangeId: string | undefined;
  private named: AnswerNames = {};
  private refusedLimit: number | undefined;

  constructor(
    private readonly services: ChatServices,
    private readonly task: AnswerTask,
    private readonly content: RequestContent,
    private readonly onChange: OnAnswerChange,
  ) {
    this.startedAt = services.clock.now();
    this.buffer = createAnswerBuffer(services.clock, task, content.beginning, onChange);
  }

  get firstTokenMs(): number | undefined {
    return this.firstToken;
  }

  get wait(): AnswerWait | undefined {
    return this.waiting;
  }

  get sent() {
    const { messages, parameters } = this.content;
    return { model: this.task.model, messages, ...parameters };
  }

  /** The most messages of a request, if the service refused this one for having more. */
  get messageLimit(): number | undefined {
    return this.refusedLimit;
  }

  /** Sends the request, records the response and returns how it ended. Only the caller knows if it ended the request itself. */
  async read(signal: AbortSignal): Promise<AnswerEnd> {
    const end = await this.readToEnd(signal);
    const { account, clock } = this.services;
    const totalMs = clock.now() - this.startedAt;
    const paidIn = this.usage?.cost === undefined ? undefined : account.currency();
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
    if (!this.content.messages.every(({ role }) => role === 'user')) return error;
    return { ...error, actions: [...error.actions, step('checkModel', this.task.model)] };
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
    const { account } = this.task;
    const { chat } = await this.services.account.client((usage) => (this.usage = usage), account);
    let message: Message | undefined;
    for await (const event of chat.stream({ ...this.sent, watch: this.watch }, signal)) {
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
    const { clock } = this.services;
    if (wait.until - clock.now() < shortestWaitMs) return;
    this.waiting = { title: waitTitle(wait), until: wait.until };
    this.onChange([]);
  }

  /** Notes what the service says about its response. It may say anything, so only what can be shown is kept. */
  private note(named: { readonly [Name in keyof AnswerNames]: string | undefined }): void {
    const shown = Object.entries(named).flatMap(([name, text = '']) =>
      text === '' ? [] : [[name, foreign(text, 200)]],
    );
    this.named = { ...this.named, ...Object.fromEntries(shown) };
  }

  private onEvent(event: MessageEvent): void {
    this.waiting = undefined;
    if (event.type === 'start') {
      const { id, model } = event;
      this.note({ responseId: id, answeredBy: model === this.task.model ? undefined : model });
    }
    if (event.type !== 'start' && event.type !== 'end') {
      this.firstToken ??= this.services.clock.now() - this.startedAt;
    }
    this.buffer.add(event);
    if (event.type === 'blockStop' && event.block.type === 'image') this.save(event.block.source);
  }

  /** Saves an image beside the images that were generated. The answer does not wait for it. */
  private save(source: ImageSource): void {
    const { conversation, turnId, model } = this.task;
    const { saveImage, onError } = this.services.window;
    if (source.type !== 'base64') return;
    const prompt = conversation.transcript.turn(turnId)?.question ?? '';
    saveImage({ bytes: Buffer.from(source.data, 'base64'), model, prompt }).catch(onError);
  }

  private endOf(message: Message | undefined): AnswerEnd {
    const { stop_reason: stopReason, stop_sequence: stopSequence, citations, unreadCall } = message ?? {};
    const facts = {
      ...(stopReason === undefined ? {} : { stopReason }),
      ...(stopSequence === undefined ? {} : { stopSequence }),
      ...(citations && { citations }),
      ...(unreadCall && { unreadCall }),
    };
    const error = this.missingIn({
      content: this.received(),
      ...(stopReason !== undefined && { stop_reason: stopReason }),
    });
    return error ? { ...facts, state: 'failed', error: this.offeringCheck(error) } : { ...facts, state: 'done' };
  }

  /** Returns what was recorded of this response. */
  private received(): readonly ContentBlock[] {
    const { conversation, answerId } = this.task;
    const { prefill, blocks } = this.content.beginning;
    const answer = conversation.transcript.answer(answerId);
    return (answer?.blocks ?? []).slice(blocks.length).map((block, index) => {
      const text = index === 0 && blocks.length === 0 ? block.text.slice(prefill.length) : block.text;
      return asContent({ ...block, text });
    });
  }

  /** Returns what is missing in a response that ended, if anything is. */
  private missingIn(message: ReceivedMessage): WireError | undefined {
    const { content, stop_reason: reason } = message;
    const cut = cutCall(message);
    const isLimit = reason === 'max_tokens';
    if (cut && !wholeCall(message)) return callCutOff(cut.name, isLimit);
    if (isFailure(reason)) return endedWithError(reason ?? '');
    const end = answerEnd(message);
    // A text that is continued may already be complete. What is of no known kind may be the answer.
    const isEnough = this.content.beginning.unfinished >= 0 || content.some(({ type }) => type === 'unknown');
    if (end === 'answered' || end === 'refused' || isEnough) return undefined;
    const hasThought = content.some(({ type }) => type === 'thinking');
    if (hasThought) return thoughtOnly(isLimit);
    // An overloaded service ends a response without any content.
    return emptyAnswer();
  }

  /** Describes why no answer came, with the chat's own actions: send without a parameter, new conversation, another model. */
  private describe(error: unknown): WireError {
    const { account, models, window } = this.services;
    const { describe } = window;
    if (!isApiError(error)) return describe(error);
    const { messages, parameters, beginning } = this.content;
    if (error.kind === 'badRequest') {
      const refusal = { parameter: error.details.parameter, message: error.message };
      this.refusedLimit = messageLimitIn(refusal, messages);
      const isAboutTools = parameters.tools !== undefined && ofTools.has(error.details.hint);
      const refused = isAboutTools
        ? ('tools' as const)
        : refusedParameter(refusal, { ...parameters, prefill: beginning.prefill });
      const worded = describe(error);
      if (refused !== undefined) return { ...worded, actions: [withoutParameter(refused), ...worded.actions] };
      const limit = this.refusedLimit ?? account.advisedMessages();
      if (limit !== undefined && messages.length > limit) return tooManyMessages(messages.length, limit, worded);
      // The service may reject the calls in the history, in words that tell nobody so.
      if (hasToolCalls(messages) && !ofOthers.has(error.details.hint))
        return { ...worded, actions: [continueWithoutCalls(), ...worded.actions] };
    }
    if (error.kind !== 'unknownModel') return describe(error);
    const offered = modelsForJob('chat', models.catalogue.state.models).map(({ id }) => id);
    // The list still contains the model, or lacks its successor.
    void models.catalogue.refresh();
    return describe(error, { nearestModels: nearestIds(this.task.model, offered) });
  }
}

function asContent({ type, text, name = '', whole }: TranscriptBlock): ContentBlock {
  if (whole) return whole;
  if (type === 'thinking') return { type, thinking: text };
  if (type === 'tool_use') return { type, id: '', name, input: text };
  return type === 'text' ? { type, text } : { type: 'unknown', raw: {} };
}
