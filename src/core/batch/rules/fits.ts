import { nearestIds } from '../../catalogue/nearestIds';
import type { Problem } from '../problem';
import { member } from '../scan/jsonTree';
import type { JsonMember, JsonNode } from '../scan/jsonTree';
import type { BatchRules } from '../services/batchRules';
import { isOptionalIn } from '../shape';
import type { Shape } from '../shape';
import { bodyWords as words, boundWords, kindWords } from '../words/lineWords';
import { openingOf } from './spans';

/**
 * Checks a value and everything within it against a shape. `name` is the user's name for the value. `rules`: those of the service that
 * determines the properties. Without them, no service is mentioned.
 */
export function* fits(value: JsonNode, shape: Shape, name: string, rules?: BatchRules): Iterable<Problem> {
  if (!shape.kinds.includes(value.kind)) {
    yield {
      code: shape.isModel ? 'model.invalid' : 'member.wrong-type',
      message: words.wrongType(name, expectedText(shape)),
      span: value,
    };
  } else if (typeof value.value === 'number') yield* numberFits(value, value.value, shape, name);
  else if (typeof value.value === 'string') yield* textFits(value, value.value, shape, name);
  else if (value.kind === 'array') yield* itemsFit(value, shape, name);
  else if (value.kind === 'object') yield* membersFit(value, shape, rules);
}

/** Whether a number is within its bounds, and an integer if it must be. Ignores `usual`. */
export function isWithin(value: number, { integer, min = -Infinity, max = Infinity }: Shape): boolean {
  return Number.isFinite(value) && (!integer || Number.isInteger(value)) && value >= min && value <= max;
}

function* numberFits(span: JsonNode, value: number, shape: Shape, name: string): Iterable<Problem> {
  if (!isWithin(value, shape)) {
    yield { code: 'parameter.out-of-bounds', message: words.outOfBounds(name, boundsOf(shape)), span };
  } else if (!isWithin(value, { ...shape, ...shape.usual })) {
    yield { code: 'parameter.unusual', message: words.unusual(name, expectedText(shape)), span };
  }
}

function* textFits(span: JsonNode, value: string, shape: Shape, name: string): Iterable<Problem> {
  const { minLength = 0, maxLength = Infinity, values = [], isClosed } = shape;
  const wrong = (message: string, suggestions?: readonly string[]): Problem => ({
    code: shape.isModel ? 'model.invalid' : 'member.wrong-value',
    message,
    span,
    ...(suggestions && { suggestions }),
  });
  if (value.length < minLength) yield wrong(words.emptyText(name));
  else if (value.length > maxLength) yield wrong(words.longText(name, maxLength));
  else if (isClosed && !values.includes(value)) {
    const known = values.filter((one) => typeof one === 'string');
    const [nearest] = nearestIds(value, known, 1);
    yield wrong(words.otherValue(name, known), nearest === undefined ? [] : [nearest]);
  }
}

function* itemsFit(value: JsonNode, shape: Shape, name: string): Iterable<Problem> {
  const { items, minItems = 0, maxItems = Infinity } = shape;
  if (value.items.length < minItems) {
    yield { code: 'member.wrong-value', message: words.emptyText(name), span: openingOf(value) };
  }
  if (value.items.length > maxItems) {
    yield { code: 'member.wrong-value', message: words.tooMany(name, maxItems), span: openingOf(value) };
  }
  if (items) for (const [index, item] of value.items.entries()) yield* fits(item, items, `${name}[${index}]`);
}

/** The last of duplicate keys counts. `null` means "not set". */
function* membersFit(value: JsonNode, shape: Shape, rules: BatchRules | undefined): Iterable<Problem> {
  const { members = {}, required = [], isStrict } = shape;
  for (const name of required) {
    if (!member(value, name)) {
      yield { code: 'member.missing', message: words.memberMissing(name), span: openingOf(value) };
    }
  }
  const names = Object.keys(members);
  let unknown = 0;
  for (const one of value.members) {
    if (member(value, one.key) !== one) continue;
    const known = Object.hasOwn(members, one.key) ? members[one.key] : undefined;
    if (!known) {
      if (isStrict) yield unknownMember(one, unknown++ < mostCompared ? names : [], rules);
    } else if (one.value.kind !== 'null' || !isOptionalIn(shape, one.key)) yield* fits(one.value, known, one.key);
  }
}

/** Similar names are searched for up to this many unknown properties, because nobody mistypes more names in one object. */
const mostCompared = 100;

/** Reports a property that isn't among the `known` ones, with the nearest of them. */
export function unknownMember(
  { key, keySpan }: JsonMember,
  known: readonly string[],
  rules: BatchRules | undefined,
): Problem {
  const suggestions = nearestIds(key, known, 1);
  const [nearest] = suggestions;
  // Only SiliconFlow is known to reject what its reference does not list.
  const alone = rules?.severities['body.unknown-member'] === undefined ? words.unknownMember : words.unlistedMember;
  const message = nearest === undefined ? alone(key) : words.unknownMemberNearest(key, nearest);
  return { code: 'body.unknown-member', message, span: keySpan, suggestions };
}

/** Describes the accepted types, with the bounds of numbers. */
export function expectedText(shape: Shape): string {
  const ofKind = (kind: Shape['kinds'][number]) =>
    kind === 'number' ? boundsOf({ ...shape, ...shape.usual }) : kindWords[kind]();
  return shape.kinds.map(ofKind).reduce(boundWords.either);
}

function boundsOf({ integer, min, max }: Shape): string {
  if (min !== undefined && min === max) return String(min);
  if (min !== undefined && max !== undefined) {
    return integer ? boundWords.wholeBetween(min, max) : boundWords.between(min, max);
  }
  if (!integer) return kindWords.number();
  return min === undefined ? boundWords.whole() : boundWords.wholeFrom(min);
}
