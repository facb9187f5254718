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
