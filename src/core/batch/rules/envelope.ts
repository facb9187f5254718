import type { Line } from '../line';
import { batchMethod, batchUrl, longId, topMembers } from '../limits';
import type { Problem } from '../problem';
import { member } from '../scan/jsonTree';
import type { JsonNode } from '../scan/jsonTree';
import { envelopeWords as words, lineWords } from '../words/lineWords';
import { openingOf } from './spans';

/** Checks the top-level members of a request, except the body. */
export function* envelope({ root }: Line): Iterable<Problem> {
  yield* customId(root);
  yield* fixed(root, 'method', batchMethod);
  yield* fixed(root, 'url', batchUrl);
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

function* fixed(root: JsonNode, name: 'method' | 'url', wanted: string): Iterable<Problem> {
  const value = member(root, name)?.value;
  const isMethod = name === 'method';
  if (!value) {
    const message = isMethod ? words.methodMissing(wanted) : words.urlMissing(wanted);
    yield { code: isMethod ? 'method.missing' : 'url.missing', message, span: openingOf(root) };
  } else if (value.value !== wanted) {
    const message = isMethod ? words.methodNotPost(wanted) : words.urlUnknown(wanted);
    yield { code: isMethod ? 'method.not-post' : 'url.unknown', message, span: value };
  }
}
