import type { AssertionClass } from '../evalConfig';

/** Assertion types that promptfoo knows, by who grades them. `other` needs something that an eval by batch does not have. */
const classes: Readonly<Record<Exclude<AssertionClass, 'unknown' | 'reference' | 'set'>, string>> = {
  local:
    'equals contains contains-all contains-any icontains icontains-all icontains-any starts-with regex is-json contains-json is-xml contains-xml is-html contains-html levenshtein rouge-n rouge-l bleu gleu meteor latency cost finish-reason is-refusal word-count is-valid-function-call is-valid-openai-function-call is-valid-openai-tools-call tool-call-f1 guardrails perplexity perplexity-score max-score',
  service:
    'llm-rubric model-graded-closedqa model-graded-factuality factuality g-eval answer-relevance context-faithfulness context-recall context-relevance conversation-relevance select-best label_model score_model similar similar:cosine similar:dot similar:euclidean',
  code: 'javascript python ruby webhook',
  other:
    'is-sql contains-sql classifier moderation pi human search-rubric agent-rubric video-rubric skill-used trace-error-spans trace-span-count trace-span-duration trajectory:tool-used trajectory:tool-sequence trajectory:tool-args-match trajectory:step-count trajectory:goal-success',
};

const classByType: ReadonlyMap<string, AssertionClass> = new Map([
  ...Object.entries(classes).flatMap(([name, types]) =>
    types.split(' ').map((type) => [type, name as AssertionClass] as const),
  ),
  ['assert-set', 'set'],
]);

export interface TypeReading {
  /** Without `not-`. */
  readonly type: string;
  readonly isNegated: boolean;
  readonly class: AssertionClass;
}

/** Reads the type of an assertion. `not-` turns any of them around. */
export function readType(written: string): TypeReading {
  const known = classByType.get(written);
  if (known) return { type: written, isNegated: false, class: known };
  const type = written.replace(/^not-/, '');
  const isRedteam = type.startsWith('promptfoo:redteam:');
  return {
    type,
    isNegated: type !== written,
    class: classByType.get(type) ?? (isRedteam ? 'other' : 'unknown'),
  };
}

export interface WrittenAssertion {
  readonly type: string;
  readonly value?: unknown;
  readonly threshold?: number;
}

/** Old names of types, and short ones that are used in CSV files. */
const shortNames: Readonly<Record<string, string>> = {
  fn: 'javascript',
  eval: 'javascript',
  grade: 'llm-rubric',
  'g-eval': 'g-eval',
};
const listTypes: ReadonlySet<string> = new Set(['contains-all', 'contains-any', 'icontains-all', 'icontains-any']);

/** Reads an expectation as in a `__expected` column: `type: value`, `type(threshold): value`, a type alone, or a text that must be equal. */
export function readExpectation(text: string): WrittenAssertion {
  const trimmed = text.trim();
  const written = /^([a-z][\w:-]*?)(?:\((-?\d+(?:\.\d+)?)\))?(?::([\s\S]*))?$/.exec(trimmed);
  if (trimmed.startsWith('file://')) return { type: isPythonFile(trimmed) ? 'python' : 'javascript', value: trimmed };
  const [, name = '', limit, rest] = written ?? [];
  const type = Object.hasOwn(shortNames, name) ? shortNames[name]! : name;
  const { class: found } = readType(type);
  if (!written || found === 'unknown' || found === 'set') return { type: 'equals', value: trimmed };
  const value = rest?.trim();
  return {
    type,
    ...(value !== undefined &&
      value !== '' && { value: listTypes.has(type.replace(/^not-/, '')) ? listOf(value) : value }),
    ...(limit !== undefined && { threshold: Number(limit) }),
  };
}

function isPythonFile(reference: string): boolean {
  return /\.py(?::[\w.]+)?$/.test(reference);
}

/** Values between commas; one in double quotes may contain commas. */
function listOf(text: string): readonly string[] {
  const parts = text.match(/\s*(?:"(?:[^"]|"")*"|[^,]*)(?:,|$)/g) ?? [];
  return parts
    .map((part) => part.replace(/,$/, '').trim())
    .map((part) => (/^"[\s\S]*"$/.test(part) ? part.slice(1, -1).replaceAll('""', '"') : part))
    .filter((part) => part !== '');
}

const scriptPattern = /\.(?<extension>[cm]?[jt]sx?|py|rb|go|sh|php|lua|pl|ps1|bat|cmd|exe|wasm)(?::[\w.]+)?$/i;

/** The extension of a script that a reference would run, such as `py` of `file://a.py:make`; `undefined` for other files. */
export function scriptOf(reference: string): string | undefined {
  const path = reference.trim().replace(/^file:\/\//, '');
  return /[\r\n{}]/.test(path) ? undefined : scriptPattern.exec(path)?.groups?.['extension']?.toLowerCase();
}

/** The path of a `file://` reference, without the prefix; `undefined` for other texts. */
export function fileReference(text: string): string | undefined {
  const trimmed = text.trim();
  return /^file:\/\/[^\r\n]+$/.test(trimmed) ? trimmed.slice('file://'.length) : undefined;
}
