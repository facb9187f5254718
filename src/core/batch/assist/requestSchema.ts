import { kindOf, type EndpointKind } from '../rules/endpoint';
import type { BatchRules } from '../services/batchRules';
import { siliconFlow } from '../services/batchServices';
import { isOptionalIn, takesAnything } from '../shape';
import type { Shape } from '../shape';
import { bodyShapeAt, lineShapeAt, takesText } from './lineShape';

type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * Returns the JSON Schema (draft 7) of a request at a service, for editors that support one. Which body a request has depends on its URL.
 * Descriptions are in the editor's language.
 */
export function requestSchema(rules: BatchRules = siliconFlow): JsonSchema {
  const isOwn = rules.line === 'params';
  const accepted = isOwn || rules.form === 'openrouter';
  const {
    required = [],
    properties,
    ...line
  } = schemaOf(lineShapeAt(rules, { kind: 'chat', bodyName: 'body' })) as {
    readonly required?: readonly string[];
    readonly properties: JsonSchema;
  };
  const { body, ...envelope } = properties;
  const params = schemaOf({ ...bodyShapeAt(rules, 'messages'), required: ['max_tokens', 'messages'] });
  const kinds = new Set(rules.endpoints.map((url) => kindOf(url) ?? 'other'));
  const $schema = 'http://json-schema.org/draft-07/schema#';
  if (!accepted && kinds.size === 1 && kinds.has('chat')) return { $schema, ...line, properties, required };
  return {
    $schema,
    ...line,
    properties: { ...envelope, body: { type: 'object' }, ...(accepted && { params }) },
    ...(accepted
      ? { required: ['custom_id'], anyOf: [{ required: ['params'] }, { required: ['body'] }] }
      : { required }),
    allOf: [
      when(isForChat(rules), { properties: { body } }),
      ...[...kinds].flatMap((kind) => (kind === 'chat' || kind === 'other' ? [] : [bodyFor(kind, rules)])),
    ],
  };
}

/** A line is a chat if its URL says so, or if nothing says otherwise. */
function isForChat({ endpoints, severities }: BatchRules): JsonSchema {
  const others = ['input', 'prompt', 'document', 'documents'].map((name) => ({ required: [name] }));
  const isOther = { required: ['body'], properties: { body: { anyOf: others, not: { required: ['messages'] } } } };
  const chats = endpoints.filter((url) => kindOf(url) === 'chat');
  const known = severities['url.unknown'] === 'warning' ? [{ not: { enum: endpoints } }] : [];
  return {
    anyOf: [
      { required: ['url'], properties: { url: { anyOf: [{ enum: chats }, ...known] } } },
      { not: { anyOf: [{ required: ['url'] }, ...(endpoints.length > 1 ? [isOther] : [])] } },
    ],
  };
}

function bodyFor(kind: EndpointKind, rules: BatchRules): JsonSchema {
  const urls = rules.endpoints.filter((url) => kindOf(url) === kind);
  return when(
    { required: ['url'], properties: { url: { enum: urls } } },
    { properties: { body: schemaOf(bodyShapeAt(rules, kind)) } },
  );
}

/** The keyword `then` would make an object a promise in the eyes of tools. */
const keywords = { condition: 'if', consequence: 'then' } as const;

function when(condition: JsonSchema, schema: JsonSchema): JsonSchema {
  return { [keywords.condition]: condition, [keywords.consequence]: schema };
}

/** An optional member may also be `null`. */
function schemaOf(shape: Shape, isOptional = false): JsonSchema {
  const { kinds, integer, min, max, values, isClosed, members, required, items, pattern } = shape;
  const taken = isOptional ? [...kinds, 'null'] : kinds;
  const types = taken.map((kind) => (kind === 'number' && integer ? 'integer' : kind));
  return {
    ...(!takesAnything(shape) && { type: types.length === 1 ? types[0] : types }),
    description: [shape.about(), takesText(shape)].filter(Boolean).join('\n\n'),
    ...(min === undefined ? {} : { minimum: min }),
    ...(max === undefined ? {} : { maximum: max }),
    ...(pattern === undefined ? {} : { pattern: pattern.source }),
    ...(values && isClosed ? { enum: values, ...(values.length === 1 ? { default: values[0] } : {}) } : {}),
    // Editors suggest booleans by their type.
    ...(values && !isClosed && typeof values[0] !== 'boolean' ? { examples: values } : {}),
    ...(members
      ? {
          properties: Object.fromEntries(
            Object.entries(members).map(([name, one]) => [name, schemaOf(one, isOptionalIn(shape, name))]),
          ),
        }
      : {}),
    ...(required ? { required } : {}),
    ...(items ? { items: schemaOf(items) } : {}),
  };
}
