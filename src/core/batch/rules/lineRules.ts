import { nearestIds } from '../../catalogue/nearestIds';
import type { LineRule, Line } from '../line';
import { batchMethod, longId, topMembers } from '../limits';
import type { Problem } from '../problem';
import { member } from '../scan/jsonTree';
import type { JsonNode } from '../scan/jsonTree';
import { envelopeWords as words, lineWords, bodyWords, envelopeWords } from '../words/lineWords';
import type { BatchRules } from '../services/batchRules';
import { anything, chatBodyAt, type Shape } from '../shape';
import { otherBody } from './bodies';
import { chatOptions } from './chatOptions';
import { bodyName, bodyOf, kindOf } from './endpoint';
import { messages } from './messages';
import { openingOf } from './spans';
import { fits } from './fits';

/** The rules for one line that is an object. JSON syntax, duplicate keys and surrogates are checked before. */
export const lineRules: readonly LineRule[] = [envelope, body, messages];

/** Checks the top-level members of a request, except the body. */
function* envelope({ root, rules }: Line): Iterable<Problem> {
  yield* customId(root, rules);
  if (rules.line === 'request') yield* method(root, rules);
  if (rules.line === 'request' || (bodyName(root, rules) === 'body' && member(root, 'url'))) yield* url(root, rules);
  const names: readonly string[] = bodyName(root, rules) === 'params' ? ['custom_id', 'params'] : topMembers;
  for (const { key, keySpan } of root.members) {
    if (names.includes(key)) continue;
    const [near] = nearestIds(
      key,
      names.filter((name) => !member(root, name)),
      1,
    );
    const message = near === undefined ? lineWords.unknownMember(key) : lineWords.unknownMemberNear(key, near);
    const suggestions = near === undefined ? {} : { suggestions: [near] };
    yield { code: 'line.unknown-member', message, span: keySpan, ...suggestions };
  }
}

function* customId(root: JsonNode, { idPattern }: BatchRules): Iterable<Problem> {
  const value = member(root, 'custom_id')?.value;
  if (!value) yield { code: 'custom-id.missing', message: words.idMissing(), span: openingOf(root) };
  else if (typeof value.value !== 'string') {
    yield { code: 'custom-id.not-string', message: words.idNotString(), span: value };
  } else if (value.value === '') yield { code: 'custom-id.empty', message: words.idEmpty(), span: value };
  else if (idPattern !== undefined && !new RegExp(idPattern).test(value.value)) {
    yield { code: 'custom-id.form', message: words.idForm(), span: value };
  } else if (value.value.length > longId) {
    yield { code: 'custom-id.long', message: words.idLong(longId), span: value };
  }
}

function* method(root: JsonNode, rules: BatchRules): Iterable<Problem> {
  const value = member(root, 'method')?.value;
  if (!value)
    yield { code: 'method.missing', message: missing('method', batchMethod, root, rules), span: openingOf(root) };
  else if (value.value !== batchMethod) {
    yield { code: 'method.not-post', message: words.methodNotPost(batchMethod), span: value };
  }
}

function* url(root: JsonNode, rules: BatchRules): Iterable<Problem> {
  const { endpoints, severities } = rules;
  const value = member(root, 'url')?.value;
  const expected = endpointFor(root, rules) ?? endpoints[0] ?? '';
  if (!value) yield { code: 'url.missing', message: missing('url', expected, root, rules), span: openingOf(root) };
  else if (!endpoints.some((one) => one === value.value)) {
    const written = typeof value.value === 'string' ? value.value : '';
    const isSent = severities['url.unknown'] === 'warning' && written !== '';
    const message = isSent
      ? words.urlUnlisted(written)
      : endpoints.length === 1
        ? words.urlUnknown(expected)
        : bodyWords.otherValue('url', endpoints);
    yield {
      code: 'url.unknown',
      message,
      span: value,
      suggestions: [nearestIds(written, endpoints, 1)[0] ?? expected],
    };
  }
}

/** Returns the endpoint that a body is for, in the form in which lines at the service name it, if there is one. */
export function endpointFor(root: JsonNode, { endpoints }: BatchRules): string | undefined {
  const body = member(root, 'body')?.value;
  const kind = member(body, 'messages')
    ? 'chat'
    : member(body, 'prompt')
      ? 'completions'
      : member(body, 'input')
        ? 'embeddings'
        : undefined;
  return endpoints.find((one) => kind !== undefined && kindOf(one) === kind);
}

/** Reports a missing property, and a similar one that might be meant. */
function missing(
  name: 'method' | 'url',
  expected: string,
  root: JsonNode,
  { id, severities, name: service }: BatchRules,
): string {
  const near = nearKey(root, name);
  if (severities[`${name}.missing`] === 'error') {
    return near === undefined ? words.required(name, service) : words.requiredNear(name, service, near);
  }
  if (near !== undefined) return words.missingNear(name, near);
  if (id !== 'siliconFlow') return words.missing(name, expected);
  return name === 'method' ? words.methodMissing(expected) : words.urlMissing(expected);
}

/** Nobody writes this many properties in addition to those of a request. */
const mostCompared = 20;

/** Returns the key that a missing member may be written under, such as one with a space. */
export function nearKey(root: JsonNode, name: (typeof topMembers)[number]): string | undefined {
  const keys = root.members.slice(0, mostCompared).map(({ key }) => key);
  return keys.find((key) => !(topMembers as readonly string[]).includes(key) && nearestIds(key, [name], 1).length > 0);
}

/** Checks that there is a body with a model, and that the service accepts its parameters. */
function* body(line: Line): Iterable<Problem> {
  const { root, rules } = line;
  const name = bodyName(root, rules);
  const value = bodyOf(root, rules);
  if (!value) yield { code: 'body.missing', message: envelopeWords.bodyMissing(name), span: openingOf(root) };
  else if (value.kind !== 'object') {
    yield { code: 'body.not-object', message: envelopeWords.bodyNotObject(name), span: value };
  } else {
    // OpenAI has a separate one for moderations, and a saved prompt can name one.
    const hasOther = line.kind === 'moderations' || member(value, 'prompt')?.value.kind === 'object';
    if (!member(value, 'model') && !hasOther) {
      yield { code: 'model.missing', message: bodyWords.modelMissing(), span: openingOf(value) };
    }
    if (line.kind === 'chat') yield* fits(value, parametersAt(rules), name, rules);
    else yield* otherBody(value, line);
    yield* chatOptions(value, line);
    const stream = member(value, 'stream');
    if (stream?.value.value === true && !rules.rejects?.includes('stream')) {
      yield { code: 'stream.ignored', message: bodyWords.streamIgnored(), span: stream.keySpan };
    }
  }
}

const shapesBy = new WeakMap<BatchRules, Shape>();

/** The messages, and their absence, are checked separately, by other rules. */
function parametersAt(rules: BatchRules): Shape {
  let known = shapesBy.get(rules);
  if (!known) {
    const shape = chatBodyAt(rules);
    shapesBy.set(rules, (known = { ...shape, required: [], members: { ...shape.members, messages: anything } }));
  }
  return known;
}
