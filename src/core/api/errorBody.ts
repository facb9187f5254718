import { isObject } from './isObject';
import { parseJson } from './parseJson';

/** The contents of an error body in any format: those of the innermost error, because gateways wrap the error of the service they call. */
export interface ErrorFacts {
  /** The service's own message on one line. Missing if the body has none (empty, or a web page). */
  readonly message?: string | undefined;
  readonly code?: number | string | undefined;
  /** The kind of error, as named by Anthropic or OpenAI. */
  readonly type?: string | undefined;
  readonly parameter?: string | undefined;
  readonly requestId?: string | undefined;
  /** Google's name for the quota that was exceeded. */
  readonly quota?: string | undefined;
  /** The model's output that the service couldn't use. */
  readonly generated?: string | undefined;
  /** The title of a web page, or "". */
  readonly page?: string | undefined;
  /** Set if another error with its own message was wrapped around this one. */
  readonly isNested?: true | undefined;
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Maximum depth of nested errors, and maximum length of a text that is searched for one. */
const deepestError = 6;
const longestNestedText = 65_536;

/** Reads any of these shapes, tried in this order: a web page, a JSON string, an error with others inside it, plain text. */
export function readErrorBody(body: string): ErrorFacts {
  const text = body.trim();
  if (text === '') return {};
  if (isHtml(text)) return { page: titleOf(text) };
  if (/^<(?:\?xml|Error>)/i.test(text)) return xmlFacts(text);
  const json = parseJson(text);
  if (typeof json === 'string') return nestedText(json) ?? { message: clean(json) };
  // Google's OpenAI interface wraps the object in a list.
  const object: unknown = Array.isArray(json) ? json[0] : json;
  const facts = isObject(object) ? factsOf(object) : nestedText(text);
  if (
    facts?.message !== undefined ||
    facts?.page !== undefined ||
    (isObject(object) && facts?.code !== undefined && isBare(object))
  )
    return facts;
  return { ...facts, message: clean(text) };
}

/** Reads the error of a store for files, such as a download link that has expired. */
function xmlFacts(text: string): ErrorFacts {
  const [, message] = /<Message>([^<]{1,2000})<\/Message>/i.exec(text) ?? [];
  const [, code] = /<Code>([^<]{1,200})<\/Code>/i.exec(text) ?? [];
  return { message: clean(message ?? text), ...(code !== undefined && { code }) };
}

/** Returns the error in a JSON value; `undefined` if it has neither a message nor a code, nor an object of an error. */
export function factsOf(named: JsonObject, depth = 0): ErrorFacts | undefined {
  const json = withSmallNames(named);
  const own = ownFacts(json);
  const inner = depth < deepestError ? innerFacts(json, depth) : undefined;
  if (!inner && own.message === undefined && own.code === undefined && own.page === undefined) return undefined;
  const isWrapped = own.message !== undefined && inner?.message !== undefined && own.message !== inner.message;
  return { ...own, ...inner, ...(isWrapped && { isNested: true }) };
}

/** Whether an object has only properties of a rejection without a message. */
export function isBare(json: JsonObject): boolean {
  return Object.entries(json).every(
    ([name, value]) => bareMembers.has(name) && (name === 'code' || name === 'status' || value == null || value === ''),
  );
}

const bareMembers: ReadonlySet<string> = new Set(['code', 'message', 'data', 'status']);

export function isHtml(text: string): boolean {
  return /^\s*(<\?xml[^<>]{0,200}>\s*)?(<!doctype html|<html|<head|<body)/i.test(text);
}

/** Returns a text on one line. */
export function clean(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

const largeNames = ['Error', 'Message', 'ErrorMsg', 'Msg', 'Response'] as const;

/** Tencent and AWS write the names of an error with capitals. */
function withSmallNames(json: JsonObject): JsonObject {
  if (!largeNames.some((name) => name in json)) return json;
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => [name.charAt(0).toLowerCase() + name.slice(1), value]),
  );
}

function ownFacts(json: JsonObject): ErrorFacts {
  const { error } = json;
  const listed = [error, json['errors']].map((list) => (Array.isArray(list) ? list[0] : undefined));
  const words = [
    ...titled(error, json['message']),
    json['msg'],
    json['detail'],
    json['error_msg'],
    ...listed.filter((one) => typeof one === 'string'),
  ].find(
    (value) =>
      value != null && !(isObject(value) && isErrorLike(value)) && !(value === error && typeof value !== 'string'),
  );
  const text = typeof words === 'string' ? clean(words) : words == null ? '' : clean(JSON.stringify(words));
  const isPage = isHtml(text);
  const facts = {
    message: text === '' || isPage ? undefined : text,
    page: isPage ? titleOf(text) : undefined,
    isNested: isPage || undefined,
    code: toCode(json['code'] ?? json['error_code']),
    type: toText(json['type']),
    parameter: toText(json['param']),
    requestId: toText(json['request_id']),
    quota: quotaIn(json['details']),
    generated: generatedIn(json),
  };
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}

/** Returns an error and a message, of which the longer one counts if both are texts: the other is its title. */
function titled(error: unknown, message: unknown): readonly unknown[] {
  const isTitle = typeof error === 'string' && typeof message === 'string' && message.length > error.length;
  return isTitle ? [message, error] : [error, message];
}

/** Returns the model's output: Groq has it next to the message, llama.cpp within it. */
function generatedIn({ failed_generation: written, message }: JsonObject): string | undefined {
  const text = toText(message);
  return toText(written) ?? (text && /^Failed to parse input at pos \d+: ([^]+)$/.exec(text)?.[1]);
}

/** `{"details":[{"violations":[{"quotaId":"GenerateRequestsPerDayPerProjectPerModel-FreeTier"}]}]}` */
function quotaIn(details: unknown): string | undefined {
  const lists = Array.isArray(details) ? details.filter(isObject).map(({ violations }) => violations) : [];
  const violations = lists.flatMap((list) => (Array.isArray(list) ? list.filter(isObject) : []));
  const ids = violations.map(({ quotaId }) => toText(quotaId)).filter((id) => id !== undefined);
  return ids.find((id) => id.includes('PerDay')) ?? ids[0];
}

/** Reads the first error inside another: as an object, in a list, or as JSON in a text. OpenRouter has it in `metadata.raw`. */
function innerFacts(json: JsonObject, depth: number): ErrorFacts | undefined {
  const { error, metadata } = json;
  const raw = isObject(metadata) ? metadata['raw'] : undefined;
  for (const value of [
    raw,
    json['upstream_details'],
    json['cause'],
    error,
    json['errors'],
    json['detail'],
    json['message'],
    json['errorMsg'],
    json['response'],
    json['body'],
    typeof json['details'] === 'string' ? json['details'] : undefined,
  ]) {
    // A list under `detail` contains all problems of a request.
    const first: unknown = Array.isArray(value) && value !== json['detail'] ? value[0] : value;
    const facts = nestedFacts(first, { depth: depth + 1, isError: value === error });
    if (facts) return facts;
    if (value === raw && typeof raw === 'string' && raw.trim() !== '' && !isHtml(raw)) return { message: clean(raw) };
  }
  return undefined;
}

function nestedFacts(
  value: unknown,
  { depth, isError }: { readonly depth: number; readonly isError: boolean },
): ErrorFacts | undefined {
  if (typeof value === 'string') return nestedText(value, depth);
  if (!isObject(value)) return undefined;
  return isErrorLike(withSmallNames(value)) ? factsOf(value, depth) : isError ? ownFacts(value) : undefined;
}

const isErrorLike = (json: JsonObject): boolean =>
  ['message', 'msg', 'error', 'code', 'detail'].some((name) => name in json);

/** Reads the JSON of an error in a text, alone or after other words. Python SDKs quote it in Python's notation. */
function nestedText(text: string, depth = 0): ErrorFacts | undefined {
  const from = text.indexOf('{');
  const to = text.lastIndexOf('}');
  if (from < 0 || to < from || depth > deepestError || text.length > longestNestedText) return undefined;
  const quoted = text.slice(from, to + 1);
  const json = parseJson(quoted);
  if (isObject(json)) {
    // Any other object in a sentence is what the sentence is about.
    const isError = quoted === text.trim() ? isErrorLike(json) : isObject(json['error']) || json['type'] === 'error';
    return isError ? factsOf(json, depth) : undefined;
  }
  const message = /\{'error': \{.{0,200}?'message': (?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/s.exec(quoted);
  if (!message) return undefined;
  const code = /'code': '?([\w-]+)/.exec(quoted)?.[1];
  const type = /'type': '([\w-]+)'/.exec(quoted)?.[1];
  return {
    message: clean(message[1] ?? message[2] ?? ''),
    ...(code && code !== 'None' && { code }),
    ...(type && { type }),
  };
}

function toCode(value: unknown): number | string | undefined {
  return typeof value === 'number' ? value : toText(value);
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function titleOf(html: string): string {
  return clean(/<title[^>]*>([^<]*)<\/title>/i.exec(html.slice(0, 10_000))?.[1] ?? '');
}
