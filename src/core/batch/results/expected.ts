import { parseObject, textOf, toJson } from '../scan/jsonValue';
import type { CellValue } from './answerValues';

/** The parts of an answer that an expected value can be compared with. */
export interface ExpectedAnswer {
  /** Returns the entire text. */
  readonly text: () => string;
  /** Returns a property of an answer that is a JSON object. */
  readonly property: (name: string) => CellValue;
}

/** Returns whether a column contains expected answers, by its name: `expected`, promptfoo's `__expected` and `__expected2`, `expected_<property>`. */
export function isExpectedColumn(name: string): boolean {
  return /^(?:__expected\d*|expected(?:[ _-].+)?)$/i.test(name.trim());
}

/** Returns the property that a column such as `expected_label` is about. */
export function propertyOfExpected(name: string): string | undefined {
  return /^expected[ _-](.+)$/i.exec(name.trim())?.[1];
}

type Check = (answer: string, value: string) => boolean;

const checks: Readonly<Record<string, Check>> = {
  equals: (answer, value) => sameText(answer, value),
  contains: (answer, value) => answer.includes(value),
  icontains: (answer, value) => folded(answer).includes(folded(value)),
  'contains-any': (answer, value) => listed(value).some((one) => answer.includes(one)),
  'contains-all': (answer, value) => listed(value).every((one) => answer.includes(one)),
  'icontains-any': (answer, value) => listed(folded(value)).some((one) => folded(answer).includes(one)),
  'icontains-all': (answer, value) => listed(folded(value)).every((one) => folded(answer).includes(one)),
  'starts-with': (answer, value) => answer.startsWith(value),
};

/** The assertions of promptfoo that only its own program or a model can check. */
const uncheckable =
  /^(?:not-)?(?:(?:javascript|python|ruby|webhook|fn|eval|file|grade|llm-rubric|factuality|similar|regex|levenshtein|rouge-n|bleu|classifier|moderation|latency|cost|perplexity|g-eval|answer-relevance|context-[a-z]+|model-graded-[a-z]+|contains-[a-z]+|is-[a-z-]+)(?:\([^)]*\))?:|(?:contains|is)-(?:json|sql|xml|html|refusal)$)/i;

/**
 * Returns whether an answer is as expected; `undefined` if nothing is expected, or if it cannot be checked here. A plain value must equal the
 * answer, apart from case and white space, or the property `compared` of a JSON answer. An expected object must have equal properties.
 */
export function isAsExpected(
  expected: string,
  { text, property }: ExpectedAnswer,
  compared: string | undefined,
): boolean | undefined {
  const trimmed = expected.trim();
  if (trimmed === '') return undefined;
  const [, name = '', value = ''] = /^([a-z-]+):([^]*)$/i.exec(trimmed) ?? [];
  const [, not, kind = ''] = /^(not-)?(.*)$/.exec(name.toLowerCase()) ?? [];
  const check = Object.hasOwn(checks, kind) ? checks[kind] : undefined;
  if (check) return check(text(), value.trim()) === (not === undefined);
  if (uncheckable.test(trimmed)) return undefined;
  const object = trimmed.startsWith('{') ? parseObject(trimmed) : undefined;
  if (object)
    return Object.entries(object).every(([key, one]) => sameText(textOfValue(one), String(property(key) ?? '')));
  const answer = compared === undefined ? undefined : property(compared);
  return sameText(trimmed, answer === undefined ? text() : String(answer));
}

/** Whether texts are the same apart from case and white space. */
export function sameText(a: string, b: string): boolean {
  return folded(a) === folded(b);
}

/** Removes differences that people do not notice: white space and case. */
export function folded(text: string): string {
  return text.replace(/\s+/gu, ' ').trim().toLowerCase();
}

function listed(value: string): readonly string[] {
  return value
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

function textOfValue(value: unknown): string {
  return textOf(value) ?? (value === null ? '' : toJson(value));
}
