import { listOf, objectOf, parseObject, textOf, type JsonObject } from '../scan/jsonValue';
import { createCompletionMerge } from '../local/completionMerge';
import { resultWords } from '../words/resultWords';
import { idIn } from './resultId';

/** Maximum length, in characters, of a record that is read in another way than as JSON. */
const mostLenient = 16 * 1024 * 1024;

/**
 * Parses a record of a result file. Also reads what programs write in place of JSON: a member of an object that has all results under their
 * IDs, pairs of a request and its outcome, JSON in quotes, control characters, and from Python, a printed dictionary or numbers that JSON does not have, which become null.
 * Returns `undefined` for anything else.
 */
export function parseResult(text: string): JsonObject | undefined {
  const value = parseObject(text);
  if (value || text.length > mostLenient) return value;
  if (/^\s*\[/.test(text)) return parsePair(text);
  if (/^\s*"/.test(text)) return parseMember(text) ?? parseQuoted(text);
  if (!/^\s*\{/.test(text)) return undefined;
  const json = asJson(text, /^\s*\{\s*'/.test(text));
  return json === undefined ? undefined : parseObject(json);
}

/**
 * Parses a record within a record, and one that is known to be a result: also `"a":"…"`, where the ID is the name of a text. Unless the file
 * was cut off there, a result that has an ID but is not JSON is an error, so that its request is not taken for one without a result.
 */
export function parsePart(text: string, isEnded = true): JsonObject | undefined {
  return parseResult(text) ?? parseMember(text, asText) ?? (isEnded ? parseUnreadable(text) : undefined);
}

const asText = (value: unknown): JsonObject | undefined => (typeof value === 'string' ? { text: value } : undefined);

/**
 * Reads `[request, response]` and `[request, ["error"]]`, with the metadata of the request as third element if it has some, as OpenAI's
 * example of parallel requests writes them. Returns `undefined` for anything else.
 */
export function parsePair(text: string): JsonObject | undefined {
  const [first, outcome, metadata, ...others] = listOf(parseObject(`{"pair":${text}}`)?.['pair']);
  const [request, response] = [objectOf(first), objectOf(outcome)];
  const isRequest = (one: JsonObject) => requestNames.some((name) => name in one);
  if (!request || others.length > 0 || !isRequest(request)) return undefined;
  // A list of two or three results that have their requests.
  if (idIn(request) !== undefined || ['response', 'result', 'error'].some((name) => name in request)) return undefined;
  if (response && isRequest(response)) return undefined;
  const isError = Array.isArray(outcome) && outcome.length > 0 && outcome.every((one) => typeof one === 'string');
  if (!response && !isError) return undefined;
  return { custom_id: '', metadata, request, ...(response ? { response } : { error: outcome }) };
}

/** Members that only requests have. */
export const requestNames = ['messages', 'contents', 'prompt'];

/** Reads `"a":{…}`, where the ID is the name. */
function parseMember(text: string, read = objectOf): JsonObject | undefined {
  const [[id, value] = [], ...others] = Object.entries(parseObject(`{${text}}`) ?? {});
  const result = read(value);
  return result && others.length === 0 ? { custom_id: id, ...result } : undefined;
}

/** Reads JSON that is a string of JSON, or a cell of a CSV table. */
function parseQuoted(text: string): JsonObject | undefined {
  const cell = text.trim();
  const [inner] = listOf(parseObject(`{"text":[${cell}]}`)?.['text']);
  return parseObject(textOf(inner) ?? cell.slice(1, -1).replaceAll('""', '"'));
}

/** Returns the error that stands for a result that has an ID but is not JSON; `undefined` for anything else. */
function parseUnreadable(text: string): JsonObject | undefined {
  const [, id] = /"(?:custom_id|key|recordId)"\s*:\s*"((?:[^"\\]|\\.){1,512})"/.exec(text) ?? [];
  if (id === undefined || !/"(?:response|result|error|modelOutput)"\s*:/.test(text) || /"method"\s*:/.test(text))
    return undefined;
  const read = parseObject(`{"custom_id":"${id}"}`);
  return read && { ...read, error: { code: '', message: resultWords.notJson() } };
}

/**
 * Reads a response that was requested as a stream and is kept as one: the text of its events, a list of them, or one. Returns `undefined` for
 * anything else.
 */
export function readStream(value: unknown): JsonObject | undefined {
  const isText = typeof value === 'string' && /^\s*(?:data|event|id|retry|):/.test(value);
  const events = isText ? eventsIn(value) : (Array.isArray(value) ? listOf(value) : [value]).map(objectOf);
  const isChunk = (event: JsonObject | undefined) =>
    listOf(event?.['choices']).some((choice) => objectOf(objectOf(choice)?.['delta']));
  // The Responses API sends the complete response last.
  const ended = isText ? events.findLast((event) => objectOf(event?.['response'])?.['output']) : undefined;
  if (ended) return objectOf(ended['response']);
  const error = isText ? events.find((event) => objectOf(event?.['error'])) : undefined;
  if (!events.some(isChunk)) return error;
  const merge = createCompletionMerge();
  for (const event of events) merge.add(event);
  return { ...merge.read(), ...(error && { error: error['error'] }) };
}

function eventsIn(text: string): readonly (JsonObject | undefined)[] {
  return text.split(/\r\n|\r|\n/).map((line) => (line.startsWith('data:') ? parseObject(line.slice(5)) : undefined));
}

/** What Python writes outside of strings. */
const word = /-?\b(?:NaN|nan|Infinity|inf|None|True|False)\b/y;
const control = /\p{Cc}/gu;
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
      const string = text.slice(at, end);
      if (isPrinted) put(at, end, inDoubleQuotes(string.slice(1, -1)));
      else if (control.test(string))
        put(
          at,
          end,
          string.replaceAll(control, (found) => JSON.stringify(found).slice(1, -1)),
        );
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
  const escaped = content.replaceAll(
    /\\x([\da-fA-F]{2})|\\U(0[\da-fA-F]{7})|\\([^])|"/g,
    (found, byte, long, letter) => {
      if (byte !== undefined) return `\\u00${String(byte)}`;
      if (long !== undefined)
        return JSON.stringify(String.fromCodePoint(Number.parseInt(String(long), 16) % 0x11_0000)).slice(1, -1);
      if (letter === undefined) return '\\"';
      if (letter === "'") return "'";
      return /["\\bfnrtu]/.test(String(letter)) ? found : `\\\\${String(letter)}`;
    },
  );
  return `"${escaped}"`;
}
