import { batchMethod, batchUrl } from '../../limits';
import { depthOf } from '../../scan/jsonTree';
import type { FileNames } from '../strategy';
import { fromAnthropic, leftOutOf, looksAnthropic } from './anthropic';
import { isObject, parseExact } from './exactJson';
import type { JsonObject } from './exactJson';
import { fromResponses } from './responses';

const deepestConverted = 500;

export interface Conversion {
  readonly text: string;
  /** The line names no model, and none was provided. */
  readonly lacksModel: boolean;
  /** Names of members that a batch request cannot hold and that do not affect the rest of it. */
  readonly leftOut: readonly string[];
}

export interface ConversionNames extends FileNames {
  /** The id to start from for a request that has none. */
  readonly id: string;
}

/**
 * Converts a line in another service's format, or a bare request body, to a batch request. Returns `undefined` if it is neither, or
 * if a batch request cannot express something in it. Numbers keep their digits; of duplicate keys the last one counts.
 */
export function toRequest(text: string, names: ConversionNames): Conversion | undefined {
  const read = readObjects(text);
  if (!read) return undefined;
  const found = bodyOf(read.exact, read.plain);
  if (!found) return undefined;
  const { model, ...rest } = found.body;
  const asked = model ?? names.model;
  const body = asked === undefined ? rest : { model: asked, ...rest };
  const request = { custom_id: idOf(read.exact, names), method: batchMethod, url: batchUrl, body, ...found.others };
  return { text: JSON.stringify(request), lacksModel: asked === undefined, leftOut: found.leftOut ?? [] };
}

/** Whether a line can be converted. */
export function isForeign(text: string): boolean {
  return toRequest(text, { id: '', model: undefined, freshId: (like) => like }) !== undefined;
}

function readObjects(text: string): { readonly exact: JsonObject; readonly plain: JsonObject } | undefined {
  if (depthOf(text) > deepestConverted) return undefined;
  try {
    const plain: unknown = JSON.parse(text);
    const exact = parseExact(text);
    return isObject(plain) && isObject(exact) ? { plain, exact } : undefined;
  } catch {
    return undefined;
  }
}

interface FoundBody {
  readonly body: JsonObject;
  /** Members of the line outside the body. */
  readonly others: JsonObject;
  readonly leftOut?: readonly string[];
}

function bodyOf(line: JsonObject, plain: JsonObject): FoundBody | undefined {
  const { custom_id: _id, method: _method, url, body, params, ...rest } = line;
  if (isObject(params) && isObject(plain.params) && body === undefined) {
    const converted = fromAnthropic(params, plain.params);
    return converted && { body: converted, others: rest, leftOut: leftOutOf(plain.params) };
  }
  if (isObject(body) && isObject(plain.body)) {
    const address = typeof url === 'string' ? url : batchUrl;
    const converted = chatBody(body, plain.body, address);
    return converted && { body: converted, others: rest, leftOut: leftOutBy(plain.body, address) };
  }
  if (body !== undefined) return undefined;
  const bare = typeof line.id === 'string' && line.custom_id === undefined ? withoutId(rest) : rest;
  const address = typeof url === 'string' ? url : batchUrl;
  const converted = chatBody(bare, withoutId(plain), address);
  return converted && { body: converted, others: {}, leftOut: leftOutBy(plain, address) };
}

function withoutId({ id: _id, ...rest }: JsonObject): JsonObject {
  return rest;
}

/** Recognizes the format by the URL or by the members. Returns `undefined` if it cannot be converted. */
function chatBody(body: JsonObject, plain: JsonObject, url: string): JsonObject | undefined {
  if (/\/embeddings$|\/moderations$|\/images\/|\/audio\/|\/rerank$/.test(url)) return undefined;
  if (Array.isArray(body.messages)) {
    return isAnthropic(plain, url) ? fromAnthropic(body, plain) : body;
  }
  if (body.messages !== undefined) return undefined;
  if (body.input !== undefined) return fromResponses(body);
  const { prompt, model, ...rest } = body;
  if (typeof prompt !== 'string') return undefined;
  return { ...(model === undefined ? {} : { model }), messages: [{ role: 'user', content: prompt }], ...rest };
}

function isAnthropic(plain: JsonObject, url: string): boolean {
  return Array.isArray(plain.messages) && (looksAnthropic(plain) || url.endsWith('/v1/messages'));
}

function leftOutBy(plain: JsonObject, url: string): readonly string[] {
  return isAnthropic(plain, url) ? leftOutOf(plain) : [];
}

/** Returns the line's own id if it is a string that is not empty, else a new one. */
function idOf({ custom_id, id }: JsonObject, names: ConversionNames): string {
  const own = custom_id ?? id;
  return typeof own === 'string' && own !== '' ? own : names.freshId(names.id);
}
