import * as l10n from '@vscode/l10n';
import { tellsOfModel, type ApiErrorKind } from '../api/errorKinds';
import type { ApiError } from '../api/errors';
import type { Exchange } from '../api/exchange';
import { isObject } from '../api/isObject';
import { present } from '../api/present';
import type { CheckedModel, LearnedModel } from '../api/learned';
import type { Message } from '../api/messages/messageEvents';
import type { MessageParam, MessageRequest } from '../api/messages/messages.schema';
import { chooseModel, modelsForJob, type ChoosableModels } from '../catalogue/jobs';
import { hasPrices, knownServiceOf } from '../profiles/knownServices';
import { foreign } from '../text/foreignText';
import { CheckRun, type CheckId, type Finding, type Findings, type ModelToCheck, type Sent } from './checkRun';
import type { RawAnswer } from './rawAnswer';
import { parseJson } from '../api/parseJson';
import { rankInSlices, type CreateRanking, type RankedList } from '../ranking/rankInSlices';
import { scoreText } from '../ranking/scoreText';

export interface CheckOutcome {
  readonly findings: Findings;
  readonly requests: number;
  readonly tokens: number;
  /** Why the model could not be checked, if its first answer failed. */
  readonly error?: ApiError | undefined;
}

interface Check {
  /** The rows that it fills. */
  readonly ids: readonly CheckId[];
  /** The row that must work first. */
  readonly needs?: CheckId;
  run(this: void, run: CheckRun): Promise<Findings>;
}

/** In the order in which they run, which is that of the rows but for reasoning. Each sends up to two requests. */
const checks: Readonly<Record<ModelToCheck['kind'], readonly Check[]>> = {
  chat: [
    { ids: ['answers', 'streams', 'ends'], run: checkAnswer },
    { ids: ['continues'], needs: 'answers', run: checkContinuing },
    { ids: ['reasoning'], needs: 'answers', run: checkReasoning },
    { ids: ['toolCall'], needs: 'answers', run: checkToolCall },
    { ids: ['toolResult'], needs: 'toolCall', run: checkToolResult },
    { ids: ['jsonMode'], needs: 'answers', run: checkJsonMode },
    { ids: ['images'], needs: 'answers', run: checkImages },
    { ids: ['logProbabilities'], needs: 'answers', run: checkLogProbabilities },
    { ids: ['context', 'responseLength'], run: checkLimits },
  ],
  rerank: [{ ids: ['ranks', 'scores'], run: checkRanking }],
};

/** Returns the rows of a kind of model, in order. */
export function checkIds(kind: ModelToCheck['kind']): readonly CheckId[] {
  return checks[kind].flatMap(({ ids }) => ids);
}

/** The most requests that a check of this kind sends to the model, and about how many tokens they use. */
export const checkCost = { chat: { requests: 10, tokens: 2000 }, rerank: { requests: 1, tokens: 60 } } as const;

/**
 * Returns the chat model that a check is worth offering for after sign-in; `undefined` at services whose models are known to work as their
 * documentation says.
 */
export function modelWorthChecking(baseUrl: string, choosable: ChoosableModels): string | undefined {
  if (knownServiceOf(baseUrl) && hasPrices(baseUrl)) return undefined;
  return chooseModel('chat', choosable) ?? modelsForJob('chat', choosable.models, choosable.pins)[0]?.id;
}

/**
 * Sends a handful of small requests to a model and determines from the responses what works. `onFindings` is called with all findings so
 * far after each check. Results are stored in `learned`. Rejects only if `signal` is aborted.
 */
export async function checkModel(
  subject: ModelToCheck,
  onFindings: (findings: Findings) => void,
  signal: AbortSignal,
): Promise<CheckOutcome> {
  const run = new CheckRun(subject, signal);
  await run.readList();
  for (const { ids, needs, run: check } of checks[subject.kind]) {
    signal.throwIfAborted();
    const isReady = needs === undefined || ['works', 'limited'].includes(run.findings[needs]?.result ?? '');
    run.findings = { ...run.findings, ...(isReady ? await check(run) : skipped(run, ids, needs)) };
    signal.throwIfAborted();
    onFindings(run.findings);
  }
  subject.learned.learn(subject.model, learnedFrom(run));
  return { findings: run.findings, requests: run.requests, tokens: run.tokens, error: run.firstError };
}

function skipped(run: CheckRun, ids: readonly CheckId[], needs: CheckId): Findings {
  const evidence =
    run.findings[needs]?.result === 'notChecked'
      ? l10n.t('An earlier request failed')
      : needs === 'toolCall'
        ? l10n.t('Requires a structured tool call')
        : l10n.t('Requires a response from the model');
  return Object.fromEntries(ids.map((id) => [id, { result: 'notChecked', evidence }]));
}

const question = { role: 'user', content: 'What is the capital of France? Answer with one word.' } as const;
/** Enough for models that can't be kept from thinking. */
const mostTokens = 1024;

async function checkAnswer(run: CheckRun): Promise<Findings> {
  const sent = await run.chat({ messages: [question], max_tokens: mostTokens });
  run.first = sent;
  const { raw, exchange, error, message } = sent;
  const text = textOf(message) || raw.text;
  const exchangeId = exchange?.id;
  if (error && text.trim() === '' && raw.reasoning === '') {
    run.firstError = error;
    run.findings = { answers: { result: resultOf(error), evidence: words(error), exchangeId } };
    return { ...run.findings, ...skipped(run, ['streams', 'ends'], 'answers') };
  }
  const count = raw.outputTokens;
  const tokens = count === undefined ? [] : [count === 1 ? l10n.t('1 token') : l10n.t('{0} tokens', run.number(count))];
  const answers: Finding =
    text.trim() === ''
      ? { result: 'limited', evidence: l10n.t('Reasoning without a response'), exchangeId }
      : { result: 'works', evidence: [quoted(text), ...tokens, endpointOf(exchange)].join(', '), exchangeId };
  return {
    answers,
    streams: { ...streamFinding(run, raw), exchangeId },
    ends: { ...endFinding(sent), exchangeId },
  };
}

function streamFinding(run: CheckRun, raw: RawAnswer): Finding {
  const { events, textEvents, firstMs = 0, lastMs = 0, outputTokens } = raw;
  if (events === 0) return { result: 'fails', evidence: l10n.t("The response wasn't streamed") };
  const second = (ms: number) => l10n.t('first token after {0} s', run.number(ms / 1000, 2));
  const speed = outputTokens !== undefined && lastMs > firstMs ? (outputTokens * 1000) / (lastMs - firstMs) : undefined;
  const facts = [
    events === 1 ? l10n.t('1 event') : l10n.t('{0} events', run.number(events)),
    second(firstMs),
    ...(speed === undefined ? [] : [l10n.t('{0} tokens/s', run.number(speed, speed < 10 ? 1 : 0))]),
  ];
  const evidence = facts.join(', ');
  // One or two words can be one token, with which servers count the final one.
  const isShort = raw.text.trim().split(/\s+/).length < 3 && raw.text.length < 20;
  return textEvents > 1 || isShort || (outputTokens ?? 2) < 2
    ? { result: 'works', evidence }
    : { result: 'limited', evidence: l10n.t('The complete text arrived in one event') };
}

function endFinding({ raw: { finish, endMark, events }, error }: Sent): Finding {
  if (error && !tellsOfModel(error)) return { result: 'notChecked', evidence: words(error) };
  const reason = finish && `${finish.name} "${foreign(finish.value, 30)}"`;
  if (reason === undefined)
    return endMark === undefined || error
      ? { result: 'fails', evidence: l10n.t('No finish_reason or end marker') }
      : { result: 'limited', evidence: l10n.t('{0} without finish_reason', endMark) };
  if (error) return { result: 'fails', evidence: words(error) };
  const evidence = endMark === undefined || events === 0 ? reason : l10n.t('{0}, then {1}', reason, endMark);
  return { result: 'works', evidence };
}

/** A start that distinguishes a continuation from a new answer. */
const start = '1, 2, 3,';

async function checkContinuing(run: CheckRun): Promise<Findings> {
  const messages: readonly MessageParam[] = [
    { role: 'user', content: 'Count from 1 to 9. Write only the numbers, separated by commas.' },
    { role: 'assistant', content: start },
  ];
  const { raw, error, exchange, message } = await run.chat({ messages, max_tokens: mostTokens });
  const exchangeId = exchange?.id;
  if (error) return { continues: { result: resultOf(error), evidence: words(error), exchangeId } };
  const isRejected = run.subject.learned.of(run.subject.model).way?.prefills === false;
  if (isRejected) {
    const evidence = l10n.t('Rejects partial responses, so Continue sends a message instead');
    return { continues: { result: 'fails', evidence, exchangeId } };
  }
  // At most after the empty thinking of a chat template.
  const isRepeated = raw.text.slice(0, 40).includes(start);
  const rest = (textOf(message) || raw.text).trimStart();
  const evidence = rest.startsWith('4')
    ? isRepeated
      ? l10n.t('Repeats "{0}" (removed automatically), then continues', start)
      : l10n.t('Continued after "{0}"', start)
    : l10n.t('Started over after "{0}"', start);
  return { continues: { result: rest.startsWith('4') ? 'works' : 'fails', evidence, exchangeId } };
}

/** Marks of thinking that a server left in the text, as models write them. */
const thoughtMarks =
  /^\s*(<think(?:ing)?>|<\|channel\|?>|\[THINK\]|<reasoning>|<seed:think>)|(<\/think(?:ing)?>|\[\/THINK\])/;

async function checkReasoning(run: CheckRun): Promise<Findings> {
  let sent = run.first;
  const isFound = sent && (sent.raw.reasoning !== '' || thoughtMarks.test(sent.raw.text));
  if (!isFound && run.subject.known.thinking !== 'never') {
    sent = await run.chat({
      messages: [question],
      max_tokens: 2 * mostTokens,
      thinking: { type: 'enabled', budget_tokens: mostTokens },
    });
  }
  const exchangeId = sent?.exchange?.id;
  const { raw, error } = sent ?? {};
  if (raw && raw.reasoning !== '') {
    const evidence = l10n.t('{0} characters of reasoning before the response', run.number(raw.reasoning.length));
    return { reasoning: { result: 'works', evidence, exchangeId } };
  }
  const mark = raw && thoughtMarks.exec(raw.text);
  if (mark) {
    const evidence = l10n.t('The response text contains {0}', mark[1] ?? mark[2] ?? '');
    return { reasoning: { result: 'fails', evidence, exchangeId, option: run.option('reasoning') } };
  }
  if (error) return { reasoning: { result: refusedOf(error), evidence: words(error), exchangeId } };
  return { reasoning: { result: 'notOffered', evidence: l10n.t("The model didn't return reasoning"), exchangeId } };
}

const weatherTool = {
  name: 'get_weather',
  description: 'Returns the current weather in a city.',
  input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

async function checkToolCall(run: CheckRun): Promise<Findings> {
  const { model } = run.subject;
  const request: MessageRequest = {
    model,
    messages: [{ role: 'user', content: 'Use get_weather to find out the weather in "Paris".' }],
    tools: [weatherTool],
    max_tokens: mostTokens,
  };
  const { raw, error, exchange, message } = await run.chat(request);
  const exchangeId = exchange?.id;
  const option = run.option('tools');
  if (error) {
    const result = option === undefined ? refusedOf(error) : resultOf(error);
    return { toolCall: { result, evidence: words(error), exchangeId, ...(result === 'fails' && { option }) } };
  }
  const calls = (message?.content ?? []).filter(({ type }) => type === 'tool_use');
  if (message && calls.length > 0) run.called = { request, message };
  if (raw.calls.includes(weatherTool.name)) {
    const evidence = l10n.t('Called {0}', weatherTool.name);
    return { toolCall: { result: 'works', evidence, exchangeId } };
  }
  const isText = calls.length > 0 || message?.unreadCall === true || raw.text.includes(weatherTool.name);
  const evidence = isText
    ? l10n.t('The tool call was returned as text')
    : l10n.t('The model responded without calling the tool');
  return { toolCall: { result: 'fails', evidence, exchangeId, ...(isText && { option }) } };
}

async function checkToolResult(run: CheckRun): Promise<Findings> {
  const { request, message } = run.called ?? {};
  if (!request || !message) return skipped(run, ['toolResult'], 'toolCall');
  const results = message.content.flatMap((block) =>
    block.type === 'tool_use'
      ? [{ type: 'tool_result' as const, tool_use_id: block.id, content: 'Sunny, 18 degrees Celsius' }]
      : [],
  );
  const messages: readonly MessageParam[] = [
    ...request.messages,
    { role: 'assistant', content: message.content.flatMap(sentBack) },
    { role: 'user', content: results },
  ];
  const sent = await run.chat({ ...request, messages });
  const exchangeId = sent.exchange?.id;
  if (sent.error) return { toolResult: { result: resultOf(sent.error), evidence: words(sent.error), exchangeId } };
  const text = textOf(sent.message);
  const isAdapted = run.subject.learned.of(run.subject.model).way?.takesToolParts === false;
  if (isAdapted) {
    const evidence = l10n.t('The service accepts tool results only as text');
    return { toolResult: { result: 'limited', evidence, exchangeId } };
  }
  return {
    toolResult:
      text.trim() === ''
        ? { result: 'fails', evidence: l10n.t('No response after the tool result'), exchangeId }
        : { result: 'works', evidence: quoted(text), exchangeId },
  };
}

function sentBack(block: Message['content'][number]): readonly Exclude<MessageParam['content'], string>[number][] {
  if (block.type === 'text') return [block];
  if (block.type === 'thinking') return block.isFromText ? [] : [block];
  if (block.type !== 'tool_use') return [];
  return [{ ...block, input: isObject(block.input) ? block.input : {} }];
}

async function checkJsonMode(run: CheckRun): Promise<Findings> {
  if (run.service === 'anthropic')
    return { jsonMode: { result: 'notOffered', evidence: l10n.t("The service doesn't support JSON mode") } };
  const content = 'Return a JSON object with the property "capital" and the capital of France as its value.';
  const request = { messages: [{ role: 'user' as const, content }], max_tokens: mostTokens };
  const first = await jsonFinding(run, request, { type: 'json_object' });
  if (first.result === 'works' || first.result === 'notChecked') return { jsonMode: first };
  // llama.cpp and others restrict an answer only if they know its schema.
  const schema = {
    type: 'object',
    properties: { capital: { type: 'string', maxLength: 40 } },
    required: ['capital'],
    additionalProperties: false,
  };
  const second = await jsonFinding(run, request, { type: 'json_schema', json_schema: { name: 'answer', schema } });
  if (second.result !== 'works') return { jsonMode: first };
  return { jsonMode: { ...second, result: 'limited', evidence: l10n.t('Requires a JSON schema') } };
}

async function jsonFinding(run: CheckRun, request: Omit<MessageRequest, 'model'>, format: object): Promise<Finding> {
  const { raw, error, exchange } = await run.completion(request, { response_format: format });
  const exchangeId = exchange?.id;
  if (error && (raw.text === '' || !tellsOfModel(error)))
    return { result: refusedOf(error), evidence: words(error), exchangeId };
  const isValid = isObject(parseJson(raw.text));
  const evidence = isValid ? l10n.t('Valid JSON') : l10n.t('Invalid JSON: {0}', quoted(raw.text));
  return { result: isValid ? 'works' : 'fails', evidence, exchangeId };
}

/** 64 × 64 pixels of red. */
const redImage =
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAIAAAAlC+aJAAAAT0lEQVR42u3PQQkAAAgEsIty/dMYyQi+hcEKLNO+FgEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQGBywI6LQEAwyG+sAAAAABJRU5ErkJggg==';

async function checkImages(run: CheckRun): Promise<Findings> {
  if (run.subject.known.images === false)
    return { images: { result: 'notOffered', evidence: l10n.t("The model doesn't support image input") } };
  const image = { type: 'base64' as const, media_type: 'image/png', data: redImage };
  const { raw, error, exchange, message } = await run.chat({
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Which color is this image? Answer with one word.' },
          { type: 'image', source: image },
        ],
      },
    ],
    max_tokens: mostTokens,
  });
  const exchangeId = exchange?.id;
  if (error) {
    const option = /mmproj/.test(error.message) ? { option: run.option('images') } : {};
    return { images: { result: refusedOf(error), evidence: words(error), exchangeId, ...option } };
  }
  const text = textOf(message) || raw.text;
  const evidence = l10n.t('Described a red image as {0}', quoted(beginning(text)));
  return { images: { result: /\bred|crimson|scarlet|红/i.test(text) ? 'works' : 'limited', evidence, exchangeId } };
}

async function checkLogProbabilities(run: CheckRun): Promise<Findings> {
  const none: Finding = { result: 'notOffered', evidence: l10n.t('The response contains no log probabilities') };
  if (run.service === 'anthropic') return { logProbabilities: none };
  const request = { messages: [question], max_tokens: 16 };
  const { raw, error, exchange } = await run.completion(request, { logprobs: true, top_logprobs: 5 });
  const exchangeId = exchange?.id;
  if (error && (raw.text === '' || !tellsOfModel(error)))
    return { logProbabilities: { result: refusedOf(error), evidence: words(error), exchangeId } };
  if (raw.alternatives === undefined) return { logProbabilities: { ...none, exchangeId } };
  const evidence =
    raw.alternatives === 1
      ? l10n.t('1 alternative per token')
      : l10n.t('{0} alternatives per token', run.number(raw.alternatives));
  return { logProbabilities: { result: 'works', evidence, exchangeId } };
}

/** A server may run a model with less context than it can take. */
async function checkLimits(run: CheckRun): Promise<Findings> {
  const { model, known } = run.subject;
  const { listed, listing } = run;
  const { error, exchange } = listing ?? {};
  const info = listed.find(({ id }) => id === model);
  const exchangeId = exchange?.id;
  const served = info?.contextLength;
  const own = trainedContextOf(exchange, model) ?? known.contextTokens;
  const unknown: Finding = {
    result: 'notChecked',
    evidence: error ? words(error) : l10n.t("The service didn't report a limit"),
    exchangeId,
  };
  const reported = (tokens: number | undefined): Finding =>
    tokens === undefined
      ? unknown
      : { result: 'works', evidence: l10n.t('{0} tokens', run.number(tokens)), exchangeId };
  const option = served !== undefined && own !== undefined && served < own ? run.option('context', own) : undefined;
  const evidence = l10n.t('Server: {0} tokens. Model: {1} tokens.', run.number(served ?? 0), run.number(own ?? 0));
  run.limits = present({ contextTokens: served, outputTokens: info?.maxOutputTokens });
  return {
    context: option === undefined ? reported(served) : { result: 'limited', evidence, exchangeId, option },
    responseLength: reported(info?.maxOutputTokens),
  };
}

/** llama.cpp lists the context that the model was trained with next to the one that the server gives it. */
function trainedContextOf(exchange: Exchange | undefined, model: string): number | undefined {
  try {
    const body: unknown = JSON.parse(exchange?.response?.body ?? '');
    const list: unknown = isObject(body) ? body['data'] : undefined;
    const entry = Array.isArray(list) ? list.filter(isObject).find(({ id }) => id === model) : undefined;
    const trained = isObject(entry?.['meta']) ? entry['meta']['n_ctx_train'] : undefined;
    return typeof trained === 'number' && trained > 0 ? trained : undefined;
  } catch {
    return undefined;
  }
}

async function checkRanking(run: CheckRun): Promise<Findings> {
  const { client, model } = run.subject;
  const documents = ['Bananas are yellow.', 'Paris is the capital of France.'];
  const query = 'capital of France';
  let list: RankedList | undefined;
  const { error, exchange } = await run.sending(async () => {
    const limits = { documents: documents.length, tokens: Number.POSITIVE_INFINITY };
    const create: CreateRanking = (slice, ending) => client.rerank.create(slice, ending);
    list = await rankInSlices(create, { model, query, documents }, { limits }, run.signal);
  });
  const exchangeId = exchange?.id;
  if (error) {
    run.firstError = error;
    return { ranks: { result: refusedOf(error), evidence: words(error), exchangeId } };
  }
  const { scores = [], unranked } = list ?? {};
  const said = scores.map(({ score }) => scoreText(score, run.subject.language, [0, 4])).join(', ');
  if (unranked === 'noScores') {
    const evidence = l10n.t('The response contains no scores');
    return { ranks: { result: 'fails', evidence, exchangeId }, scores: { result: 'fails', evidence, exchangeId } };
  }
  const ranks = (): Pick<Finding, 'result' | 'evidence'> => {
    if (unranked === 'sameScores') return { result: 'fails', evidence: l10n.t('Both documents have the same score') };
    return scores[0]?.index === 1
      ? { result: 'works', evidence: l10n.t('Ranked the matching document first') }
      : { result: 'fails', evidence: l10n.t('Ranked the other document first') };
  };
  return {
    ranks: { ...ranks(), exchangeId },
    scores: { result: scores.length === documents.length ? 'works' : 'limited', evidence: said, exchangeId },
  };
}

/** Returns what the client uses from now on. Rows that were not checked change nothing. */
function learnedFrom({ findings, limits, subject }: CheckRun): LearnedModel {
  const works = (id: CheckId) => {
    const result = findings[id]?.result;
    return result === undefined || result === 'notChecked' ? undefined : result === 'works' || result === 'limited';
  };
  const flag = (name: keyof CheckedModel, id: CheckId) => {
    const value = works(id);
    return value === undefined ? {} : { [name]: value };
  };
  const checked: CheckedModel = {
    at: subject.now(),
    ...flag('tools', 'toolCall'),
    ...flag('images', 'images'),
    // Its requests have no schema.
    ...(works('jsonMode') !== undefined && { jsonMode: findings.jsonMode?.result === 'works' }),
    ...flag('logProbabilities', 'logProbabilities'),
    ...limits,
  };
  const prefills = works('continues');
  return { checked, ...(prefills !== undefined && { way: { prefills } }) };
}

function textOf(message: Message | undefined): string {
  return (message?.content ?? []).map((block) => (block.type === 'text' ? block.text : '')).join('');
}

function endpointOf(exchange: Exchange | undefined): string {
  return exchange?.path.match(/\/[\w-]+(?:\/completions)?$/)?.[0] ?? '';
}

/** Returns as much of a description as the row of a page shows. */
function beginning(text: string): string {
  const whole = text.trim();
  return whole.length <= 32 ? whole : `${whole.slice(0, 31).trimEnd()}…`;
}

function quoted(text: string): string {
  return `"${foreign(text.trim(), 60)}"`;
}

function words({ message }: ApiError): string {
  return foreign(message, 160);
}

function resultOf(error: ApiError): 'fails' | 'notChecked' {
  return tellsOfModel(error) ? 'fails' : 'notChecked';
}

/** For what a model or service need not have. */
function refusedOf(error: ApiError): 'fails' | 'notOffered' | 'notChecked' {
  const result = resultOf(error);
  return result === 'fails' && refusals.has(error.kind) ? 'notOffered' : result;
}

const refusals: ReadonlySet<ApiErrorKind> = new Set<ApiErrorKind>(['badRequest', 'notOffered', 'notFound']);
