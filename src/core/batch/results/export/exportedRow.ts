import { contentText, readChoices } from '../resultChoices';
import type { Choice } from '../resultChoices';
import { readResultLine } from '../rowTexts';
import type { RowPart, RowTexts } from '../rowTexts';
import type { Failure } from '../resultLine';
import type { ResultState } from '../resultsView';
import { listOf, objectOf, parseObject, textOf } from '../../scan/jsonValue';
import type { JsonObject } from '../../scan/jsonValue';

/** A request and its result for export, with complete texts. */
export interface ExportedRow {
  readonly customId: string;
  readonly state: ResultState;
  readonly isFailed: boolean;
  /** The line in the input, from 1. */
  readonly line: number | undefined;
  /** The request's body, or the line as it is if it has none. */
  readonly request: JsonObject | string | undefined;
  /** The last user message. */
  readonly asked: string;
  readonly choices: readonly Choice[];
  /** A body that is not a chat response. */
  readonly other: JsonObject | undefined;
  readonly failure: Failure | undefined;
  readonly status: number | undefined;
  readonly model: string | undefined;
  readonly tokensIn: number | undefined;
  readonly tokensOut: number | undefined;
  readonly isTooLong: boolean;
}

export function readExported(part: RowPart, texts: RowTexts & { readonly isTooLong: boolean }): ExportedRow {
  const line = texts.request === undefined ? undefined : parseObject(texts.request);
  const body = objectOf(line?.['body']);
  const result = readResultLine(texts.result);
  const choices = result?.body ? readChoices(result.body) : [];
  const isOther = result?.body !== undefined && !result.failure && !('choices' in result.body) && choices.length === 0;
  return {
    customId: [result?.customId, textOf(line?.['custom_id']), texts.id].find(Boolean) ?? '',
    state: part.state,
    isFailed: part.isFailed,
    line: part.line === undefined ? undefined : part.line + 1,
    request: body ?? texts.request,
    asked: askedIn(body) ?? texts.request ?? '',
    choices,
    other: isOther ? result.body : undefined,
    failure: result?.failure,
    status: result?.status,
    model: result?.model ?? textOf(body?.['model']),
    tokensIn: part.tokensIn,
    tokensOut: part.tokensOut,
    isTooLong: texts.isTooLong,
  };
}

function askedIn(body: JsonObject | undefined): string | undefined {
  if (!body) return undefined;
  const messages = listOf(body['messages']).map((message) => objectOf(message) ?? {});
  const asked = messages.findLast(({ role }) => role === 'user') ?? messages.at(-1);
  return contentText(asked?.['content']);
}
