import '../../schema/jitless';
import * as z from 'zod/mini';
import { isObject } from './isObject';
import { fineCodes } from './parseError';
import { snakeName } from './tolerant';

/** Reads a response that might be in the envelope `{code, message, status, data}` of some services, which has no property `own`. */
export function enveloped<T>(own: string, schema: z.ZodMiniType<T>) {
  return z.pipe(
    z.transform((json: unknown) => contentOf(json, own)),
    schema,
  );
}

/** An object with more properties isn't a description of one thing. */
const mostMembers = 200;

/** Converts names from camel or Pascal case to snake case. A property with both forms keeps its own. Anything but an object has none. */
export function inSnakeCase(json: unknown): Readonly<Record<string, unknown>> {
  if (!isObject(json)) return {};
  const found: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(json).slice(0, mostMembers)) {
    const snake = snakeName(name);
    if (snake !== name) found[snake] ??= value;
  }
  return { ...found, ...json };
}

/** Returns the content of an envelope, which is under `data`, and anything else unchanged. */
export function contentOf(json: unknown, own: string): unknown {
  if (!isObject(json)) return json;
  // An envelope has a status too, which is a boolean.
  const value = json[own];
  if (value !== undefined && value !== null && typeof value !== 'boolean') return json;
  return isObject(json['data']) ? json['data'] : json;
}

/**
 * Reads a response that is a list, as its property `list` next to its other properties. The list is bare, under one of `names`, or under
 * `data`, with or without an envelope, or within `output` or `result`, as with DashScope and Cloudflare. It is empty if it is null or
 * missing. An object without any sign of a list is rejected.
 */
export function listIn<T>(names: readonly string[], schema: z.ZodMiniType<T>) {
  return z.pipe(
    z.transform((json: unknown) => toListed(json, [...names, 'data'])),
    schema,
  );
}

function toListed(json: unknown, names: readonly string[], isInside = false): unknown {
  if (Array.isArray(json)) return { list: json };
  if (!isObject(json)) return json;
  const name = names.find((one) => Array.isArray(json[one]));
  if (name !== undefined) return { ...json, list: json[name] };
  const holder = ['output', 'result', 'Result'].find((one) => isObject(json[one]));
  if (holder !== undefined) {
    return toListed({ ...json, ...(json[holder] as object), [holder]: undefined }, names, isInside);
  }
  const isEnvelope = fineCodes.has(json['code']);
  if (isObject(json['data'])) return toListed(json['data'], names, isEnvelope);
  const hasNone = names.some((one) => one in json && !json[one]);
  const isList = hasNone || isEnvelope || isInside || json['object'] === 'list' || Object.keys(json).length === 0;
  return isList ? { ...json, list: [] } : json;
}
