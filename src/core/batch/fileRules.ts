import { isObject } from '../api/isObject';
import { knownJobs } from '../catalogue/jobs';
import type { CatalogueModel, ModelJob } from '../catalogue/model';
import { nearestIds } from '../catalogue/nearestIds';
import type { BatchRules } from './services/batchRules';
import { countInputTokens } from '../tokens/countTokens';
import { estimateErrorPercent } from '../tokens/estimate';
import type { Problem, Span } from './problem';
import type { LineReading } from './line';
import { isTaken, jobOf, kindOf, type EndpointKind } from './rules/endpoint';
import { bodyWords, envelopeWords, fileWords } from './words/lineWords';

/** A problem that a request has because of the requests before it. */
export interface RequestFinding extends Omit<Problem, 'span'> {
  /** The part of the line to mark. */
  readonly at: 'customId' | 'model' | 'url' | 'start' | Span;
}

const none: readonly RequestFinding[] = [];

/** The data about a model from a model list. Plain data, because it is passed to workers. */
export interface ListedModel {
  /** Its purposes. Unset if the service doesn't list them. */
  readonly jobs?: readonly ModelJob[];
  /** The most tokens of a request with its answer, and of an answer. */
  readonly context?: number;
  readonly longestAnswer?: number;
}

/** The models that the service lists, by id. */
export type ListedModels = ReadonlyMap<string, ListedModel>;

/** Returns `undefined` if no models are listed: models are not checked then. */
export function listedModels(models: readonly CatalogueModel[]): ListedModels | undefined {
  if (models.length === 0) return undefined;
  return new Map(models.map((model) => [model.id, listedModel(model)]));
}

function listedModel(model: CatalogueModel): ListedModel {
  const { contextLength, maxOutputTokens, types, subTypes } = model;
  // The name of a model alone is no reason to report it.
  const jobs = types.length + subTypes.length > 0 ? knownJobs(model) : undefined;
  return {
    ...(jobs && { jobs }),
    ...(contextLength !== undefined && { context: contextLength }),
    ...(maxOutputTokens !== undefined && { longestAnswer: maxOutputTokens }),
  };
}

/** Returns the ids that can be used for an endpoint in a batch, in listed order. */
export function modelsFor(kind: EndpointKind, listed: ListedModels): readonly string[] {
  return [...listed].flatMap(([id, model]) => (canDo(model, kind) ? [id] : []));
}

function canDo({ jobs }: ListedModel, kind: EndpointKind): boolean {
  const job = jobOf[kind];
  return job === undefined || (jobs?.includes(job) ?? true);
}

/** The endpoint of a request. */
export interface RequestedModel {
  readonly model: string;
  readonly kind: EndpointKind;
  /** The endpoint as the line names it, if it does. */
  readonly url?: string | undefined;
}

/** Checks that all lines use the same model and that it is listed for their endpoints. Call it once per request, in file order. */
export type ModelRule = (request: RequestedModel) => readonly RequestFinding[];

/** For so many models of a file that are not listed, similar ones are searched. */
const mostCompared = 100;

/** Without `listed`, unknown models are not reported. */
export function createModelRule(listed: ListedModels | undefined): ModelRule {
  const known = new Map<string, readonly RequestFinding[]>();
  const fitting = new Map<EndpointKind, readonly string[]>();
  let first: string | undefined;
  let unlistedSoFar = 0;

  const modelsOf = (kind: EndpointKind): readonly string[] => {
    let found = fitting.get(kind);
    if (!found) fitting.set(kind, (found = listed ? modelsFor(kind, listed) : []));
    return found;
  };
  const unlisted = ({ model, kind, url = '' }: RequestedModel): readonly RequestFinding[] => {
    const found = listed?.get(model);
    if (!listed || listed.size === 0 || (found && canDo(found, kind))) return none;
    const suggestions = unlistedSoFar++ < mostCompared ? nearestIds(model, modelsOf(kind)) : [];
    const nearest = suggestions.map((id) => `"${id}"`).join(', ');
    if (found && kind !== 'chat') {
      return [{ code: 'model.not-chat', message: bodyWords.modelNotFor(model, url), suggestions, at: 'model' }];
    }
    const alone = found ? bodyWords.modelNotChat : bodyWords.modelUnknown;
    const withNearest = found ? bodyWords.modelNotChatNearest : bodyWords.modelUnknownNearest;
    const message = nearest === '' ? alone(model) : withNearest(model, nearest);
    return [{ code: found ? 'model.not-chat' : 'model.unknown', message, suggestions, at: 'model' }];
  };
  const findings = (request: RequestedModel): readonly RequestFinding[] => {
    const { model } = request;
    if (first === undefined || model === first) return unlisted(request);
    const message = bodyWords.modelMixed(model, first);
    return [{ code: 'model.mixed', message, suggestions: [first], at: 'model' }, ...unlisted(request)];
  };
  return (request) => {
    const key = request.kind === 'chat' ? request.model : `${request.kind} ${request.model}`;
    let found = known.get(key);
    if (!found) known.set(key, (found = findings(request)));
    first ??= request.model;
    return found;
  };
}

/**
 * Checks that all lines ask for the same one of the service's endpoints. Call it once per request, in file order. Without a URL, a line asks
 * for what its body is for if the service has no URLs in lines.
 */
export function createUrlRule(
  rules: BatchRules,
): (request: { readonly url: string | undefined; readonly kind: EndpointKind }) => readonly RequestFinding[] {
  let first: string | undefined;
  const { endpoints, form } = rules;
  return ({ url: written, kind }) => {
    const url = written ?? (form === 'openrouter' ? endpoints.find((one) => kindOf(one) === kind) : undefined);
    if (url === undefined || url === first || rules.line !== 'request' || !isTaken(url, rules)) return none;
    if (first === undefined) {
      first = url;
      return none;
    }
    const message = envelopeWords.urlMixed(url, first);
    return [{ code: 'url.mixed', message, suggestions: [first], at: 'url' }];
  };
}

const answerLength = /(?<!\\)"max_(?:completion_|output_)?tokens"\s*:\s*(\d{1,15})/g;

/** Checks a request against the model's listed limits. `bytes` is the size of the line. */
export function limitFindings(
  { context, longestAnswer }: ListedModel,
  bytes: number,
  text: () => string,
): readonly RequestFinding[] {
  const found: RequestFinding[] = [];
  // No token takes less than a byte.
  if (context !== undefined && context > 0 && bytes > context) {
    const tokens = tokensIn(text());
    if (tokens * (1 - estimateErrorPercent / 100) > context) {
      const message = bodyWords.beyondContext(tokens.toLocaleString('en'), context.toLocaleString('en'));
      found.push({ code: 'message.beyond-context', message, at: 'model' });
    }
  }
  if (longestAnswer === undefined || longestAnswer <= 0) return found;
  for (const { 0: all, 1: digits = '', index } of text().matchAll(answerLength)) {
    if (Number(digits) <= longestAnswer) continue;
    const message = bodyWords.beyondModel(longestAnswer.toLocaleString('en'));
    const end = index + all.length;
    found.push({ code: 'parameter.beyond-model', message, at: { start: end - digits.length, end } });
    break;
  }
  return found;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Estimates the tokens of the input of a line; 0 if it is not a request. */
function tokensIn(line: string): number {
  const request = parsed(line);
  return isObject(request) ? countInputTokens(request['body'] ?? request['params']) : 0;
}

/** Returns the problems that a request has because of its zero-based number alone. */
export function numberFindings(request: number, { requests, isSplit }: BatchRules): readonly RequestFinding[] {
  if (request !== requests) return none;
  const most = requests.toLocaleString('en');
  const message = isSplit ? fileWords.partsByRequests(most) : fileWords.tooManyRequests(most);
  return [{ code: 'file.too-many-requests', message, at: 'start' }];
}

export function duplicateFinding(id: string, firstLine: number): RequestFinding {
  return {
    code: 'custom-id.duplicate',
    message: envelopeWords.idDuplicate(id, firstLine + 1),
    firstLine,
    at: 'customId',
  };
}

/** Returns all problems of a line, sorted by position. */
export function withFindings(
  reading: Omit<LineReading, 'isBlank'>,
  findings: readonly RequestFinding[],
): readonly Problem[] {
  if (findings.length === 0) return reading.problems;
  const placed = findings.map(({ at, ...finding }) => ({
    ...finding,
    span: typeof at === 'object' ? at : ((at === 'start' ? undefined : reading[at]?.span) ?? lineStart),
  }));
  if (placed.length === 1 && reading.problems.length === 0) return placed;
  return [...reading.problems, ...placed].toSorted((a, b) => a.span.start - b.span.start);
}

const lineStart = { start: 0, end: 1 };
