import { readContent } from '../preview/lineContent';
import { cutText, readPreview } from '../preview/previewLine';
import { beginning, inOneLine } from '../preview/shortText';
import { objectOf, textOf, toJson } from '../scan/jsonValue';
import { parsePart, parseResult } from './parseResult';
import type { JsonObject } from '../scan/jsonValue';
import { choiceText, isChat, otherText, readChoices } from './resultChoices';
import type { Choice } from './resultChoices';
import { readResult } from './resultLine';
import type { Failure, ResultLine } from './resultLine';
import type { ResultChoice, ResultDetails, ResultsRow, RowPart, DetailsPart } from './resultsView';

const longestName = 200;
const longestText = 240;
const longestId = 10_000;
/** The most characters to show of a request's messages, and of an answer. */
const mostCharacters = 200_000;
const fewestOfChoice = 2000;

/** Lines as they are in their files, or `undefined` if one is missing or too long. */
export interface RowTexts {
  readonly request: string | undefined;
  readonly result: string | undefined;
  /** If none of the lines has one. */
  readonly id: string;
}

export function readResultLine(text: string | undefined): ResultLine | undefined {
  const line = text === undefined ? undefined : parsePart(text);
  return line && readResult(line);
}

/** Returns the request as a line: that of the input, else the one that some services repeat in the result. */
function requestIn({ request, result }: RowTexts): string | undefined {
  if (request !== undefined || result === undefined) return request;
  const line = parseResult(result);
  const repeated = ['request', 'modelInput', 'body'].find((name) => objectOf(line?.[name]) !== undefined);
  const isOwn = repeated !== 'body' || line?.['response'] !== undefined;
  return repeated !== undefined && isOwn ? toJson({ body: line?.[repeated] }) : undefined;
}

/** Returns a row of the table. */
export function readRow(part: RowPart, texts: RowTexts, mostOfId = longestName): ResultsRow {
  const { result, id } = texts;
  const request = requestIn(texts);
  const content = request === undefined ? undefined : readContent(request);
  const answered = readResultLine(result);
  const message = content?.messages.findLast(({ role }) => role === 'user') ?? content?.messages.at(-1);
  const customId = [answered?.customId, content?.customId, id].find(Boolean) ?? '';
  return {
    ...part,
    customId: beginning(customId, mostOfId),
    request: inOneLine(message?.text ?? (content ? '' : (request ?? '')), longestText),
    answer: inOneLine(answered ? answerText(answered) : '', longestText),
    model: beginning(answered?.model ?? content?.model ?? '', longestName),
    ...(answered?.finish !== undefined && { finish: beginning(answered.finish, longestName) }),
  };
}

/** Returns an answer as one text, or the error if it failed. */
export function answerText({ failure, body }: ResultLine): string {
  if (failure) return failureText(failure);
  const choices = readChoices(body ?? {});
  return choices.length > 0 || !body || isChat(body) ? choices.map(choiceText).join('\n\n') : otherText(body);
}

/** Returns the code and message of an error as one text. */
export function failureText({ code, message }: Failure): string {
  return [code, message].filter((text) => text !== '').join(' · ');
}

export function readDetails(part: DetailsPart, texts: RowTexts): ResultDetails {
  const result = readResultLine(texts.result);
  const { customId, model } = readRow(part, texts, longestId);
  const request = requestIn(texts);
  const content = request === undefined ? undefined : readPreview(request, mostCharacters);
  const { failure, body, status, usage } = result ?? {};
  const requested = request === undefined ? undefined : readContent(request)?.model;
  const isOfOther = result?.model !== undefined && requested !== undefined && result.model !== requested;
  const choices = body ? readChoices(body) : [];
  const isOther = body !== undefined && failure === undefined && choices.length === 0 && !isChat(body);
  return {
    ...part,
    customId,
    model,
    ...(isOfOther && { requestedModel: beginning(requested, longestName) }),
    ...idsIn(texts.result, body),
    ...(content && { request: requestOf(content) }),
    ...(failure && { failure: { ...(status !== undefined && { status }), ...failure } }),
    choices: choices.map((choice) => toChoice(choice, choices.length)),
    ...(isOther && { other: cutText(otherText(body), mostCharacters) }),
    ...(usage?.reasoning !== undefined && { reasoningTokens: usage.reasoning }),
  };
}

/** Returns the service's ids of a result. */
function idsIn(line: string | undefined, body: JsonObject | undefined) {
  const completionId = textOf(body?.['id']);
  const requestId = textOf(objectOf(line === undefined ? undefined : parseResult(line)?.['response'])?.['request_id']);
  return {
    ...(completionId && { completionId: beginning(completionId, longestName) }),
    ...(requestId && { requestId: beginning(requestId, longestName) }),
  };
}

function requestOf({
  messages,
  omitted,
  parameters,
  raw,
}: ReturnType<typeof readPreview>): NonNullable<ResultDetails['request']> {
  return { messages, omitted, parameters, ...(raw && { raw }) };
}

function toChoice({ reasoning, text, refusal, calls, finish }: Choice, count: number): ResultChoice {
  const share = Math.max(fewestOfChoice, Math.floor(mostCharacters / count));
  return {
    reasoning: cutText(reasoning, share),
    text: cutText(text, share),
    refusal: cutText(refusal, share),
    calls: calls.map((call) => ({
      name: beginning(call.name, longestName),
      arguments: cutText(call.arguments, share),
    })),
    ...(finish !== undefined && { finish }),
  };
}
