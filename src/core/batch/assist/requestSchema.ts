import { takesText } from './aboutShape';
import { isOptionalIn, requestShape } from '../shape';
import type { Shape } from '../shape';

type JsonSchema = Readonly<Record<string, unknown>>;

/** Returns the JSON Schema (draft 7) of a request, for editors that support one. Descriptions are in the editor's language. */
export function requestSchema(): JsonSchema {
  return { $schema: 'http://json-schema.org/draft-07/schema#', ...schemaOf(requestShape) };
}

/** An optional member may also be `null`. */
function schemaOf(shape: Shape, isOptional = false): JsonSchema {
  const { kinds, integer, min, max, values, isClosed, members, required, items } = shape;
  const taken = isOptional ? [...kinds, 'null'] : kinds;
  const types = taken.map((kind) => (kind === 'number' && integer ? 'integer' : kind));
  return {
    type: types.length === 1 ? types[0] : types,
    description: `${shape.about()}\n\n${takesText(shape)}`,
    ...(min === undefined ? {} : { minimum: min }),
    ...(max === undefined ? {} : { maximum: max }),
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
