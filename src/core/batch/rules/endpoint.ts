import type { ModelJob } from '../../catalogue/model';
import { member } from '../scan/jsonTree';
import type { JsonNode } from '../scan/jsonTree';
import type { BatchRules } from '../services/batchRules';

/** The endpoints whose bodies are known, whatever is before their names in a URL. `other`: anything else. */
export type EndpointKind =
  | 'chat'
  | 'responses'
  | 'messages'
  | 'embeddings'
  | 'completions'
  | 'moderations'
  | 'rerank'
  | 'images'
  | 'videos'
  | 'other';

const endings: readonly (readonly [RegExp, EndpointKind])[] = [
  [/\/chat\/(completions|ds-test)$/, 'chat'],
  [/\/fim\/completions$|\/chat\/moderations$/, 'other'],
  [/\/responses$/, 'responses'],
  [/\/messages$/, 'messages'],
  [/\/embeddings$/, 'embeddings'],
  [/\/completions$/, 'completions'],
  [/\/moderations$/, 'moderations'],
  [/\/rerank$/, 'rerank'],
  [/\/images\/generations$/, 'images'],
  [/\/videos(\/generations)?$/, 'videos'],
];

/** The purpose that a model must have for an endpoint. Unset if model lists don't show it. */
export const jobOf: Readonly<Partial<Record<EndpointKind, ModelJob>>> = {
  chat: 'chat',
  responses: 'chat',
  messages: 'chat',
  embeddings: 'embedding',
  completions: 'completion',
  rerank: 'rerank',
  images: 'image',
  videos: 'video',
};

/** The properties that identify the endpoint of a line. */
interface LineSigns {
  readonly url: unknown;
  readonly hasParams: boolean;
  /** The names of its body's properties, or `undefined` without a body. */
  readonly body: ReadonlySet<string> | undefined;
}

/**
 * Returns the endpoint of a line. If the line doesn't name it, or names an endpoint that the service's batches don't support, it counts as
 * a chat unless its body can only be for another endpoint.
 */
export function endpointOf(root: JsonNode, rules: BatchRules): EndpointKind {
  const body = member(root, 'body')?.value;
  return endpointBy(
    {
      url: member(root, 'url')?.value.value,
      hasParams: member(root, 'params') !== undefined,
      body: body && new Set(body.members.map(({ key }) => key)),
    },
    rules,
  );
}

/** Like `endpointOf`, for lines that are not valid JSON yet. */
export function endpointBy(signs: LineSigns, rules: BatchRules): EndpointKind {
  const { url, body } = signs;
  if (bodyNameBy(signs, rules) === 'params') return 'messages';
  if (typeof url === 'string' && (rules.line !== 'body' || rules.endpoints.includes(url)) && isTaken(url, rules)) {
    const kind = kindOf(url);
    if (kind) return kind;
    return body?.has('messages') ? 'chat' : 'other';
  }
  const isOfOther = rules.line === 'body' || (url === undefined && rules.endpoints.length > 1);
  return isOfOther &&
    !body?.has('messages') &&
    ['input', 'prompt', 'document', 'documents'].some((name) => body?.has(name))
    ? 'other'
    : 'chat';
}

/** Returns the endpoint that a URL ends with, if it is a known one. */
export function kindOf(url: string): EndpointKind | undefined {
  return endings.find(([ending]) => ending.test(url))?.[1];
}

/** Whether a service's batches support an endpoint: those that it lists, or any if not all are known. */
export function isTaken(url: string, { endpoints, severities }: BatchRules): boolean {
  return endpoints.includes(url) || severities['url.unknown'] === 'warning';
}

/** Returns the body of a request, by the name that the service has for it. */
export function bodyOf(root: JsonNode, rules: BatchRules): JsonNode | undefined {
  return member(root, bodyName(root, rules))?.value;
}

export function bodyName(root: JsonNode, rules: BatchRules): 'body' | 'params' {
  const has = (name: string) => member(root, name) !== undefined;
  return bodyNameBy({ hasParams: has('params'), body: has('body') ? noNames : undefined }, rules);
}

const noNames: ReadonlySet<string> = new Set();

/** Anthropic's name of the body is accepted for OpenRouter, too, and sent under the right name. */
export function bodyNameBy({ hasParams, body }: Omit<LineSigns, 'url'>, { line, form }: BatchRules): 'body' | 'params' {
  if (line === 'params') return hasParams || !body ? 'params' : 'body';
  return form === 'openrouter' && hasParams && !body ? 'params' : 'body';
}
