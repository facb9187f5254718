import type { Line } from '../line';
import type { Problem } from '../problem';
import { member } from '../scan/jsonTree';
import type { JsonNode } from '../scan/jsonTree';
import type { BatchRules } from '../services/batchRules';
import { bodyWords as words, boundWords, kindWords } from '../words/lineWords';
import { openingOf } from './spans';

/** Reports options of a chat or response that the service can only reject. */
export function* chatOptions(body: JsonNode, { rules, kind, text }: Line): Iterable<Problem> {
  if (kind === 'chat') {
    yield* answerLength(body, rules);
    yield* rejected(body, rules);
  }
  if (sampled.has(kind)) yield* sampling(body, kind, rules);
  if (kind === 'messages') yield* thinkingBudget(body, rules);
  if (rules.checksTools) yield* together(body, kind, rules);
  yield* tools(body, kind, rules);
  const format = kind === 'responses' ? member(member(body, 'text')?.value, 'format') : member(body, 'response_format');
  if (format?.value.kind !== 'object') return;
  const type = member(format.value, 'type')?.value;
  if (type?.value === 'json_schema') {
    const own = kind === 'responses' ? format.value : member(format.value, 'json_schema')?.value;
    yield* schema(own, type);
    if (rules.checksTools && own?.kind === 'object') {
      yield* nameIn(own);
      if (member(own, 'strict')?.value.value === true) yield* strictSchema(member(own, 'schema')?.value);
    }
  }
  if (type?.value === 'json_object' && rules.needsJsonWord) {
    const said = [member(body, 'messages'), member(body, 'input'), member(body, 'instructions')];
    if (said.some((one) => one && /json/i.test(text.slice(one.value.start, one.value.end)))) return;
    yield { code: 'format.no-json-word', message: words.noJsonWord(), span: type };
  }
}

/** Reports the parameters that the service rejects in a chat or its messages. */
function* rejected(body: JsonNode, { rejects = [], name: service }: BatchRules): Iterable<Problem> {
  const messages = member(body, 'messages')?.value.items ?? [];
  for (const parameter of rejects) {
    const name = parameter.replace('messages[].', '');
    for (const holder of name === parameter ? [body] : messages) {
      const one = member(holder, name);
      if (!one || !isSet(one.value, undefined)) continue;
      yield { code: 'parameter.not-for-model', message: words.rejectedByService(name, service), span: one.keySpan };
    }
  }
}

function* schema(holder: JsonNode | undefined, type: JsonNode): Iterable<Problem> {
  const isThere = holder?.kind === 'object' && member(holder, 'schema')?.value.kind === 'object';
  if (!isThere) yield { code: 'format.no-schema', message: words.noSchema(), span: holder ?? type };
}

const usualName = /^[a-zA-Z0-9_-]{1,64}$/;

/** Checks the name of a schema or a tool. */
function* nameIn(holder: JsonNode): Iterable<Problem> {
  const name = member(holder, 'name')?.value;
  if (!name) yield { code: 'member.missing', message: words.memberMissing('name'), span: openingOf(holder) };
  else if (typeof name.value === 'string' && !usualName.test(name.value)) {
    yield { code: 'member.wrong-value', message: words.wrongName('name'), span: name };
  }
}

/** Reports options that have an effect, and are accepted, only with or without another one. */
function* together(body: JsonNode, kind: Line['kind'], { completionTokensOnly }: BatchRules): Iterable<Problem> {
  const isSet = (name: string) => (member(body, name)?.value.kind ?? 'null') !== 'null';
  const needed = (name: string, other: string): Problem[] => {
    const option = isSet(name) && member(body, other)?.value.value !== true ? member(body, name) : undefined;
    const message = words.needsOption(name, other);
    return option ? [{ code: 'member.missing', message, span: option.keySpan }] : [];
  };
  if (kind === 'chat') yield* [...needed('top_logprobs', 'logprobs'), ...needed('stream_options', 'stream')];
  const isOtherwiseReported = matches(completionTokensOnly, String(member(body, 'model')?.value.value));
  if (kind === 'chat' && isSet('max_tokens') && isSet('max_completion_tokens') && !isOtherwiseReported) {
    const { keySpan } = member(body, 'max_tokens')!;
    yield { code: 'member.wrong-value', message: words.onlyOne('max_tokens', 'max_completion_tokens'), span: keySpan };
  }
  if (kind !== 'chat' && kind !== 'responses') return;
  for (const { key, value } of member(body, 'metadata')?.value.members ?? []) {
    if (value.kind === 'string' || value.kind === 'null') continue;
    yield { code: 'member.wrong-type', message: words.wrongType(`metadata.${key}`, kindWords.string()), span: value };
  }
}

/** Each endpoint has another form of functions, and rejects that of the others. */
function* tools(body: JsonNode, kind: Line['kind'], { id, checksTools }: BatchRules): Iterable<Problem> {
  const list = member(body, 'tools');
  const isStrictChat = kind === 'chat' && checksTools;
  if (isStrictChat && list?.value.kind === 'array' && list.value.items.length === 0) {
    yield { code: 'member.wrong-value', message: words.emptyTools(), span: list.value };
  }
  for (const name of isStrictChat && !list ? ['tool_choice', 'parallel_tool_calls'] : []) {
    const option = member(body, name);
    if (!option || option.value.kind === 'null') continue;
    yield { code: 'member.missing', message: words.withoutTools(name), span: option.keySpan };
  }
  if (checksTools || kind === 'messages') yield* chosenTool(body, kind, list?.value.items ?? []);
  for (const tool of list?.value.items ?? []) {
    const type = member(tool, 'type')?.value.value;
    const isFunction = type === 'function';
    const missing =
      kind === 'chat' && isFunction && id !== 'siliconFlow'
        ? 'function'
        : kind === 'responses' && isFunction
          ? 'name'
          : kind === 'messages' && (type === undefined || type === 'custom' || isFunction)
            ? 'input_schema'
            : undefined;
    const named = member(tool, 'function')?.value;
    if (missing !== undefined && tool.kind === 'object' && !member(tool, missing)) {
      yield { code: 'member.missing', message: words.memberMissing(missing), span: openingOf(tool) };
    } else if (isStrictChat && named?.kind === 'object') yield* nameIn(named);
    const called = kind === 'chat' ? named : tool;
    const isStrict = checksTools && kind !== 'messages' && member(called, 'strict')?.value.value === true;
    if (isStrict) yield* strictSchema(member(called, 'parameters')?.value);
  }
}

/** Reports a function that must be called and isn't among the tools. */
function* chosenTool(body: JsonNode, kind: Line['kind'], tools: readonly JsonNode[]): Iterable<Problem> {
  const choice = member(body, 'tool_choice')?.value;
  const type = member(choice, 'type')?.value.value;
  const nameOf = (tool: JsonNode | undefined) =>
    member(kind === 'chat' ? member(tool, 'function')?.value : tool, 'name')?.value;
  const name = type === 'function' || type === 'tool' ? nameOf(choice) : undefined;
  if (typeof name?.value !== 'string' || tools.length === 0) return;
  if (tools.some((tool) => nameOf(tool)?.value === name.value)) return;
  yield { code: 'member.wrong-value', message: words.otherTool(name.value), span: name };
}

const sampled: ReadonlySet<Line['kind']> = new Set(['chat', 'responses', 'messages', 'embeddings']);

/** Reports sampling and other parameters that a model rejects. */
function* sampling(
  body: JsonNode,
  kind: Line['kind'],
  { fixedSampling, oneSampling, notForModels }: BatchRules,
): Iterable<Problem> {
  const model = member(body, 'model')?.value.value;
  if (typeof model !== 'string') return;
  const [first, second] = ['temperature', 'top_p'].map((name) => member(body, name));
  if (matches(oneSampling, model) && first && second && [first, second].every(({ value }) => isSet(value, undefined))) {
    const message = words.onlyOne('temperature', 'top_p');
    yield { code: 'member.wrong-value', message, span: second.keySpan };
  }
  const all = [
    ...(matches(fixedSampling, model) ? usualSampling : []),
    ...(matches(fixedSampling, model) && kind === 'messages' ? [['top_k', undefined] as const] : []),
    ...Object.entries(notForModels?.[kind] ?? {}).flatMap(([name, models]) =>
      matches(models, model) ? [[name, undefined] as const] : [],
    ),
  ];
  for (const [name, usual] of all) {
    const one = member(body, name);
    if (!one || !isSet(one.value, usual)) continue;
    yield { code: 'parameter.not-for-model', message: words.rejectedByModel(name, model), span: one.keySpan };
  }
}

const usualSampling: readonly (readonly [name: string, usual: number | undefined])[] = [
  ['temperature', 1],
  ['top_p', 1],
  ['presence_penalty', 0],
  ['frequency_penalty', 0],
  ['logprobs', undefined],
  ['top_logprobs', undefined],
  ['logit_bias', undefined],
];

/** Whether a parameter has another value than that which has no effect. */
function isSet({ kind, value, members }: JsonNode, usual: number | undefined): boolean {
  if (kind === 'null' || value === false || value === usual) return false;
  return kind !== 'object' || members.length > 0;
}

/** https://platform.claude.com/docs/en/build-with-claude/extended-thinking */
const leastBudget = 1024;

function* thinkingBudget(body: JsonNode, { fixedSampling }: BatchRules): Iterable<Problem> {
  const thinking = member(body, 'thinking')?.value;
  const budget = member(thinking, 'budget_tokens')?.value;
  const most = member(body, 'max_tokens')?.value.value;
  const model = member(body, 'model')?.value.value;
  if (budget && typeof model === 'string' && matches(fixedSampling, model)) {
    const { keySpan: span } = member(thinking, 'budget_tokens')!;
    yield { code: 'parameter.not-for-model', message: words.rejectedByModel('budget_tokens', model), span };
    return;
  }
  if (typeof budget?.value === 'number' && budget.value < leastBudget) {
    const message = words.outOfBounds('budget_tokens', boundWords.wholeFrom(leastBudget));
    yield { code: 'parameter.out-of-bounds', message, span: budget };
    return;
  }
  if (typeof budget?.value !== 'number' || typeof most !== 'number' || budget.value < most) return;
  yield { code: 'parameter.out-of-bounds', message: words.thinkingBudget(), span: budget };
}

const patterns = new Map<string, RegExp>();

/** Whether a model is one of those that a pattern of the rules is for. */
export function matches(source: string | undefined, model: string): boolean {
  if (source === undefined) return false;
  let pattern = patterns.get(source);
  if (!pattern) patterns.set(source, (pattern = new RegExp(source)));
  return pattern.test(model);
}

function* answerLength(body: JsonNode, rules: BatchRules): Iterable<Problem> {
  const model = member(body, 'model')?.value.value;
  const length = member(body, 'max_tokens');
  if (!length || length.value.kind === 'null' || typeof model !== 'string') return;
  if (!matches(rules.completionTokensOnly, model)) return;
  const own = 'max_completion_tokens';
  const suggestions = member(body, own) ? [] : [own];
  const message = words.notForModel('max_tokens', own, model);
  yield { code: 'parameter.not-for-model', message, span: length.keySpan, suggestions };
}

/**
 * Reports the first place where a schema does not meet the rules of strict schemas, which reject the request:
 * https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
 */
function* strictSchema(schema: JsonNode | undefined): Iterable<Problem> {
  if (schema?.kind !== 'object') return;
  if (member(schema, 'type')?.value.value !== 'object' && !member(schema, '$ref')) {
    yield { code: 'member.wrong-value', message: words.strictRoot(), span: openingOf(schema) };
    return;
  }
  const [first] = openPlaces(schema);
  if (first) yield first;
}

function* openPlaces(schema: JsonNode): Iterable<Problem> {
  if (schema.kind !== 'object') return;
  const properties = member(schema, 'properties')?.value;
  if (properties?.kind === 'object' || member(schema, 'type')?.value.value === 'object') {
    const isClosed = member(schema, 'additionalProperties')?.value.value === false;
    if (!isClosed) yield { code: 'member.missing', message: words.strictOpen(), span: openingOf(schema) };
    const required = new Set(member(schema, 'required')?.value.items.map(({ value }) => value));
    const open = properties?.members.find(({ key }) => !required.has(key));
    if (open) yield { code: 'member.missing', message: words.strictOptional(open.key), span: open.keySpan };
  }
  for (const name of ['properties', '$defs', 'definitions']) {
    for (const one of member(schema, name)?.value.members ?? []) yield* openPlaces(one.value);
  }
  const items = member(schema, 'items')?.value;
  if (items) yield* openPlaces(items);
  for (const one of member(schema, 'anyOf')?.value.items ?? []) yield* openPlaces(one);
}
