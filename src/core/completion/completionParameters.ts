import { boundIssues, withOwn, type OwnBounds } from '../api/bounds';
import { completionBounds } from '../api/completions/completions.bounds';
import type { CompletionRequest } from '../api/completions/completions.schema';
import type { ParameterIssue } from '../api/parameters';
import { parametersAt, refusalOf } from '../parameters/parameterTable';
import type { NumberAt, ParameterAt } from '../parameters/parameterTable';
import { refusedAmong } from '../parameters/refusal';
import type { Refusal } from '../parameters/refusal';
import { isObject } from '../api/isObject';

/** The completion parameters a user has set, under their wire names. Unset ones are not sent. */
export interface CompletionParameters extends Readonly<Partial<Record<NumberAt<'completions'>, number>>> {
  readonly stop?: readonly string[];
  /** Token id -> bias. */
  readonly logit_bias?: Readonly<Record<string, number>>;
}

export type CompletionParameterName = keyof CompletionParameters;

/** In display order. */
export const completionParameterNames: readonly CompletionParameterName[] = parametersAt('completions').filter(
  (name) => name !== 'suffix',
);

export function isCompletionParameter(name: string): name is CompletionParameterName {
  return completionParameterNames.some((one) => one === name);
}

/** The range of a bias. https://platform.openai.com/docs/api-reference/completions/create */
export const biasBounds = { min: -100, max: 100 } as const;

/** Token ids are whole numbers from 0. */
export const tokenIdPattern = /^(0|[1-9]\d*)$/;

/** Returns everything that prevents the parameters from being sent, in the order of `completionParameterNames`. */
export function checkCompletionParameters(parameters: CompletionParameters): readonly ParameterIssue[] {
  return completionParameterNames.flatMap((name) => checkCompletionParameter(name, parameters[name]));
}

/** Returns what is wrong with one value of any type. Unset values are always valid. `own`: the bounds of the service. */
export function checkCompletionParameter(
  name: CompletionParameterName,
  value: unknown,
  own: OwnBounds = {},
): readonly ParameterIssue[] {
  if (value === undefined || value === null) return [];
  if (name === 'stop') return isTexts(value) ? [] : [{ parameter: name, rule: 'type', bound: 'array' }];
  if (name === 'logit_bias') {
    if (!isObject(value)) return [{ parameter: name, rule: 'type', bound: 'object' }];
    return Object.entries(value).flatMap(([token, bias]) => checkBias(token, bias));
  }
  if (typeof value !== 'number') return [{ parameter: name, rule: 'type', bound: 'number' }];
  return boundIssues({ [name]: value }, withOwn(completionBounds, own.completions));
}

/** Returns what is wrong with one entry of `logit_bias`. */
export function checkBias(token: string, bias: unknown): readonly ParameterIssue[] {
  const parameter = `logit_bias.${token}`;
  if (!tokenIdPattern.test(token)) {
    return [{ parameter, rule: 'pattern', bound: tokenIdPattern.source, actual: token }];
  }
  if (typeof bias !== 'number') return [{ parameter, rule: 'type', bound: 'number' }];
  if (bias < biasBounds.min) return [{ parameter, rule: 'min', bound: biasBounds.min, actual: bias }];
  return bias > biasBounds.max ? [{ parameter, rule: 'max', bound: biasBounds.max, actual: bias }] : [];
}

/** Returns the valid entries of a stored value; drops the others, and those a later version added. */
export function readCompletionParameters(raw: unknown): CompletionParameters {
  if (!isObject(raw)) return {};
  const valid = completionParameterNames.filter(
    (name) => raw[name] !== undefined && raw[name] !== null && checkCompletionParameter(name, raw[name]).length === 0,
  );
  return Object.fromEntries(valid.map((name) => [name, raw[name]]));
}

/** The inputs of a completion request. */
export interface CompletionTerms {
  readonly model: string;
  readonly prompt: string;
  /** The text after the gap, if the middle is to be filled in. */
  readonly suffix?: string | undefined;
  readonly parameters: CompletionParameters;
  /** Parameters the model was seen to refuse; not sent. */
  readonly refused: readonly RefusableName[];
}

/** What a model can reject. The suffix isn't a parameter that a user sets. */
export type RefusableName = ParameterAt<'completions'>;

export const refusableNames: readonly RefusableName[] = parametersAt('completions');

/** Returns the part of a request that a rejection is about, or `undefined` if it is about none that was sent. */
export function refusedName(refusal: Refusal, request: CompletionRequest): RefusableName | undefined {
  const sent = refusableNames.filter((name) => request[name] !== undefined && request[name] !== null);
  return refusedAmong(refusal, sent, refusalOf);
}

/** Builds the request from what is set and not refused. Empty lists are not sent. */
export function toCompletionRequest({
  model,
  prompt,
  suffix,
  parameters,
  refused,
}: CompletionTerms): CompletionRequest {
  const isSent = (name: RefusableName, value: unknown) => !refused.includes(name) && !isEmpty(value);
  const set = completionParameterNames.filter((name) => isSent(name, parameters[name]));
  return {
    model,
    prompt,
    ...(isSent('suffix', suffix) ? { suffix } : {}),
    ...Object.fromEntries(set.map((name) => [name, parameters[name]])),
  };
}

function isEmpty(value: unknown): boolean {
  return value === undefined || (typeof value === 'object' && Object.keys(value ?? {}).length === 0);
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}
