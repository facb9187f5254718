import type { Line } from '../line';
import type { Problem } from '../problem';
import { member } from '../scan/jsonTree';
import { bodyWords, envelopeWords } from '../words/lineWords';
import { openingOf } from './spans';

/** That there is a body, with a model. */
export function* body({ root }: Line): Iterable<Problem> {
  const value = member(root, 'body')?.value;
  if (!value) yield { code: 'body.missing', message: envelopeWords.bodyMissing(), span: openingOf(root) };
  else if (value.kind !== 'object') {
    yield { code: 'body.not-object', message: envelopeWords.bodyNotObject(), span: value };
  } else if (!member(value, 'model')) {
    yield { code: 'model.missing', message: bodyWords.modelMissing(), span: openingOf(value) };
  }
}
