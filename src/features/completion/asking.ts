import * as l10n from '@vscode/l10n';
import type { Completion } from '../../core/api/completions/completionEvents';
import type { Completions } from '../../core/api/completions/completions';
import type { CompletionRequest } from '../../core/api/completions/completions.schema';
import { isApiError } from '../../core/api/errors';
import type { ApiError } from '../../core/api/errors';
import { expectedRequest } from '../../core/prices/paidWork';
import { hasPrices } from '../../core/profiles/knownServices';
import { priceLine } from '../../services/usage/costMessages';
import { chooseModel } from '../../core/catalogue/jobs';
import { createAnswerRecorder } from '../../core/completion/answerRecorder';
import type { AnswerRecorder } from '../../core/completion/answerRecorder';
import type { CatalogueState } from '../../services/models/modelCatalogue';
import { isBudgetRefusal } from '../../core/usage/dayTokens';
import type { Usage } from '../../core/usage/usage';
import { toUsage, usageOf } from '../../core/usage/usageOf';
import { isCancellation } from '../../platform/errors/report';
import { createUsageAsking } from '../../services/usage/confirmUsage';
import type { UsageAsking } from '../../services/usage/confirmUsage';
import { UserError } from '../../platform/errors/userError';
import type { Services } from '../../services/services';
import { completeByChat } from '../../core/completion/completeByChat';
import { tellShortly } from './endings';
import type { CompletionSettings } from './logic/completionSettings';
import { refusedName } from '../../core/completion/completionParameters';
import { showMessage } from '../../platform/notify';
import { foreign } from '../../core/text/foreignText';

/** Alternatives requested per token if tokens are shown; services return five at most. */
const shownAlternatives = 5;

const isCompletions = /(?<!\/chat)\/completions$/;
const isChat = /\/(chat\/completions|messages)$/;

/** Which tokens are returned with probabilities. Those of the prompt come only without streaming. */
export type TokenDetail = 'off' | 'answer' | 'all';

interface PromptToSend {
  readonly prompt: string;
  /** Requests a single answer, whatever the settings say. */
  readonly isOnly: boolean;
}

interface Question extends PromptToSend {
  readonly tokens: TokenDetail;
  readonly signal: AbortSignal;
  readonly onGrow: (answer: Completion) => void;
}

/** How a question ended, and what it used. */
export interface CompletionOutcome {
  readonly usage: Usage;
  readonly end: 'done' | 'stopped' | 'failed';
  readonly ms: number;
  readonly exchangeId: string | undefined;
  readonly traceId: string | undefined;
}

/** The result of a question, however it ended. */
export interface CompletionAnswer extends CompletionOutcome {
  readonly request: CompletionRequest;
  readonly answer: Completion;
  /** Set with `failed`. */
  readonly error?: unknown;
}

interface PreparedQuestion {
  readonly request: CompletionRequest;
  readonly question: Question;
}

interface Sending extends PreparedQuestion {
  readonly recorder: AnswerRecorder;
}

export interface Asking {
  /** Throws if the request cannot be sent. Later errors are part of the result. */
  ask(question: Question): Promise<CompletionAnswer>;
  /**
   * Resolves to the price of requests as text, e.g. "Price: about $0.01", or `undefined` if the service has no prices, or no model is
   * selected.
   */
  price(questions: readonly PromptToSend[]): Promise<string | undefined>;
}

export function createAsking(services: Services, settings: CompletionSettings): Asking {
  const { account, context, connections, exchanges, models } = services;
  const usageAsking = createUsageAsking(context.globalState);
  const fix = createContinuationFix(settings, usageAsking);

  /** Models that are known to chat only, though their service has completions, each with its account. */
  const chatModels = new Set<string>();
  let isByChat = false;
  const send = async (sending: Sending): Promise<void> => {
    const { completions, chat } = await connections.client(undefined, { source: 'completion' });
    const { request, question, recorder } = sending;
    const cacheKey = `${account.current.profile?.id} ${request.model}`;
    isByChat = account.current.lacks('POST /completions') || chatModels.has(cacheKey);
    try {
      if (!isByChat) return await complete(completions, sending, usageAsking);
    } catch (error) {
      if (!isOfChatOnly(error)) throw error;
      isByChat = true;
      chatModels.add(cacheKey);
    }
    tellShortly(
      l10n.t(
        "This service doesn't support text completion. The chat model {0} continues the text.",
        foreign(request.model),
      ),
    );
    for await (const event of completeByChat(chat, request, question.signal)) {
      recorder.add(event);
      question.onGrow(recorder.read());
    }
  };
  const ask = async (baseQuestion: Question): Promise<CompletionAnswer> => {
    const { request, question } = await requestFor(baseQuestion, models.state, settings);
    const { tokens, signal } = question;
    const startedAt = Date.now();
    const recorder = createAnswerRecorder();
    const ended = (end: CompletionAnswer['end'], error?: unknown): CompletionAnswer => {
      const answer = recorder.read();
      const usage = toUsage(usageOf('completions', request, answer));
      const isOwn = isByChat ? isChat : isCompletions;
      const exchange = exchanges.recent.find(({ path, at }) => isOwn.test(path) && at >= startedAt);
      const { id: exchangeId, traceId } = exchange ?? {};
      return { request, answer, usage, ms: Date.now() - startedAt, exchangeId, traceId, end, error };
    };
    try {
      await send({ request, question, recorder });
      return ended('done');
    } catch (error) {
      if (isBudgetRefusal(error)) throw error;
      if (signal.aborted && isCancellation(error)) return ended('stopped');
      const mayRepeat = recorder.read().choices.length === 0 && isApiError(error) && error.kind === 'badRequest';
      if (mayRepeat && (await fix(error, { request, showsTokens: tokens !== 'off' }))) return ask(question);
      return ended('failed', error);
    }
  };

  return { ask, price: (questions) => priceOf(questions, services, settings) };
}

/** Returns the request for a question, and the question without tokens if the model is known to return no probabilities. */
async function requestFor(
  question: Question,
  catalogue: CatalogueState,
  settings: CompletionSettings,
): Promise<PreparedQuestion> {
  const { tokens } = question;
  const request = await requestOf(question, catalogue, settings);
  if (!request) throw noModel();
  const { logProbabilities } = catalogue.models.find(({ id }) => id === request.model) ?? {};
  return tokens !== 'off' && logProbabilities === false
    ? requestFor({ ...question, tokens: 'off' }, catalogue, settings)
    : { request, question };
}

async function priceOf(
  questions: readonly PromptToSend[],
  { account, models, usage }: Services,
  settings: CompletionSettings,
): Promise<string | undefined> {
  if (!hasPrices(account.current.baseUrl ?? '')) return undefined;
  const sent: CompletionRequest[] = [];
  for (const question of questions) {
    const request = await requestOf({ ...question, tokens: 'off' }, models.state, settings);
    if (!request) return undefined;
    sent.push(request);
  }
  const prices = await (await usage()).readyPrices();
  return priceLine(prices.quote(sent.map(expectedRequest), { purpose: 'completion' })).text;
}

/** Returns the request for a question; `undefined` if there is no model for it. */
async function requestOf(
  { prompt, tokens, isOnly }: PromptToSend & { readonly tokens: TokenDetail },
  catalogue: CatalogueState,
  settings: CompletionSettings,
): Promise<CompletionRequest | undefined> {
  const parameters = { ...(tokens !== 'off' && { logprobs: shownAlternatives }), ...(isOnly && { n: 1 }) };
  return (
    (await settings.request({ prompt, parameters })) ??
    // A service that only chats may have no model for this job.
    settings.request({ prompt, parameters, model: chooseModel('chat', catalogue) })
  );
}

async function complete(completions: Completions, sending: Sending, usageAsking: UsageAsking): Promise<void> {
  const { request, question, recorder } = sending;
  const { tokens, signal, onGrow } = question;
  if (tokens === 'all') {
    recorder.add({ type: 'end', completion: await completions.create(request, signal) });
    return;
  }
  const counted = usageAsking.isTaken(request.model) ? { stream_options: { include_usage: true } } : {};
  for await (const event of completions.stream({ ...request, ...counted }, signal)) {
    recorder.add(event);
    onGrow(recorder.read());
  }
}

/** Whether the service, or with OpenAI the model, has no completions but chats. */
function isOfChatOnly(error: unknown): boolean {
  if (!isApiError(error)) return false;
  const { kind, details, message } = error;
  // A URL without a version might be that of a service without completions, or wrong, in which case the chat fails too, and says so.
  if (kind === 'notOffered' || details.hint === 'missingVersion') return true;
  return kind === 'badRequest' && /\bv1\/chat\/completions\b/.test(message);
}

function noModel(): UserError {
  return new UserError(
    l10n.t('No model selected'),
    l10n.t('Select a model in the completion settings or the Models view.'),
  );
}

/** Stops sending a parameter that a model refused, if the user agrees. Resolves to whether the request may succeed now. */
type ContinuationFix = (error: ApiError, sent: SentRequest) => Promise<boolean>;

interface SentRequest {
  readonly request: CompletionRequest;
  /** Token probabilities were requested to show them: the caller then reports that there are none, so the user is not asked. */
  readonly showsTokens: boolean;
}

function createContinuationFix(settings: CompletionSettings, usageAsking: UsageAsking): ContinuationFix {
  return async (error, { request, showsTokens }) => {
    const refusal = { parameter: error.details.parameter, message: error.message };
    if (await usageAsking.isRefused(refusal, request.model)) return true;
    const name = refusedName(refusal, request);
    if (name === undefined) return false;
    const isForTokens = name === 'logprobs' && showsTokens;
    if (!isForTokens && !(await mayLeaveOut(name, request.model))) return false;
    await settings.refused(request.model, name);
    return true;
  };
}

async function mayLeaveOut(name: string, model: string): Promise<boolean> {
  const without = l10n.t('Send Without Parameter');
  const words = l10n.t(
    '{0} rejected the parameter {1}. It will be omitted from now on.',
    foreign(model),
    foreign(name),
  );
  return (await showMessage('warning', words, without)) === without;
}
