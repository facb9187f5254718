import * as vscode from 'vscode';
import { isApiError } from '../../core/api/errors';
import type { MessageEvent } from '../../core/api/messages/messageEvents';
import { modelsForJob } from '../../core/catalogue/jobs';
import { nearestIds } from '../../core/catalogue/nearestIds';
import { limitsLearnedFrom, withoutOverruled } from '../../core/capabilities/learnedLimits';
import { answerEnd } from '../../core/editorChat/answerEnd';
import { toEditorRequest, sentParts } from '../../core/editorChat/chatRequest';
import type { EditorQuestion, EditorRequest } from '../../core/editorChat/chatRequest';
import type { CallUsage } from '../../core/usage/usageOf';
import type { Services } from '../../services/services';
import { toLanguageModelError, refusalReport } from './answerErrors';
import type { Client } from '../../core/api/client';
import { AnswerParts, unanswered, usagePart } from './answerParts';
import type { CapabilityMemory } from './capabilityMemory';
import { toMessageParams } from './editorMessages';
import type { EditorMessage } from './editorMessages';

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
  readonly signal: AbortSignal;
}

/** Answers requests of the editor's Chat, its agents and other extensions. Throws errors as `LanguageModelError`. */
export class Answering {
  /** `onOutdated` is called when a limit of a model was learned. */
  constructor(
    private readonly services: Services,
    private readonly capabilities: CapabilityMemory,
    private readonly onOutdated: () => void,
  ) {}

  async respond(...[{ id }, messages, options, progress, token]: EditorAsks): Promise<void> {
    const { services } = this;
    const abort = new AbortController();
    const listening = token.onCancellationRequested(() => abort.abort());
    if (token.isCancellationRequested) abort.abort();
    const work = services.activity.start(vscode.l10n.t('Answering in the editor’s Chat'), { paid: true });
    try {
      const profile = services.profiles.active?.id ?? '';
      let used: CallUsage | undefined;
      const client = await services.connections.client(profile, { onUsage: (usage) => (used = usage) });
      const question = toQuestion(id, messages, options);
      const report = progress.report.bind(progress);
      await this.answer({ question, profile, client, usage: () => used, options, report, signal: abort.signal });
    } catch (error) {
      if (abort.signal.aborted) throw new vscode.CancellationError();
      throw toLanguageModelError(error, hintsFor(error, id, services));
    } finally {
      work.dispose();
      listening.dispose();
    }
  }

  /** If the model refuses because of its limits, retries once with what the refusal says; reports any other refusal. */
  private async answer(asking: Asking): Promise<void> {
    const { services, capabilities } = this;
    const { question, profile, signal } = asking;
    const { model } = question;
    let less: { readonly max_tokens?: number } = {};
    for (let isAgain = false; ; isAgain = true) {
      const known = await capabilities.of({ profile, model });
      const limit = services.settings.get('chat.messageLimit');
      const asked: EditorQuestion = { ...question, options: { ...without(question.options, known.notTaken), ...less } };
      const sent = toEditorRequest(asked, known.capabilities, limit === 0 ? undefined : limit);
      const parts = new AnswerParts(model, asking.report, sent.ownName);
      try {
        await stream(asking, sent, parts);
        return;
      } catch (error) {
        if (signal.aborted || !isApiError(error) || (error.kind !== 'badRequest' && error.kind !== 'tooLong'))
          throw error;
        const lesson = limitsLearnedFrom(
          { parameter: error.details.parameter, message: error.message },
          sentParts(sent),
        );
        if (!lesson) throw error;
        if (await capabilities.learn({ profile, model }, lesson)) this.onOutdated();
        const { outputTokens, contextTokens } = lesson;
        const isRoom = outputTokens !== undefined || contextTokens !== undefined;
        if (!isRoom || isAgain || parts.hasBegun) {
          throw refusalReport(error, { model, lesson, isOverruled: !withoutOverruled(lesson, known.setting) });
        }
        // The prompt's size is only an estimate: if it does not fit along with the answer, the answer gets less.
        const half = contextTokens === undefined ? Infinity : Math.ceil(sent.request.max_tokens / 2);
        less = { max_tokens: Math.min(outputTokens ?? Infinity, half) };
      }
    }
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
  let end: Extract<MessageEvent, { readonly type: 'end' }> | undefined;
  try {
    for await (const event of client.messages.stream(request, signal)) {
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
