import { parseObject, type JsonObject } from '../scan/jsonValue';

/** Maximum length, in characters, of a record that is read in another way than as JSON. */
const mostLenient = 16 * 1024 * 1024;

/**
 * Parses a record of a result file. Also reads what Python writes in place of JSON: numbers that JSON does not have, which become null, and
 * a dictionary as it is printed. Returns `undefined` for anything else.
 */
export function parseResult(text: string): JsonObject | undefined {
  const value = parseObject(text);
  if (value || text.length > mostLenient || !/^\s*\{/.test(text)) return value;
  const json = asJson(text, /^\s*\{\s*'/.test(text));
  return json === undefined ? undefined : parseObject(json);
}

/** What Python writes outside of strings. */
const word = /-?\b(?:NaN|nan|Infinity|inf|None|True|False)\b/y;
const words: Readonly<Record<string, string>> = { True: 'true', False: 'false' };

/** Returns `undefined` if a string does not end. `isPrinted`: whether strings are written as Python writes them. */
function asJson(text: string, isPrinted: boolean): string | undefined {
  const parts: string[] = [];
  let from = 0;
  const put = (start: number, end: number, written: string) => {
    parts.push(text.slice(from, start), written);
    from = end;
  };
  for (let at = 0; at < text.length;) {
    const letter = text[at] ?? '';
    if (letter === '"' || (isPrinted && letter === "'")) {
      const end = endOfString(text, at);
      if (end === undefined) return undefined;
      if (isPrinted) put(at, end, inDoubleQuotes(text.slice(at + 1, end - 1)));
      at = end;
      continue;
    }
    word.lastIndex = at;
    const [found] = /[-A-Za-z]/.test(letter) ? (word.exec(text) ?? []) : [];
    if (found !== undefined) put(at, at + found.length, words[found] ?? 'null');
    at += found?.length ?? 1;
  }
  return parts.join('') + text.slice(from);
}

function endOfString(text: string, start: number): number | undefined {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === text[start]) return at + 1;
  }
  return undefined;
}

/** Writes the content of a string of Python as one of JSON. */
function inDoubleQuotes(content: string): string {
  const escaped = content.replaceAll(/\\x([\da-f]{2})|\\U(0[\da-f]{7})|\\([^])|"/gi, (found, byte, long, letter) => {
    if (byte !== undefined) return `\\u00${String(byte)}`;
    if (long !== undefined)
      return JSON.stringify(String.fromCodePoint(Number.parseInt(String(long), 16) % 0x11_0000)).slice(1, -1);
    if (letter === undefined) return '\\"';
    if (letter === "'") return "'";
    return /["\\bfnrtu]/.test(String(letter)) ? found : `\\\\${String(letter)}`;
  });
  return `"${escaped}"`;
}
