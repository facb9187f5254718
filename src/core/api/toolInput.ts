import { isObject } from './isObject';
import { leadingObjects } from './leadingJson';
import { parseJson } from './parseJson';

/**
 * Returns the input of a tool call from its text. Models write it in many forms: not at all, as JSON inside a string, a list, or a fence,
 * or in Python's notation. Incomplete and other text is returned as text.
 */
export function readToolInput(text: string): unknown {
  const written = withoutFence(text.trim());
  if (nothing.test(written)) return {};
  const value = parseJson(written);
  if (value !== undefined) return inputOf(value);
  return (
    repeatedObject(written) ??
    leadingObjects(written)[0] ??
    relaxedObject(written) ??
    unopenedObject(written) ??
    wrappedObject(written) ??
    text
  );
}

/** Reads an object whose beginning a server has sent before all of it. */
function repeatedObject(text: string): unknown {
  const at = text.indexOf(text.slice(0, 12), 1);
  if (!text.startsWith('{') || text.length < 12 || at === -1 || !text.startsWith(text.slice(0, at), at))
    return undefined;
  const value = parseJson(text.slice(at));
  return isObject(value) ? value : undefined;
}

/** Reads an object whose first bracket a server has lost. */
function unopenedObject(text: string): unknown {
  const value = /^"[^"\\]*"\s*:/.test(text) ? parseJson(`{${text}`) : undefined;
  return isObject(value) ? value : undefined;
}

/** Reads an object after a word, between tags, or with escaped quotes. */
function wrappedObject(text: string): unknown {
  const [, tagged, worded] = /^(?:<\w+>\s*(\{[^]*\})\s*<\/\w+>|(?:json|JSON)\s*(\{[^]*\}))$/.exec(text) ?? [];
  const inside = tagged ?? worded;
  if (inside !== undefined) return relaxedObject(inside);
  const plain = /^\{\s*\\"/.test(text) ? parseJson(text.replaceAll(/\\(["\\])/g, '$1')) : undefined;
  return isObject(plain) ? plain : undefined;
}

const nothing = /^(?:null|None|undefined|\[\s*\]|""|)$/;

function withoutFence(text: string): string {
  return /^```\w*[ \t]*\n([^]*?)\n?```$/.exec(text)?.[1]?.trim() ?? text;
}

function inputOf(value: unknown): unknown {
  if (Array.isArray(value) && value.length === 1 && isObject(value[0])) return value[0];
  if (typeof value !== 'string') return value;
  const inner = readToolInput(value);
  return isObject(inner) ? inner : value;
}

/** Parses an object that would be JSON but for its quotes, names without quotes, its words, comments, raw control characters or commas at its end. */
export function relaxedObject(text: string): Readonly<Record<string, unknown>> | undefined {
  if (!text.startsWith('{') || !text.endsWith('}')) return undefined;
  const value = relaxedValue(text);
  return isObject(value) ? value : undefined;
}

/** Parses any such value. */
export function relaxedValue(text: string): unknown {
  return parseJson(text.replaceAll(tokens, asJson));
}

/** Strings in either kind of quotes, words, and commas before a closing bracket. A string that isn't closed is read once, up to the end. */
const tokens =
  /"(?:[^"\\]|\\[^])*(?:"|$)|'(?:[^'\\]|\\[^])*(?:'|$)|“[^“”]*”(?=\s*[:,}\]])|\/\/[^\n]*|\/\*[^]*?\*\/|(?<=[{,]\s*)[A-Za-z_]\w*(?=\s*:)|-?\bInfinity\b|\b(?:True|False|None|undefined|NaN)\b|,(?=\s*[}\]])/g;

const words: Readonly<Record<string, string>> = { True: 'true', False: 'false' };

const unknownWords = /^(?:None|undefined|NaN|-?Infinity)$/;

function asJson(token: string): string {
  if (/^(?:,$|\/)/.test(token)) return '';
  if (token.startsWith('“')) return JSON.stringify(token.slice(1, -1));
  if (!/^["']/.test(token)) return words[token] ?? (unknownWords.test(token) ? 'null' : `"${token}"`);
  if (token.length < 2 || !token.endsWith(token[0]!)) return token;
  const inside = token.slice(1, -1).replaceAll(/\\(["\\/bfnrt]|u[\da-fA-F]{4})|\\'|\\|"|\p{Cc}/gu, escaped);
  return `"${inside}"`;
}

function escaped(found: string): string {
  if (found.length > 1) return found === String.raw`\'` ? "'" : found;
  return found === '\\' || found === '"' ? `\\${found}` : JSON.stringify(found).slice(1, -1);
}
