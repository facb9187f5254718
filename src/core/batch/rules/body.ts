import type { Line } from '../line';
import type { Problem } from '../problem';
import { member } from '../scan/jsonTree';
import { shapeAt } from '../shape';
import type { Shape } from '../shape';
import { bodyWords, envelopeWords } from '../words/lineWords';
import { fits } from './fits';
import { openingOf } from './spans';

const shape = shapeAt(['body'])!;
const anything: Shape = { kinds: ['object', 'array', 'string', 'number', 'boolean', 'null'], about: () => '' };
/** The messages, and their absence, are checked separately: they have rules of their own. */
const parameters: Shape = { ...shape, required: [], members: { ...shape.members, messages: anything } };

/** Checks that there is a body with a model, and that the service accepts its parameters. */
export function* body({ root }: Line): Iterable<Problem> {
  const value = member(root, 'body')?.value;
  if (!value) yield { code: 'body.missing', message: envelopeWords.bodyMissing(), span: openingOf(root) };
  else if (value.kind !== 'object') {
    yield { code: 'body.not-object', message: envelopeWords.bodyNotObject(), span: value };
  } else {
    if (!member(value, 'model')) {
      yield { code: 'model.missing', message: bodyWords.modelMissing(), span: openingOf(value) };
    }
    yield* fits(value, parameters, 'body');
    const stream = member(value, 'stream');
    if (stream?.value.value === true) {
      yield { code: 'stream.ignored', message: bodyWords.streamIgnored(), span: stream.keySpan };
    }
  }
}
