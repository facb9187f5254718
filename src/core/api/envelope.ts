import '../../schema/jitless';
import * as z from 'zod/mini';
import { isObject } from './isObject';
import { fineCodes } from './parseError';

type JsonObject = Readonly<Record<string, unknown>>;

/** Reads a response that may lie in the envelope `{code, message, status, data}` of some services, which has no member `own`. */
export function enveloped<T>(own: string, schema: z.ZodMiniType<T>) {
  return z.pipe(
    z.transform((json: unknown) => contentOf(json, own)),
    schema,
  );
}

/** Returns what is inside an envelope; anything else as it is. */
export function contentOf(json: unknown, own: string): unknown {
  if (!isObject(json) || !isObject(json['data'])) return json;
  // An envelope has a status too, which is a boolean.
  const value = json[own];
  return value === undefined || value === null || typeof value === 'boolean' ? json['data'] : json;
}

/**
 * Reads a response that is a list: as its member `list`, beside the members it came with. The list is bare, under one of `names`, or under
 * `data`, with or without an envelope. An object without a list has an empty one, unless it says what is wrong.
 */
export function listIn<T>(names: readonly string[], schema: z.ZodMiniType<T>) {
  return z.pipe(
    z.transform((json: unknown) => toListed(json, names)),
    schema,
  );
}

function toListed(json: unknown, names: readonly string[]): unknown {
  if (Array.isArray(json)) return { list: json };
  if (!isObject(json)) return json;
  const name = [...names, 'data'].find((one) => Array.isArray(json[one]));
  if (name !== undefined) return { ...json, list: json[name] };
  if (isObject(json['data'])) return toListed(json['data'], names);
  return isComplaint(json) ? json : { ...json, list: [] };
}

/** Whether an object without anything else tells why, as `{"detail": "…"}` does. An envelope's message tells of its success. */
function isComplaint({ code, message, detail }: JsonObject): boolean {
  const isSaid = [message, detail].some((text) => typeof text === 'string' && text.trim() !== '');
  return isSaid && !fineCodes.has(code);
}
