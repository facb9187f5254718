import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ApiErrorKind } from '../../core/api/errorKinds';
import { isApiError } from '../../core/api/errors';
import type { MessageEvent, ContentBlock, Message } from '../../core/api/messages/messageEvents';
import { modelsForJob } from '../../core/catalogue/jobs';
import { nearestIds } from '../../core/catalogue/nearestIds';
import { limitsLearnedFrom, messageLimitIn, withoutOverruled } from '../../core/capabilities/learnedLimits';
import { mostTools } from '../../core/conversation/tools';
import { answerEnd, cutCall, type AnswerEnd } from '../../core/editorChat/answerEnd';
import { toEditorRequest, sentParts, type EditorQuestion, type EditorRequest } from '../../core/editorChat/chatRequest';
import { expectedRequest } from '../../core/prices/paidWork';
import { foreignLine, foreign } from '../../core/text/foreignText';
import { isBudgetRefusal } from '../../core/usage/dayTokens';
import type { CallUsage } from '../../core/usage/usageOf';
import type { ErrorHints } from '../../platform/errors/errorMessage';
import { isCancellation } from '../../platform/errors/report';
import { describe } from '../../platform/errors/reportError';
import { lackingModels } from '../../services/models/lackingModels';
import { modelNotOffered } from '../../services/models/modelNotOffered';
import { learnMessageLimit, messageLimitOf } from '../../services/parameters/messageLimit';
import type { Services } from '../../services/services';
import type { Client } from '../../core/api/client';
import type { CapabilityMemory } from './capabilityMemory';
import { toMessageParams, type EditorMessage, thinkingPartClass, type WholeThinking } from './editorMessages';
import { createCallMemory, type CallMemory } from '../../core/editorChat/callMemory';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { numberText } from '../../platform/displayText';
import { UserError } from '../../platform/errors/userError';
import { showMessage } from '../../platform/notify';
import { env } from 'vscode';
import type { ApiError } from '../../core/api/errors';
import type { LearnedLimits } from '../../core/capabilities/learnedLimits';

export type EditorAsks = readonly [
  model: { readonly id: string },
  messages: readonly EditorMessage[],
  options: vscode.ProvideLanguageModelChatResponseOptions,
  progress: vscode.Progress<vscode.LanguageModelResponsePart>,
  token: vscode.CancellationToken,
];

/** One request from the editor. */
interface Asking {
  readonly question: EditorQuestion;
  /** Profile id at the time of the request, even if another profile becomes active meanwhile. */
  readonly profile: string;
  readonly client: Client;
  /** What the last request used, once it is over. */
  readonly usage: () => CallUsage | undefined;
  readonly options: vscode.ProvideLanguageModelChatResponseOptions;
  readonly report: vscode.Progress<vscode.LanguageModelResponsePart>['report'];
  /** Called with each request before it is sent. */
  readonly onSend: (request: EditorRequest['request']) => void;
  readonly signal: AbortSignal;
}

/** Answers requests of the editor's Chat, its agents and other extensions. Throws errors as `LanguageModelError`. */
export class Answering {
  private readonly notice: AgentCostNotice;

  private readonly calls: CallMemory;

  /** `onOutdated` is called when a limit of a model was learned. */
  constructor(
    private readonly services: Services,
    private readonly capabilities: CapabilityMemory,
    private readonly onOutdated: () => void,
  ) {
    const { context, log } = services;
    this.notice = new AgentCostNotice(context.globalState);
    this.calls = createCallMemory(join(context.globalStorageUri.fsPath, 'languageModel', 'calls'), (error) =>
      log.warn(String(error)),
    );
  }

  async respond(...[{ id }, messages, options, progress, token]: EditorAsks): Promise<void> {
    const { services } = this;
    const abort = new AbortController();
    const listening = token.onCancellationRequested(() => abort.abort());
    if (token.isCancellationRequested) abort.abort();
    const work = services.activity.start(l10n.t('Responding in VS Code Chat'), {
      kind: 'chat',
      paid: true,
      subject: id,
      profileId: services.account.current.profile?.id,
      expected: () => (sent ? [expectedRequest(sent)] : []),
    });
    let sent: EditorRequest['request'] | undefined;
    try {
      const { id: profile, name } = services.account.current;
      if ((await lackingModels(services.models, [id])).length > 0)
        throw languageModelError('NotFound', modelNotOffered([id], name, false, vscode.env.language));
      let used: CallUsage | undefined;
      const client = await services.connections.client(profile, {
        source: 'vsCodeChat',
        onUsage: (usage) => (used = usage),
      });
      const read = toQuestion(id, messages, options);
      const question = {
        ...read,
        messages: await this.calls.complete(this.answerer(profile ?? '', id), read.messages),
      };
      const report = progress.report.bind(progress);
      const onSend = (request: EditorRequest['request']) => (sent = request);
      await this.answer({
        question,
        profile,
        client,
        usage: () => used,
        options,
        report,
        onSend,
        signal: abort.signal,
      });
    } catch (error) {
      if (abort.signal.aborted) throw new vscode.CancellationError();
      throw toLanguageModelError(error, hintsFor(error, id, services));
    } finally {
      work.dispose();
      listening.dispose();
    }
  }

  private answerer(account: string, model: string) {
    return { account, baseUrl: this.services.profiles.get(account)?.baseUrl ?? '', model };
  }

  /** If the model refuses because of its limits, retries once with what the refusal says; reports any other refusal. */
  private async answer(asking: Asking): Promise<void> {
    const { services, capabilities } = this;
    const { question, profile, signal } = asking;
    const { model } = question;
    let less: { readonly max_tokens?: number } = {};
    for (let isAgain = false; ; isAgain = true) {
      const known = await capabilities.of({ profile, model });
      const limit = messageLimitOf(services, services.profiles.get(profile));
      const adapted: EditorQuestion = {
        ...question,
        options: { ...without(question.options, known.notTaken), ...less },
      };
      const sent = toEditorRequest(adapted, known.capabilities, limit === 0 ? undefined : limit);
      const parts = new AnswerParts(model, asking.report, sent.ownName);
      if (sent.request.tools) this.notice.tell(sent.promptTokens);
      if (sent.omittedTools > 0) this.notice.tellOmitted();
      try {
        await stream(asking, sent, parts);
        await this.calls.note(this.answerer(profile, model), parts.content);
        return;
      } catch (error) {
        if (signal.aborted || !isApiError(error) || (error.kind !== 'badRequest' && error.kind !== 'tooLong'))
          throw error;
        const refusal = { parameter: error.details.parameter, message: error.message };
        const most = messageLimitIn(refusal, sent.request.messages);
        const account = services.profiles.get(profile);
        if (most !== undefined && !isAgain && (await learnMessageLimit(services, account, most))) continue;
        const learned = limitsLearnedFrom(refusal, sentParts(sent));
        if (!learned) throw error;
        if (await capabilities.learn({ profile, model }, learned)) this.onOutdated();
        const { outputTokens, contextTokens } = learned;
        const isRoom = outputTokens !== undefined || contextTokens !== undefined;
        if (!isRoom || isAgain || parts.hasBegun) {
          throw refusalReport(error, {
            model,
            learned,
            isOverruled: !withoutOverruled(learned, known.setting),
          });
        }
        // The prompt's size is only an estimate: if it does not fit along with the answer, the answer gets less.
        const half = contextTokens === undefined ? Infinity : Math.ceil(sent.request.max_tokens / 2);
        less = { max_tokens: Math.min(outputTokens ?? Infinity, half) };
      }
    }
  }
}

/** A prompt with tools below this isn't large enough to tell of. */
const largePromptTokens = 10_000;
const noticeKey = 'editorChat.agentCostTold';

/** Tells how large the messages of the editor's agents are, once on this machine, and what is left out. The request doesn't wait for it. */
class AgentCostNotice {
  private isReported = false;
  private isOmissionReported = false;

  constructor(private readonly memory: vscode.Memento) {}

  tell(promptTokens: number): void {
    if (this.isReported || promptTokens < largePromptTokens || this.memory.get(noticeKey) === true) return;
    this.isReported = true;
    void this.memory.update(noticeKey, true);
    const rounded = Math.round(promptTokens / 1000) * 1000;
    void showMessage(
      'information',
      l10n.t(
        'This agent request has about {0} tokens of instructions and tools. To send less, turn off tools.',
        numberText(rounded, vscode.env.language),
      ),
    );
  }

  /** Tells once per window that not all tools are sent. */
  tellOmitted(): void {
    if (this.isOmissionReported) return;
    this.isOmissionReported = true;
    void showMessage(
      'warning',
      l10n.t(
        "Only {0} of VS Code Chat's tools are sent. Turn off those you don't need.",
        numberText(mostTools, vscode.env.language),
      ),
    );
  }
}

function toQuestion(
  model: string,
  messages: readonly EditorMessage[],
  { modelOptions = {}, tools = [], toolMode }: vscode.ProvideLanguageModelChatResponseOptions,
): EditorQuestion {
  return {
    model,
    messages: toMessageParams(messages, model),
    tools: tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      input_schema: { type: 'object', ...(inputSchema ?? { properties: {} }) },
    })),
    toolRequired: toolMode === vscode.LanguageModelChatToolMode.Required,
    options: modelOptions,
  };
}

async function stream(asking: Asking, { request }: EditorRequest, parts: AnswerParts): Promise<void> {
  const { client, usage, options, report, signal } = asking;
  asking.onSend(request);
  let end: Extract<MessageEvent, { readonly type: 'end' }> | undefined;
  try {
    for await (const event of client.chat.stream(request, signal)) {
      if (event.type === 'end') end = event;
      parts.add(event);
    }
  } finally {
    const used = usage();
    const { requestInitiator } = options as { readonly requestInitiator?: unknown };
    const part = end && used && usagePart(requestInitiator, used, end.message);
    if (part) report(part);
  }
  signal.throwIfAborted();
  const how = answerEnd(end?.message);
  if (how !== 'answered') throw unanswered(how);
}

function without(options: EditorQuestion['options'], names: readonly string[]): EditorQuestion['options'] {
  return Object.fromEntries(Object.entries(options).filter(([name]) => !names.includes(name)));
}

function hintsFor(error: unknown, model: string, { models }: Services) {
  if (!isApiError(error) || error.kind !== 'unknownModel') return {};
  const offered = modelsForJob('chat', models.state.models).map(({ id }) => id);
  // The list still contains the model, or not yet its successor.
  void models.refresh();
  return { nearestModels: nearestIds(model, offered) };
}

type Part = vscode.LanguageModelTextPart | vscode.LanguageModelToolCallPart | vscode.LanguageModelDataPart;

/**
 * Passes an answer on to the editor as it arrives; holds back tool calls, and what follows them, until it is certain that none was cut off.
 */
class AnswerParts {
  private readonly answer = randomUUID();
  private readonly held: Part[] = [];
  /** The blocks that have ended, with the IDs and tool names that the editor was given. */
  readonly content: ContentBlock[] = [];
  private begun = false;

  /** `ownName` returns a tool's original name for its name on the wire. */
  constructor(
    private readonly model: string,
    private readonly report: (part: Part) => void,
    private readonly ownName: (wireName: string) => string,
  ) {}

  /** Whether anything was passed on. */
  get hasBegun(): boolean {
    return this.begun;
  }

  /** Throws `LanguageModelError` if a tool call was cut off. */
  add(event: MessageEvent): void {
    const Thinking = thinkingPartClass();
    if (event.type === 'text') this.tell(new vscode.LanguageModelTextPart(event.text));
    else if (event.type === 'thinking' && Thinking) this.tell(new Thinking(event.text, this.idOf(event.index)));
    else if (event.type === 'blockStop') this.tellBlock(event.block, event.index);
    else if (event.type === 'replace') this.tellReplaced(event.block, event.index);
    else if (event.type === 'end') this.tellHeld(event.message);
  }

  private idOf(index: number): string {
    return `${this.answer}_${index}`;
  }

  private tell(part: Part): void {
    if (this.held.length > 0 || part instanceof vscode.LanguageModelToolCallPart) this.held.push(part);
    else {
      this.begun = true;
      this.report(part);
    }
  }

  /** What was passed on as text stays, but a call that was found in it is still made. */
  private tellReplaced(block: ContentBlock, index: number): void {
    if (block.type === 'tool_use' && this.content[index]?.type !== 'tool_use') this.tellBlock(block, index);
    else if (block.type !== 'tool_use') this.content[index] = block;
  }

  private tellBlock(block: ContentBlock, index: number): void {
    const Thinking = thinkingPartClass();
    if (block.type === 'tool_use') {
      const { id, name, input } = block;
      const callId = id === '' ? `call_${this.idOf(index)}` : id;
      const ownName = this.ownName(name);
      this.content[index] = { ...block, id: callId, name: ownName };
      this.tell(new vscode.LanguageModelToolCallPart(callId, ownName, input as object));
    } else this.content[index] = block;
    if (block.type === 'thinking' && block.signature !== undefined && Thinking) {
      const { thinking, signature } = block;
      const whole: WholeThinking = { signature, _completeThinking: thinking, inferenceDeskModel: this.model };
      this.tell(new Thinking('', this.idOf(index), { ...whole }));
    }
  }

  private tellHeld(message: Message): void {
    const cut = cutCall(message);
    if (cut) throw cutOffWithin(this.ownName(cut.name));
    for (const part of this.held.splice(0)) {
      this.begun = true;
      this.report(part);
    }
  }
}

/** Returns the error for an answer that ended without text or a tool call. */
function unanswered(end: Exclude<AnswerEnd, 'answered'>): vscode.LanguageModelError {
  switch (end) {
    case 'refused':
      return languageModelError('Blocked', {
        title: l10n.t('The model declined to answer'),
        detail: l10n.t('Rephrase your question, or use another model.'),
      });
    case 'cutOff':
      return languageModelError('Unknown', {
        title: l10n.t('Token limit reached before the model responded'),
        detail: tooLongWords(),
      });
    case 'thoughtOnly':
      return languageModelError('Unknown', {
        title: l10n.t('The response contains only reasoning'),
        detail: l10n.t('Try again, or choose another model.'),
      });
    case 'empty':
      return languageModelError('Unknown', {
        title: l10n.t('The response is empty'),
        detail: l10n.t('The service might be overloaded. Try again.'),
      });
  }
}

function cutOffWithin(tool: string): UserError {
  return new UserError(l10n.t('The response ended during a call to {0}', tool), tooLongWords());
}

function tooLongWords(): string {
  return l10n.t('Ask for a shorter response, or raise outputTokens in the setting inferenceDesk.models.capabilities.');
}

/** The editor's built-in chat, the only one that reads usage. */
const readsUsage = /^github\.copilot(-chat)?$/i;

/** Returns the usage of an answer in the format of the editor's own Chat, if that is the caller. */
function usagePart(
  asker: unknown,
  { inputTokens, outputTokens }: CallUsage,
  { usage }: Message,
): vscode.LanguageModelDataPart | undefined {
  if (typeof asker !== 'string' || !readsUsage.test(asker)) return undefined;
  return vscode.LanguageModelDataPart.json(
    {
      prompt_tokens: inputTokens,
      completion_tokens: outputTokens,
      total_tokens: inputTokens + outputTokens,
      prompt_tokens_details: { cached_tokens: usage.cache_read_input_tokens ?? 0 },
    },
    'usage',
  );
}

type Code = 'NoPermissions' | 'NotFound' | 'Blocked' | 'Unknown';

/** Codes that a caller can distinguish; any other error is `Unknown`, with its cause. */
const codes: Readonly<Partial<Record<ApiErrorKind, Code>>> = {
  auth: 'NoPermissions',
  permission: 'NoPermissions',
  region: 'NoPermissions',
  unknownModel: 'NotFound',
  notFound: 'NotFound',
  notOffered: 'NotFound',
  balance: 'Blocked',
  rateLimit: 'Blocked',
};

/** In characters; the editor and other extensions render the message as Markdown and in notifications. */
const mostWords = 900;

type ErrorClass = new (message: string, code: string, cause: unknown) => vscode.LanguageModelError;

/** Converts an error to one that the editor and other extensions understand, with our message and `error` as its cause. */
function toLanguageModelError(error: unknown, hints: ErrorHints = {}): Error {
  if (isCancellation(error)) return new vscode.CancellationError();
  if (error instanceof vscode.LanguageModelError) return error;
  const { title, detail } = describe(error, hints);
  const other = isBudgetRefusal(error) ? 'Blocked' : 'Unknown';
  return languageModelError(isApiError(error) ? (codes[error.kind] ?? other) : other, { title, detail }, error);
}

/** Creates an error with `code`, whatever the cause. */
function languageModelError(
  code: Code,
  { title, detail }: { readonly title: string; readonly detail: string },
  cause?: unknown,
): vscode.LanguageModelError {
  // The typings hide the constructor that takes a cause.
  const LanguageModelError = vscode.LanguageModelError as unknown as ErrorClass;
  const words = foreignLine(detail === '' ? title : `${title}. ${detail}`, mostWords);
  return new LanguageModelError(words, code, cause);
}

interface ReportedRefusal {
  readonly model: string;
  readonly learned: LearnedLimits;
  /** Whether the user's setting contradicts the refusal, so that nothing was learned. */
  readonly isOverruled: boolean;
}

/** Returns an error that says what the model does not accept, whether this is remembered, and what to do. */
function refusalReport(error: ApiError, report: ReportedRefusal): Error {
  const { title, detail } = wordsOf(report);
  return languageModelError(
    'Unknown',
    { title, detail: report.isOverruled ? l10n.t('Change your setting inferenceDesk.models.capabilities.') : detail },
    error,
  );
}

function wordsOf({ model, learned: { tools, images, contextTokens, outputTokens } }: ReportedRefusal) {
  if (tools === false) {
    return {
      title: l10n.t("{0} doesn't support tools", foreign(model)),
      detail: l10n.t('Choose another model, or send your message without tools.'),
    };
  }
  if (images === false) {
    return {
      title: l10n.t("{0} doesn't support image input", foreign(model)),
      detail: l10n.t('Images are now omitted for this model. Try again, or choose another model.'),
    };
  }
  if (outputTokens !== undefined) {
    return {
      title: l10n.t('{0} limits responses to {1} tokens', foreign(model), numberText(outputTokens, env.language)),
      detail: l10n.t('This limit is used from now on. Try again.'),
    };
  }
  const most = numberText(contextTokens ?? 0, env.language);
  return {
    title: l10n.t('Text too long for {0}, which supports {1} tokens', foreign(model), most),
    detail: l10n.t('Start a new conversation, or remove some attachments.'),
  };
}
