import type { LineRule, Line } from '../line';
import { batchMethod, batchUrl, longId, topMembers } from '../limits';
import type { Problem } from '../problem';
import { member } from '../scan/jsonTree';
import type { JsonNode } from '../scan/jsonTree';
import { envelopeWords as words, lineWords, bodyWords, envelopeWords } from '../words/lineWords';
import { shapeAt } from '../shape';
import type { Shape } from '../shape';
import { messages } from './messages';
import { isForOther } from './endpoint';
import { openingOf } from './spans';
import { fits } from './fits';

/** The rules for one line that is an object. JSON syntax, duplicate keys and surrogates are checked before. */
export const lineRules: readonly LineRule[] = [envelope, body, messages];

/** Checks the top-level members of a request, except the body. */
function* envelope({ root, rules: { endpoints } }: Line): Iterable<Problem> {
  yield* customId(root);
  yield* fixed(root, 'method', [batchMethod]);
  yield* fixed(root, 'url', endpoints);
  for (const { key, keySpan } of root.members) {
    if (!(topMembers as readonly string[]).includes(key)) {
      yield { code: 'line.unknown-member', message: lineWords.unknownMember(key), span: keySpan };
    }
  }
}

function* customId(root: JsonNode): Iterable<Problem> {
  const value = member(root, 'custom_id')?.value;
  if (!value) yield { code: 'custom-id.missing', message: words.idMissing(), span: openingOf(root) };
  else if (typeof value.value !== 'string') {
    yield { code: 'custom-id.not-string', message: words.idNotString(), span: value };
  } else if (value.value === '') yield { code: 'custom-id.empty', message: words.idEmpty(), span: value };
  else if (value.value.length > longId) {
    yield { code: 'custom-id.long', message: words.idLong(longId), span: value };
  }
}

function* fixed(root: JsonNode, name: 'method' | 'url', values: readonly string[]): Iterable<Problem> {
  const value = member(root, name)?.value;
  const isMethod = name === 'method';
  const wanted = isMethod ? batchMethod : batchUrl;
  if (!value) {
    const message = isMethod ? words.methodMissing(wanted) : words.urlMissing(wanted);
    yield { code: isMethod ? 'method.missing' : 'url.missing', message, span: openingOf(root) };
  } else if (!values.includes(String(value.value))) {
    const message = isMethod
      ? words.methodNotPost(wanted)
      : values.length === 1
        ? words.urlUnknown(wanted)
        : bodyWords.otherValue('url', values);
    yield { code: isMethod ? 'method.not-post' : 'url.unknown', message, span: value };
  }
}

const shape = shapeAt(['body'])!;
const anything: Shape = { kinds: ['object', 'array', 'string', 'number', 'boolean', 'null'], about: () => '' };
/** The messages, and their absence, are checked separately: they have rules of their own. */
const parameters: Shape = { ...shape, required: [], members: { ...shape.members, messages: anything } };
const parametersBy = new Map<readonly string[] | undefined, Shape>([[undefined, parameters]]);

/** Returns the shape of a body with these members. What the public service does not have may be anything. */
function parametersOf(names: readonly string[] | undefined): Shape {
  const known = parametersBy.get(names);
  if (known || !names) return known ?? parameters;
  const members = Object.fromEntries(names.map((name) => [name, parameters.members?.[name] ?? anything]));
  const own = { ...parameters, members };
  parametersBy.set(names, own);
  return own;
}

/** Checks that there is a body with a model, and that the service accepts its parameters. */
function* body(line: Line): Iterable<Problem> {
  const { root, rules } = line;
  const value = member(root, 'body')?.value;
  if (!value) yield { code: 'body.missing', message: envelopeWords.bodyMissing(), span: openingOf(root) };
  else if (value.kind !== 'object') {
    yield { code: 'body.not-object', message: envelopeWords.bodyNotObject(), span: value };
  } else {
    if (!member(value, 'model')) {
      yield { code: 'model.missing', message: bodyWords.modelMissing(), span: openingOf(value) };
    }
    if (isForOther(line)) return;
    yield* fits(value, parametersOf(rules.members), 'body');
    const stream = member(value, 'stream');
    if (stream?.value.value === true) {
      yield { code: 'stream.ignored', message: bodyWords.streamIgnored(), span: stream.keySpan };
    }
  }
}
