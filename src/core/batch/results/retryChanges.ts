import { setImmediate } from 'node:timers/promises';
import type { ProgressMonitor } from '../../async/progressMonitor';
import { toApiError } from '../../api/parseError';
import { statedLimits } from '../../capabilities/statedLimits';
import { rootOf } from '../fixes/fixLine';
import { insertEdit, removeEdit, replaceEdit } from '../fixes/jsonEdits';
import { applyEdits } from '../fixes/lineChange';
import { kindOf } from '../rules/endpoint';
import { member } from '../scan/jsonTree';
import type { JsonNode } from '../scan/jsonTree';
import type { Failure } from './resultLine';
import type { ResultsTable } from './resultsTable';
import { readResultLine } from './rowTexts';

/** A change to the body of a request. */
export type RequestChange =
  | { readonly kind: 'set'; readonly name: string; readonly value: number }
  | { readonly kind: 'rename'; readonly name: string; readonly to: string }
  | { readonly kind: 'remove'; readonly name: string };

/** A change, or several that set the same parameter to values from `least` to `most`, with the number of requests. */
export type CountedChange = { readonly count: number } & (
  | { readonly kind: 'set'; readonly name: string; readonly least: number; readonly most: number }
  | Exclude<RequestChange, { readonly kind: 'set' }>
);

/** What a retry of requests would meet again if they are sent unchanged. */
export interface RetryAdvice {
  /** Requests that the service rejected for their content, and will again. */
  readonly rejected: number;
  /** The first of these rejections. */
  readonly rejection?: Failure;
  /** The changes that the rejections name. */
  readonly changes: readonly CountedChange[];
  /** Responses that a length limit truncated. */
  readonly truncated?: TruncatedAdvice;
}

export interface TruncatedAdvice {
  readonly count: number;
  readonly models: readonly string[];
  /** The highest limit in the requests, if any has one. */
  readonly limit?: number;
  /** The most tokens of a prompt and of a response. */
  readonly input: number;
  readonly output: number;
}

const lengthNames = ['max_tokens', 'max_completion_tokens', 'max_output_tokens'] as const;
/** Longer messages repeat the request. */
const mostChars = 2000;
const rowsAtOnce = 200;
const mostModels = 20;

/** Returns what a retry of rows should change. Leaves out requests that have been edited since they were sent. */
export async function adviseRetry(
  table: ResultsTable,
  rows: readonly number[],
  { signal, onProgress }: ProgressMonitor<[part: number]>,
): Promise<RetryAdvice> {
  const now = await table.currentLine();
  const changes = new Map<string, CountedChange>();
  let rejected = 0;
  let rejection: Failure | undefined;
  const cut = { count: 0, limit: 0, input: 0, output: 0, models: new Set<string>() };
  for (let index = 0; index < rows.length; index++) {
    if (index % rowsAtOnce === 0) {
      await setImmediate();
      signal.throwIfAborted();
      onProgress(index / rows.length);
    }
    const row = rows[index]!;
    const { request, result: text } = table.texts(row);
    const result = readResultLine(text);
    const edited = now?.(row);
    const isEdited = edited !== undefined && table.lineBytes(row) !== undefined && !table.isAsSent(row, edited.bytes);
    if (!result || request === undefined || isEdited) continue;
    const { failure, status, outcome, finish = '', usage } = result;
    if (failure && isLasting(failure, status)) {
      rejected++;
      rejection ??= failure;
      for (const change of changesAfter(failure, request)) addChange(changes, change);
    } else if (outcome === 'truncated' && isLengthEnd(finish)) {
      const body = bodyIn(request);
      const model = result.model ?? member(body, 'model')?.value.value;
      cut.count++;
      for (const name of lengthNames) cut.limit = Math.max(cut.limit, numberOf(body, name) ?? 0);
      cut.input = Math.max(cut.input, usage.input ?? 0);
      cut.output = Math.max(cut.output, usage.output ?? 0);
      if (typeof model === 'string' && cut.models.size < mostModels) cut.models.add(model);
    }
  }
  const { limit, models, ...counts } = cut;
  return {
    rejected,
    ...(rejection && { rejection }),
    changes: [...changes.values()].toSorted((a, b) => b.count - a.count),
    ...(cut.count > 0 && { truncated: { ...counts, models: [...models], ...(limit > 0 && { limit }) } }),
  };
}

function addChange(all: Map<string, CountedChange>, change: RequestChange): void {
  const key = `${change.kind} ${change.name} ${change.kind === 'rename' ? change.to : ''}`;
  const before = all.get(key);
  const count = (before?.count ?? 0) + 1;
  if (change.kind !== 'set') {
    all.set(key, { ...change, count });
    return;
  }
  const { kind, name, value } = change;
  const { least, most } = before?.kind === 'set' ? before : { least: value, most: value };
  all.set(key, { kind, name, count, least: Math.min(least, value), most: Math.max(most, value) });
}

/** Why answers end that a higher limit would make longer, as services say it. */
function isLengthEnd(finish: string): boolean {
  return /length|token|incomplete/i.test(finish);
}

/** What no other attempt can change: the service rejects the request for what is in it. */
export function isLasting({ code, message }: Failure, status: number | undefined): boolean {
  const { kind, details } = toApiError({
    status: status !== undefined && status >= 400 ? status : 200,
    headers: {},
    body: JSON.stringify({ error: { code, type: code, message } }),
    now: 0,
  });
  // These are of the moment, or of the account.
  if (details.hint === 'badCall' || details.hint === 'noMemory' || details.hint === 'verification') return false;
  return ['badRequest', 'tooLong', 'requestTooLarge', 'moderation', 'unknownModel'].includes(kind);
}

/** Returns the body of a request in the form of any service; `undefined` if it has none. */
function bodyIn(line: string): JsonNode | undefined {
  return bodyOf(rootOf(line));
}

function bodyOf(root: JsonNode | undefined): JsonNode | undefined {
  const body = (member(root, 'body') ?? member(root, 'params'))?.value;
  return body?.kind === 'object' ? body : undefined;
}

function numberOf(body: JsonNode | undefined, name: string): number | undefined {
  const value = member(body, name)?.value.value;
  return typeof value === 'number' ? value : undefined;
}

/** Returns the changes that a rejection names, for parameters that the request has. */
export function changesAfter({ message: text }: Failure, line: string): readonly RequestChange[] {
  const body = bodyIn(line);
  if (!body) return [];
  const message = text.slice(0, mostChars);
  const change = renamedLength(message, body) ?? lessTokens(message, body) ?? withinBounds(message, body);
  const found = change ?? withoutUnsupported(message, body);
  return found ? [found] : [];
}

/** OpenAI: "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead." */
function renamedLength(message: string, body: JsonNode): RequestChange | undefined {
  const to = /(?:\buse|did you mean|\breplaced by|\brenamed to)\W{1,4}(max_\w{1,20})\b/i.exec(message)?.[1];
  const name = lengthNames.find((one) => member(body, one) && one !== to);
  const isName = lengthNames.some((one) => one === to);
  if (to === undefined || name === undefined || !isName || member(body, to)) return undefined;
  return { kind: 'rename', name, to };
}

/** How services say how many tokens a prompt has that doesn't fit together with its answer. */
const promptTokens: readonly RegExp[] = [
  // OpenAI and those like it: "you requested 5000 tokens (904 in the messages, 4096 in the completion)"
  /\((\d{1,9}) (?:in|from) (?:the |your )?(?:messages|prompt|input|text input)/i,
  // vLLM: "your request has 904 input tokens", "your prompt contains at least 904 input tokens"
  /(?:request|prompt) (?:has|contains)(?: at least)? (\d{1,9}) (?:input )?tokens/i,
  // Anthropic: "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000"
  /context limit: (\d{1,9}) \+ \d{1,9} > /i,
  // Text Generation Inference: "Given: 1500 `inputs` tokens and 1000 `max_new_tokens`"
  /given: (\d{1,9}) `?inputs`? tokens/i,
];

function lessTokens(message: string, body: JsonNode): RequestChange | undefined {
  const { outputTokens, contextTokens } = statedLimits(message);
  const prompt = promptTokens.map((pattern) => pattern.exec(message)?.[1]).find((count) => count !== undefined);
  const room = contextTokens === undefined || prompt === undefined ? undefined : contextTokens - Number(prompt);
  const value = outputTokens ?? room;
  const name = lengthNames.find((one) => numberOf(body, one) !== undefined);
  if (value === undefined || value < 1 || name === undefined) return undefined;
  return (numberOf(body, name) ?? 0) > value ? { kind: 'set', name, value } : undefined;
}

const figure = String.raw`(-?\d{1,12}(?:\.\d{1,12})?)`;
const bounds = (source: string) => new RegExp(source.replaceAll('#', figure), 'i');
/** With the end of a sentence or a closing parenthesis: "(0.0, 2.0]", "[0, 1)" */
const ranges: readonly RegExp[] = [
  bounds(String.raw`([[(（])\s*#\s*[,，]\s*#\s*([\])）])`),
  bounds(String.raw`(between) # and #()`),
  bounds(String.raw`(from) # to #()`),
];
const maxima: readonly RegExp[] = [
  bounds(
    String.raw`(?:less than or equal to|<=|at most|no (?:more|larger|greater) than|not exceed|maximum (?:value )?(?:of|is))[^\w-]{0,3}#`,
  ),
];
const minima: readonly RegExp[] = [
  bounds(
    String.raw`(?:greater than or equal to|>=|at least|no (?:less|smaller) than|minimum (?:value )?(?:of|is))[^\w-]{0,3}#`,
  ),
];

/** Brings a number into the bounds that a rejection states for it. */
function withinBounds(message: string, body: JsonNode): RequestChange | undefined {
  const name = namedIn(message, body, ({ kind }) => kind === 'number');
  const now = name === undefined ? undefined : numberOf(body, name);
  if (name === undefined || now === undefined) return undefined;
  const [, opens = '', low, high, closes = ''] = firstOf(ranges, message) ?? [];
  // A step beyond a bound that is excluded: a whole number, unless the range is too small for one.
  const step = Number(high) - Number(low) > 2 ? 1 : 0.01;
  const least = low === undefined ? boundIn(minima, message) : Number(low) + (/[(（]/.test(opens) ? step : 0);
  const most = high === undefined ? boundIn(maxima, message) : Number(high) - (/[)）]/.test(closes) ? step : 0);
  const value = Math.min(Math.max(now, least ?? -Infinity), most ?? Infinity);
  return value === now || !Number.isFinite(value) ? undefined : { kind: 'set', name, value };
}

function firstOf(patterns: readonly RegExp[], message: string): RegExpExecArray | undefined {
  return patterns.map((pattern) => pattern.exec(message)).find((found) => found !== null) ?? undefined;
}

function boundIn(patterns: readonly RegExp[], message: string): number | undefined {
  const found = firstOf(patterns, message)?.[1];
  return found === undefined ? undefined : Number(found);
}

const unsupported =
  /unsupported|not (?:be )?(?:supported|permitted|allowed|accepted|recogni[sz]ed|available)|unknown|unrecogni[sz]ed|unexpected|extra (?:inputs|fields)|deprecated|(?:does not|doesn't|do not|don't|cannot|can't) (?:support|accept|set|use)|no longer|不支持/i;

/** What a request is about can't be removed from it. */
const needed: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'input',
  'prompt',
  'query',
  'documents',
  'tools',
  'functions',
  'system',
  'instructions',
  ...lengthNames,
]);

function withoutUnsupported(message: string, body: JsonNode): RequestChange | undefined {
  if (!unsupported.test(message)) return undefined;
  const name = namedIn(message, body, undefined);
  return name === undefined || needed.has(name) ? undefined : { kind: 'remove', name };
}

/** Returns the member of a body that a message is about: in quotes, at its beginning, or else as a word that isn't an ordinary one. */
function namedIn(
  message: string,
  body: JsonNode,
  accepts: ((value: JsonNode) => boolean) | undefined,
): string | undefined {
  const names = body.members.slice(0, 100).flatMap(({ key, value }) => (!accepts || accepts(value) ? [key] : []));
  const places = names.flatMap((name) => {
    const at = placeOf(name, message);
    return at < 0 ? [] : [{ name, at }];
  });
  return places.toSorted((a, b) => a.at - b.at || b.name.length - a.name.length)[0]?.name;
}

/** Returns where a message names a parameter, or -1. Names that are ordinary words count only in quotes or before a colon. */
function placeOf(name: string, message: string): number {
  const written = name.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
  // A path into a parameter is about a part of it.
  const quoted = new RegExp(String.raw`(?<=['"\x60‘“])${written}(?=['"\x60’”])|^${written}(?=: )`).exec(message);
  if (quoted) return quoted.index;
  if (!/_|^(?:temperature|logprobs|verbosity)$/.test(name)) return -1;
  return new RegExp(String.raw`(?<![\w.])${written}(?![\w.[]\w?)`, 'i').exec(message)?.index ?? -1;
}

/** Returns a request with a change; the line as it is if it has no such parameter. */
export function withChange(line: string, change: RequestChange): string {
  const body = bodyIn(line);
  const found = member(body, change.name);
  if (!body || !found) return line;
  switch (change.kind) {
    case 'set':
      return applyEdits(line, [replaceEdit(found.value, String(change.value))]);
    case 'rename':
      return applyEdits(line, [replaceEdit(found.keySpan, JSON.stringify(change.to))]);
    case 'remove':
      return applyEdits(line, [removeEdit({ object: body, member: found })]);
  }
}

/** Returns a request with another limit of its answer, under the name that it has already or that its endpoint has. */
export function withAnswerLimit(line: string, tokens: number): string {
  const root = rootOf(line);
  const body = bodyOf(root);
  if (!body) return line;
  const all = lengthNames.flatMap((name) => member(body, name) ?? []);
  if (all.length > 0)
    return applyEdits(
      line,
      all.map(({ value }) => replaceEdit(value, String(tokens))),
    );
  const url = member(root, 'url')?.value.value;
  const isResponses = typeof url === 'string' && kindOf(url) === 'responses';
  const key = isResponses ? 'max_output_tokens' : 'max_tokens';
  return applyEdits(line, [insertEdit(line, body, { key, value: String(tokens), after: body.members.at(-1) })]);
}

/** Returns a request whose answer has at least this limit. One without a limit gets it only if it was truncated. */
export function withRaisedLimit(line: string, tokens: number, isTruncated: boolean): string {
  const body = bodyIn(line);
  const limits = lengthNames.flatMap((name) => numberOf(body, name) ?? []);
  const isLow = limits.length === 0 ? isTruncated : limits.some((limit) => limit < tokens);
  return isLow ? withAnswerLimit(line, tokens) : line;
}
