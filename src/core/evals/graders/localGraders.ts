import { isObject } from '../../api/isObject';
import { parseJson } from '../../api/parseJson';
import type { EvalAssertion } from '../evalConfig';
import { canonicalJson } from '../evalPlan';
import { bleu, editDistance, gleu, meteor, rougeL, rougeN, tokenF1 } from '../statistics/textMeasures';
import type { MeteorWeights } from '../statistics/textMeasures';
import { matches } from './boundedPattern';
import { schemaFault } from './jsonSchema';
import { passIf } from './score';
import type { Grade, GradedResponse } from './score';

interface Task {
  readonly assertion: EvalAssertion;
  /** The expectation with its placeholders filled in. */
  readonly value: unknown;
  /** What is graded: the text of the response, unless the assertion says otherwise. */
  readonly text: string;
  readonly response: GradedResponse;
  /** Tools that the request offered. */
  readonly tools: readonly unknown[];
}

type Grader = (task: Task) => Grade;

const bad: Grade = { missing: 'badExpectation' };

/** Every text has nothing in it, so what a row doesn't have, such as an empty cell of a table, is no expectation. */
const withText =
  (test: (text: string, expected: string) => boolean): Grader =>
  ({ text, value }) => {
    const expected = scalarText(value);
    return expected === undefined || expected === '' ? bad : passIf(test(text, expected));
  };

const withList =
  (kind: 'some' | 'every', isFolded: boolean): Grader =>
  ({ text, value }) => {
    const list = Array.isArray(value) ? value.map(String) : typeof value === 'string' ? splitList(value) : [];
    if (list.length === 0) return bad;
    const [within, expected] = isFolded ? [text.toLowerCase(), list.map((one) => one.toLowerCase())] : [text, list];
    const absent = expected.filter((one) => !within.includes(one));
    return passIf(
      kind === 'every' ? absent.length === 0 : absent.length < expected.length,
      absent.slice(0, 5).join(', '),
    );
  };

const passFrom = (score: number, threshold: number): Grade => ({ value: score, pass: score >= threshold });

/** Passes from `usual` on, unless the assertion has a threshold. */
const withMeasure =
  (measure: (expected: string, text: string) => number, usual: number): Grader =>
  ({ text, value, assertion }) => {
    const expected = scalarText(value);
    if (expected === undefined) return bad;
    return passFrom(measure(expected, text), assertion.threshold ?? usual);
  };

/** The same with one reference or several. */
const withReferences =
  (measure: (references: readonly string[], text: string) => number, usual: number): Grader =>
  ({ text, value, assertion }) => {
    const list = (Array.isArray(value) ? value : [value]).map(scalarText);
    const references = list.filter((one) => one !== undefined && one.trim() !== '');
    if (references.length === 0) return bad;
    return passFrom(measure(references as readonly string[], text), assertion.threshold ?? usual);
  };

const hanOrKana = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const rouge = (expected: string, text: string) =>
  rougeL(expected, text, hanOrKana.test(expected) || hanOrKana.test(text) ? 'unicode' : 'ascii').f1;

const graders: Readonly<Record<string, Grader>> = {
  equals({ text, value }) {
    if (typeof value === 'object' && value !== null) return passIf(isSameJson(parseJson(text.trim()), value));
    const expected = scalarText(value);
    if (expected === undefined) return bad;
    if (text === expected) return passIf(true);
    // Written JSON is equal if its values are, whatever stands between them.
    const written = /^\s*[{[]/.test(expected) ? parseJson(expected) : undefined;
    return passIf(written !== undefined && isSameJson(parseJson(text.trim()), written));
  },
  contains: withText((text, expected) => text.includes(expected)),
  icontains: withText((text, expected) => text.toLowerCase().includes(expected.toLowerCase())),
  'starts-with': withText((text, expected) => text.startsWith(expected)),
  'contains-all': withList('every', false),
  'contains-any': withList('some', false),
  'icontains-all': withList('every', true),
  'icontains-any': withList('some', true),
  regex({ text, value }) {
    const pattern = scalarText(value);
    if (pattern === undefined) return bad;
    const found = matches(pattern, text);
    if (found === 'slow') return { missing: 'slowPattern' };
    return found === 'invalid' ? { missing: 'badPattern' } : passIf(found);
  },
  'is-json': ({ text, value }) => gradeJson(parseJson(text), value),
  'contains-json': ({ text, value }) => gradeJson(jsonWithin(text), value),
  'is-xml': ({ text }) => passIf(isXml(text.trim())),
  'contains-xml': ({ text }) => passIf(containsXml(text)),
  'is-html': ({ text }) =>
    passIf(/^\s*(?:<!doctype html|<html|<(?:div|p|body|table|ul|ol|h[1-6]|span|a)\b)/i.test(text)),
  'contains-html': ({ text }) =>
    passIf(/<(?:html|body|div|p|table|ul|ol|li|h[1-6]|span|a|b|strong|em|br|img)\b[^<>]*>/i.test(text)),
  levenshtein({ text, value, assertion }) {
    const expected = scalarText(value);
    if (expected === undefined) return bad;
    const { distance, similarity } = editDistance(expected, text);
    return { value: similarity, pass: distance <= (assertion.threshold ?? 5), evidence: String(distance) };
  },
  similarity: withMeasure((expected, text) => editDistance(expected, text).similarity, 0.75),
  words: withMeasure((expected, text) => tokenF1(expected, text).f1, 0.75),
  'rouge-n': (task) => withMeasure((expected, text) => rougeN(expected, text, gramLength(task)).f1, 0.75)(task),
  'rouge-l': withMeasure(rouge, 0.75),
  bleu: withReferences(bleu, 0.5),
  gleu: withReferences(gleu, 0.5),
  meteor: gradeMeteor,
  latency({ response: { latencyMs }, assertion: { threshold } }) {
    if (threshold === undefined) return bad;
    return latencyMs === undefined
      ? { missing: 'noLatency' }
      : passIf(latencyMs <= threshold, `${Math.round(latencyMs)} ms`);
  },
  cost({ response: { cost }, assertion: { threshold } }) {
    if (threshold === undefined) return bad;
    return cost === undefined ? { missing: 'noCost' } : passIf(cost <= threshold, String(cost));
  },
  'finish-reason': ({ response: { finish }, value }) =>
    passIf(finish !== undefined && finish === scalarText(value), finish),
  'is-refusal': ({ text, response }) => passIf(response.isRefused || isRefusal(text)),
  'word-count': gradeWordCount,
  guardrails: ({ response: { finish } }) => passIf(!isFiltered(finish), finish),
  perplexity({ response: { logprob }, assertion: { threshold } }) {
    if (logprob === undefined) return { missing: 'noLogprobs' };
    const perplexity = Math.exp(-logprob);
    return passIf(threshold === undefined || perplexity <= threshold, perplexity.toFixed(2));
  },
  'perplexity-score'({ response: { logprob }, assertion: { threshold } }) {
    if (logprob === undefined) return { missing: 'noLogprobs' };
    const value = 1 / (1 + Math.exp(-logprob));
    return { value, pass: threshold === undefined || value >= threshold };
  },
  'tool-call-f1': gradeCalledNames,
  'is-valid-openai-tools-call': gradeCalls,
  'is-valid-openai-function-call': gradeCalls,
  'is-valid-function-call': gradeCalls,
  numeric({ text, value, assertion }) {
    const expected = Number(scalarText(value) ?? NaN);
    if (!Number.isFinite(expected)) return bad;
    const tolerance = Number(assertion.config?.['tolerance'] ?? 1e-9);
    const got = lastNumber(text);
    return passIf(
      got !== undefined && Math.abs(got - expected) <= tolerance * Math.max(1, Math.abs(expected)),
      String(got),
    );
  },
  label({ text, value, assertion }) {
    const expected = scalarText(value);
    const labels = Array.isArray(assertion.config?.['labels']) ? assertion.config['labels'].map(String) : [];
    return expected === undefined
      ? bad
      : passIf(labelIn(text, labels) === expected.trim().toLowerCase(), labelIn(text, labels));
  },
  fields({ text, value }) {
    const expected = typeof value === 'string' ? parseJson(value) : value;
    return isObject(expected) ? gradeFields(jsonWithin(text), expected) : bad;
  },
};

/** Grades a response without the service. Never throws; what cannot be graded is missing. */
export function gradeLocally(task: Task): Grade {
  const { assertion, response } = task;
  const as = assertion.config?.['as'];
  const type = typeof as === 'string' && ['numeric', 'label', 'fields', 'words'].includes(as) ? as : assertion.type;
  const grader = Object.hasOwn(graders, type) ? graders[type] : undefined;
  if (!grader) return { missing: 'notGraded' };
  if (response.isTruncated && !['finish-reason', 'guardrails', 'cost', 'latency'].includes(type))
    return { missing: 'truncated' };
  try {
    const grade = grader(task);
    if ('missing' in grade || !assertion.isNegated) return grade;
    return { ...grade, value: 1 - grade.value, pass: !grade.pass };
  } catch {
    return bad;
  }
}

function scalarText(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;
}

function splitList(text: string): readonly string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function isSameJson(a: unknown, b: unknown): boolean {
  return a !== undefined && canonicalJson(a) === canonicalJson(b);
}

function gradeJson(parsed: unknown, schema: unknown): Grade {
  if (parsed === undefined) return passIf(false);
  const value = typeof schema === 'string' ? parseJson(schema) : schema;
  if (schema === undefined || schema === null || schema === '') return passIf(true);
  if (!isObject(value)) return bad;
  const fault = schemaFault(parsed, value);
  return passIf(fault === undefined, fault);
}

const mostStarts = 50;

/** The first JSON object or list within a text, such as one between fences. */
function jsonWithin(text: string): unknown {
  const parsed = parseJson(text.trim());
  if (parsed !== undefined && typeof parsed === 'object') return parsed;
  let tried = 0;
  for (const { index } of text.matchAll(/[{[]/g)) {
    if (++tried > mostStarts) return undefined;
    const end = closingOf(text, index);
    const found = end === undefined ? undefined : parseJson(text.slice(index, end));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Where the bracket at `start` closes, exclusive. Brackets within strings do not count. */
function closingOf(text: string, start: number): number | undefined {
  let [depth, isInString] = [0, false];
  for (let at = start; at < text.length && at < start + 1_000_000; at++) {
    const letter = text[at];
    if (letter === '\\' && isInString) at++;
    else if (letter === '"') isInString = !isInString;
    else if (!isInString && (letter === '{' || letter === '[')) depth++;
    else if (!isInString && (letter === '}' || letter === ']') && --depth === 0) return at + 1;
  }
  return undefined;
}

/** Whether tags open and close in order below one root. */
function isXml(text: string): boolean {
  // Otherwise each of many comments without an end would be searched to the end of the text.
  if (text.lastIndexOf('<!--') > text.lastIndexOf('-->')) return false;
  const open: string[] = [];
  let [end, roots] = [0, 0];
  for (const { 0: tag, 1: closes, 2: name = '', 3: alone, index } of text.matchAll(
    /<(?:!--[\s\S]*?--|\?[^<>]*\?|![^<>]*|(\/?)([A-Za-z_][\w:.-]*)(?:\s[^<>]*?)?(\/?))>/g,
  )) {
    if (open.length === 0 && text.slice(end, index).trim() !== '') return false;
    end = index + tag.length;
    if (name === '') continue;
    if (closes === '/') {
      if (open.pop() !== name) return false;
    } else if (open.length === 0 && ++roots > 1) return false;
    else if (alone !== '/') open.push(name);
  }
  return roots === 1 && open.length === 0 && text.slice(end).trim() === '';
}

/** Whether a text has a tag that closes itself, or one that is closed later. Takes one pass, however many tags stay open. */
function containsXml(text: string): boolean {
  const open = new Set<string>();
  for (const [tag, closes, name = ''] of text.matchAll(/<(\/?)([A-Za-z_][\w:.-]*)(?:\s[^<>]*|\/)?>/g)) {
    if (closes === '/' ? open.has(name) : tag.endsWith('/>')) return true;
    if (closes === '') open.add(name);
  }
  return false;
}

const refusal =
  /\b(?:I(?:'m| am) (?:sorry|unable|not able)|I (?:can(?:no|')t|won't|will not|must decline)|as an AI|cannot (?:assist|help|comply)|(?:can't|unable to) (?:assist|help|provide|comply))\b|抱歉|对不起|无法(?:提供|协助|回答|帮助)|不能(?:提供|协助|回答|帮助)/i;

function isRefusal(text: string): boolean {
  return text.trim() === '' || refusal.test(text.slice(0, 300).replaceAll('’', "'"));
}

function gradeWordCount({ text, value }: Task): Grade {
  const count = (text.match(/\S+/g) ?? []).length;
  const bounds =
    typeof value === 'number' || typeof value === 'string' ? { min: Number(value), max: Number(value) } : value;
  if (!isObject(bounds)) return bad;
  const [least, most] = [Number(bounds['min'] ?? 0), Number(bounds['max'] ?? Infinity)];
  return Number.isNaN(least) || Number.isNaN(most) ? bad : passIf(count >= least && count <= most, String(count));
}

/** Each call must name an offered tool and fit its parameters. */
function gradeCalls({ response: { calls }, tools }: Task): Grade {
  if (calls.length === 0) return passIf(false);
  for (const call of calls) {
    const offered = tools.map((tool) => (isObject(tool) && isObject(tool['function']) ? tool['function'] : tool));
    const definition = offered.find((tool) => isObject(tool) && tool['name'] === call.name);
    if (tools.length > 0 && !definition) return passIf(false, call.name);
    const value = parseJson(call.arguments === '' ? '{}' : call.arguments);
    if (!isObject(value)) return passIf(false, call.name);
    const schema = isObject(definition) ? definition['parameters'] : undefined;
    const fault = isObject(schema) ? schemaFault(value, schema) : undefined;
    if (fault !== undefined) return passIf(false, `${call.name}${fault}`);
  }
  return passIf(true);
}

/** F1 of the names of called tools, whatever their order and number (van Rijsbergen 1979). */
function gradeCalledNames({ response: { calls }, value, assertion: { threshold = 1 } }: Task): Grade {
  const list = Array.isArray(value) ? value.map(String) : typeof value === 'string' ? value.split(',') : [];
  const expected = new Set(list.map((name) => name.trim()).filter((name) => name !== ''));
  if (expected.size === 0) return bad;
  const called = new Set(calls.map(({ name }) => name));
  const common = [...called].filter((name) => expected.has(name)).length;
  const f1 = (2 * common) / (called.size + expected.size);
  return { value: f1, pass: f1 >= threshold, evidence: [...called].slice(0, 5).join(', ') };
}

/** With its own weights if the assertion has them. */
function gradeMeteor(task: Task): Grade {
  const { alpha, beta, gamma } = task.assertion.config ?? {};
  const isWithin = (weight: unknown, most: number) =>
    weight === undefined || (typeof weight === 'number' && weight >= 0 && weight <= most);
  if (!isWithin(alpha, 1) || !isWithin(beta, Infinity) || !isWithin(gamma, 1)) return bad;
  const weights = { alpha, beta, gamma } as MeteorWeights;
  return withReferences((references, text) => meteor(references, text, weights), 0.5)(task);
}

/** Whether the service's filter stopped a response. */
function isFiltered(finish: string | undefined): boolean {
  return finish !== undefined && /filter|safety|guardrail|sensitive|prohibited|blocklist/i.test(finish);
}

/** Words of a ROUGE-N, up to 9; 1 if the assertion doesn't say. */
function gramLength({ assertion: { config } }: Task): number {
  const n = Number(config?.['n'] ?? 1);
  return Number.isInteger(n) && n >= 1 && n <= 9 ? n : 1;
}

/** Share of expected fields with the same value: F1 of the fields on both sides. */
function gradeFields(got: unknown, expected: Readonly<Record<string, unknown>>): Grade {
  const names = Object.keys(expected);
  if (!isObject(got)) return { value: 0, pass: false };
  const right = names.filter(
    (name) => Object.hasOwn(got, name) && canonicalJson(got[name]) === canonicalJson(expected[name]),
  );
  const sum = names.length + Object.keys(got).length;
  const wrong = names.filter((name) => !right.includes(name));
  return {
    value: sum === 0 ? 1 : (2 * right.length) / sum,
    pass: wrong.length === 0,
    evidence: wrong.slice(0, 5).join(', '),
  };
}

/** The last number of a text, which is usually the answer. Commas between thousands are left out. */
function lastNumber(text: string): number | undefined {
  const found = text.match(/-?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?/gi)?.at(-1);
  return found === undefined ? undefined : Number(found.replaceAll(',', ''));
}

/** The only label that a text contains; a text without labels is itself one. In lower case. */
function labelIn(text: string, labels: readonly string[]): string {
  let [start, end] = [0, text.length];
  while (start < end && /["'`*\s]/.test(text[start]!)) start++;
  while (end > start && /["'`*.\s]/.test(text[end - 1]!)) end--;
  const plain = text.slice(start, end).toLowerCase();
  const folded = labels.map((label) => label.trim().toLowerCase());
  if (folded.includes(plain)) return plain;
  const within = folded.filter((label) => plain.includes(label));
  const longest = within.filter((label) => !within.some((other) => other !== label && other.includes(label)));
  return longest.length === 1 ? longest[0]! : plain;
}
