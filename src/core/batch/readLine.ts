import { cellOf } from './fixes/foreign/csvCell';
import { siliconFlow } from './services/batchServices';
import type { BatchRules } from './services/batchRules';
import type { Line, LineName, LineReading } from './line';
import type { Problem } from './problem';
import { bodyOf, endpointOf } from './rules/endpoint';
import { lineRules } from './rules/lineRules';
import { secrets } from './rules/secrets';
import { depthOf, member, readJson } from './scan/jsonTree';
import type { JsonFault, JsonNode } from './scan/jsonTree';
import { faultWords, lineWords } from './words/lineWords';

/** Nobody nests requests deeper, and the JSON reader is recursive. */
export const deepestLine = 500;

const nothing = { isBlank: false, customId: undefined, model: undefined, url: undefined, kind: 'chat' } as const;

/** Further problems of a line are counted, not listed, because nobody reads them, and every reader of the list would pay for them. */
const mostProblems = 100;

/**
 * Checks one line on its own, by the public service's rules if no others are given. `text` excludes the line break. Beyond `most`
 * problems, the reading has the first ones of each kind and one problem that counts the others.
 */
export function readLine(text: string, rules: BatchRules = siliconFlow, most: number = mostProblems): LineReading {
  if (isBlank(text)) return { ...nothing, isBlank: true, problems: [blankLine(text)] };
  const reading = depthOf(text) > deepestLine ? readDeep(text) : readShallow(text, rules);
  const problems = [...reading.problems, ...tooLarge(text, rules), ...secrets(text)].toSorted(
    (a, b) => a.span.start - b.span.start,
  );
  return { ...reading, problems: shortened(problems, most) };
}

/** Every kind of problem stays in the list, because what is done with a file depends on the kinds of its problems. */
function shortened(problems: readonly Problem[], most: number): readonly Problem[] {
  if (problems.length <= most + 1) return problems;
  const kinds = new Set<string>();
  const isFirst = problems.map(({ code }) => kinds.size < kinds.add(code).size);
  let room = most - kinds.size;
  const shown = problems.filter((_, index) => isFirst[index] === true || room-- > 0);
  const message = lineWords.moreProblems(problems.length - shown.length);
  return [...shown, { code: 'line.more-problems', message, span: problems.at(-1)!.span }];
}

function readShallow(text: string, rules: BatchRules): LineReading {
  const { root, fault, repeated } = readJson(text);
  if (!root) return { ...nothing, problems: [notJson(text, fault)] };
  const problems: Problem[] = [...loneSurrogates(text)];
  for (const { key, span } of repeated) {
    problems.push({ code: 'line.duplicate-key', message: lineWords.duplicateKey(key), span });
  }
  if (root.kind !== 'object') {
    problems.push({
      code: 'line.not-object',
      message: lineWords.notObject(),
      span: { start: root.start, end: root.end },
    });
    return { ...nothing, problems };
  }
  const line: Line = { text, root, rules, kind: endpointOf(root, rules) };
  for (const rule of lineRules) for (const problem of rule(line)) problems.push(problem);
  return { isBlank: false, ...namesIn(line), problems };
}

function* tooLarge(text: string, { lineBytes = Infinity }: BatchRules): Iterable<Problem> {
  // No UTF-16 unit takes more than three bytes.
  if (text.length * 3 <= lineBytes || Buffer.byteLength(text) <= lineBytes) return;
  const message = lineWords.tooLarge(`${lineBytes / 1e6} MB`);
  yield { code: 'line.too-large', message, span: { start: 0, end: 1 } };
}

/** Checks only whether the line is JSON, with a parser that takes any depth but reports no positions. */
function readDeep(text: string): LineReading {
  const start = text.search(/\S/);
  const span = { start, end: start + 1 };
  try {
    JSON.parse(text);
    return { ...nothing, problems: [{ code: 'line.too-deep', message: lineWords.tooDeep(deepestLine), span }] };
  } catch {
    return { ...nothing, problems: [notJson(text, { name: '', span })] };
  }
}

/** Marks something missing at the end at the last character, and reports common mistakes by their own names. */
function notJson(text: string, fault: JsonFault = { name: '', span: { start: 0, end: 1 } }): Problem {
  const {
    name,
    span: { start, end },
  } = nameFault(text, fault);
  const isWithin = start < end && start < text.length;
  const span = isWithin ? { start, end } : { start: Math.max(0, text.length - 1), end: text.length };
  return { code: 'line.not-json', message: faultWords(name), span };
}

const invisible = /^[\p{Cc}\p{Cf}\p{Z}]/u;

function nameFault(text: string, fault: JsonFault): JsonFault {
  const { name, span } = fault;
  if (cellOf(text) !== undefined) return { name: 'CsvCell', span: { start: 0, end: text.length } };
  const before = text.slice(0, span.start).trimEnd();
  const found = text.slice(span.start, span.end);
  if (/^(PropertyName|Value)Expected$/.test(name) && before.endsWith(',') && /^[\]}]/.test(found)) {
    return { name: 'TrailingComma', span: { start: before.length - 1, end: before.length } };
  }
  if (text.slice(span.start).trim() === ',') return { name: 'TrailingComma', span };
  if (found.startsWith("'")) return { name: 'SingleQuotes', span };
  // An editor or a word processor wrote them in place of spaces, line breaks, and quotes.
  if (invisible.test(found)) return { name: 'InvisibleCharacter', span: { start: span.start, end: span.start + 1 } };
  if (/^[“”„‟«»＂]/.test(found)) return { name: 'CurlyQuotes', span };
  return /^(True|False|None|NaN|undefined)\b/.test(found) ? { name: 'OtherWord', span } : fault;
}

function blankLine(text: string): Problem {
  return { code: 'line.blank', message: lineWords.blank(), span: { start: 0, end: text.length } };
}

function isBlank(text: string): boolean {
  return /^[ \t]*$/.test(text);
}

function namesIn({ root, rules, kind }: Line) {
  const model = nameOf(bodyOf(root, rules), 'model');
  return { customId: nameOf(root, 'custom_id'), model, url: nameOf(root, 'url'), kind };
}

function nameOf(node: JsonNode | undefined, key: string): LineName | undefined {
  const found = member(node, key)?.value;
  if (typeof found?.value !== 'string' || found.value === '') return undefined;
  return { value: found.value, span: { start: found.start, end: found.end } };
}

/**
 * Returns what a file contains instead of one request per line, judging by its first line: one array, or requests across several lines
 * each.
 */
export function spreadOf(firstLine: string): 'array' | 'lines' | undefined {
  if (/^[ \t]*\{[ \t]*$/.test(firstLine)) return 'lines';
  return isArrayFile(firstLine) ? 'array' : undefined;
}

function isArrayFile(firstLine: string): boolean {
  if (!/^[ \t]*\[/.test(firstLine)) return false;
  if (depthOf(firstLine) > deepestLine) return true;
  const { root } = readJson(firstLine);
  const [item] = root?.items ?? [];
  return !item || item.kind === 'object';
}

/** Reports escapes of half a surrogate pair in valid JSON. An escaped backslash starts no escape. */
function* loneSurrogates(text: string): Iterable<Problem> {
  if (!/\\u[dD][89a-fA-F]/.test(text)) return;
  for (const { 0: found, index } of text.matchAll(escapes)) {
    if (!/^\\u[dD]/.test(found) || found.length > 6) continue;
    yield { code: 'line.lone-surrogate', message: lineWords.loneSurrogate(), span: { start: index, end: index + 6 } };
  }
}

/** A pair, half of one, or any other escape. */
const escapes = /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[dD][89a-fA-F][\da-fA-F]{2}|\\[^]/g;
