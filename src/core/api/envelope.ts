import '../../schema/jitless';
import * as z from 'zod/mini';
import { isObject } from './isObject';
import { fineCodes } from './parseError';

/** Reads a response that may lie in the envelope `{code, message, status, data}` of some services, which has no member `own`. */
export function enveloped<T>(own: string, schema: z.ZodMiniType<T>) {
  return z.pipe(
    z.transform((json: unknown) => contentOf(json, own)),
    schema,
  );
}

/** Beyond these, an object is no description of a thing. */
const mostMembers = 200;

/** Writes names in camel or Pascal case in snake case. A member that has both forms keeps its own; anything but an object has none. */
export function inSnakeCase(json: unknown): Readonly<Record<string, unknown>> {
  if (!isObject(json)) return {};
  const found: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(json).slice(0, mostMembers)) {
    const snake = name.replaceAll(/(?<=[a-z\d])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
    if (snake !== name) found[snake] ??= value;
  }
  return { ...found, ...json };
}

/** Returns what is inside an envelope, whose content is under `data`; anything else as it is. */
export function contentOf(json: unknown, own: string): unknown {
  if (!isObject(json)) return json;
  // An envelope has a status too, which is a boolean.
  const value = json[own];
  if (value !== undefined && value !== null && typeof value !== 'boolean') return json;
  return isObject(json['data']) ? json['data'] : json;
}

/**
 * Reads a response that is a list: as its member `list`, beside the members it came with. The list is bare, under one of `names`, or under
 * `data`, with or without an envelope, or within `output` or `result`, as with DashScope and Cloudflare. Where it is null or missing it is empty; an object that has nothing of a list is none.
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
