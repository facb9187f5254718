import { isObject } from '../../../api/isObject';

/** A parsed JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

interface ExactJson {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
  /** Returns a value that is written as exactly this text. */
  rawJSON(text: string): unknown;
  isRawJSON(value: unknown): value is { readonly rawJSON: string };
}

const exact = JSON as unknown as ExactJson;

/** Parses JSON so that `JSON.stringify` writes every number with its original digits. */
export function parseExact(text: string): unknown {
  return exact.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source ? exact.rawJSON(source) : value,
  );
}

export function isObjects(value: unknown): value is readonly JsonObject[] {
  return Array.isArray(value) && value.every(isObject);
}

/** Returns the number that a value of exact JSON is; `undefined` if it is none. */
export function numberIn(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return exact.isRawJSON(value) ? Number(value.rawJSON) : undefined;
}

/** Whether a member says something: servers treat null like an absent one. */
export function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Thrown if a form has no place for something that changes what a request asks. `what`: its name in the request. */
export class Unsayable extends Error {
  override readonly name = 'Unsayable';

  constructor(readonly what: string) {
    super(`There is no place for ${what}.`);
  }
}
