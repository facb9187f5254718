import type { Line } from '../line';
import { bodyMember, isWithin } from '../parameters';
import type { BodyMember } from '../parameters';
import type { Problem } from '../problem';
import { member } from '../scan/jsonTree';
import type { JsonMember } from '../scan/jsonTree';
import { bodyWords, boundWords, kindWords } from '../words/lineWords';

/** Types and bounds of the body's members that are known; of one name the last counts. */
export function* parameters({ root }: Line): Iterable<Problem> {
  const body = member(root, 'body')?.value;
  for (const one of body?.members ?? []) if (member(body, one.key) === one) yield* parameter(one);
}

function* parameter({ key, keySpan, value }: JsonMember): Iterable<Problem> {
  const known = bodyMember(key);
  if (!known) return;
  if (key === 'messages') return;
  if (!known.kinds.includes(value.kind)) {
    yield { code: 'member.wrong-type', message: bodyWords.wrongType(key, kindsOf(known)), span: value };
  } else if (typeof value.value === 'number' && !isWithin(value.value, known)) {
    yield { code: 'parameter.out-of-bounds', message: bodyWords.outOfBounds(key, boundsOf(known)), span: value };
  } else if (key === 'stream' && value.value === true) {
    yield { code: 'stream.ignored', message: bodyWords.streamIgnored(), span: keySpan };
  } else if (key === 'stop' && value.items.some(({ kind }) => kind !== 'string')) {
    yield { code: 'member.wrong-type', message: bodyWords.wrongType(key, kindsOf(known)), span: value };
  }
}

/** `null` stands for "not set": it is taken, and not asked for. */
function kindsOf({ kinds }: BodyMember): string {
  return kinds
    .filter((kind) => kind !== 'null')
    .map((kind) => kindWords[kind]())
    .reduce(boundWords.either);
}

/** The bounds of a number, in words. */
export function boundsOf({ integer, min, max }: BodyMember): string {
  if (min !== undefined && max !== undefined) {
    return integer ? boundWords.wholeBetween(min, max) : boundWords.between(min, max);
  }
  if (!integer) return kindWords.number();
  return min === undefined ? boundWords.whole() : boundWords.wholeFrom(min);
}
