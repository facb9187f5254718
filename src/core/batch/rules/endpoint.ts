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

/** What a model must be able to do for an endpoint; unset where a list of models does not tell. */
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

/** What tells the endpoint of a line. */
interface LineSigns {
  readonly url: unknown;
  readonly hasParams: boolean;
  /** The names of the members of its body; `undefined` if it has none. */
  readonly body: ReadonlySet<string> | undefined;
}

/**
 * Returns what a line asks for. If the line doesn't say so, or names an endpoint that batches of the service can't be for, it is taken for
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

/** Whether batches of a service may be for an endpoint: those that it lists, or any where not all are known. */
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

/** What Anthropic calls the body is accepted for OpenRouter, too, and sent as what it is there. */
export function bodyNameBy({ hasParams, body }: Omit<LineSigns, 'url'>, { line, form }: BatchRules): 'body' | 'params' {
  if (line === 'params') return hasParams || !body ? 'params' : 'body';
  return form === 'openrouter' && hasParams && !body ? 'params' : 'body';
}
