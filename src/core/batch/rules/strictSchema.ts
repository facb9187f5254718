import type { Problem } from '../problem';
import { member, type JsonNode } from '../scan/jsonTree';
import { bodyWords as words } from '../words/lineWords';
import { openingOf } from './spans';

/**
 * Reports the first place where a schema does not meet the rules of strict schemas, which reject the request:
 * https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
 */
export function* strictSchema(schema: JsonNode | undefined): Iterable<Problem> {
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
