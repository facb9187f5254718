import { findNodeAtLocation, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { Node, ParseError } from 'jsonc-parser';
import { toolNamePattern } from './tools';
import type { ToolDefinition } from './tools';

/** An error in a tool definition as typed. */
export type OwnToolFault =
  /** `name.taken`: another of the user's tools has the name. */
  | { readonly code: 'name.empty' | 'name.pattern' | 'name.taken' }
  | ({ readonly code: SchemaCode } & Spot)
  /** `what` is the parser's name of the error, e.g. `CommaExpected`. */
  | ({ readonly code: 'schema.syntax'; readonly what: string } & Spot)
  /** `what` is the property that is required but not described. */
  | ({ readonly code: 'schema.requiredUnknown'; readonly what: string } & Spot);

type SchemaCode =
  | 'schema.notObject'
  | 'schema.typeNotObject'
  | 'schema.typeUnknown'
  | 'schema.propertiesNotObject'
  | 'schema.notSchema'
  | 'schema.requiredNotNames'
  | 'schema.enumNotList';

interface Spot {
  /** UTF-16 offset in the text. */
  readonly offset: number;
}

export interface OwnToolText {
  readonly name: string;
  readonly description: string;
  /** Empty if the tool takes no input. */
  readonly schema: string;
}

/** Returns the definition, or its errors. `taken` are the names of the user's other tools. */
export function readOwnTool(
  { name, description, schema }: OwnToolText,
  taken: ReadonlySet<string>,
): { readonly tool?: ToolDefinition; readonly faults: readonly OwnToolFault[] } {
  const trimmed = name.trim();
  const faults: OwnToolFault[] = [];
  if (trimmed === '') faults.push({ code: 'name.empty' });
  else if (!toolNamePattern.test(trimmed)) faults.push({ code: 'name.pattern' });
  else if (taken.has(trimmed)) faults.push({ code: 'name.taken' });
  const text = schema.trim() === '' ? '{"type":"object","properties":{}}' : schema;
  for (const one of schemaFaults(text)) faults.push(one);
  if (faults.length > 0) return { faults };
  const input_schema = JSON.parse(text) as ToolDefinition['input_schema'];
  const described = description.trim() === '' ? {} : { description: description.trim() };
  return { tool: { name: trimmed, ...described, input_schema }, faults };
}

function schemaFaults(text: string): readonly OwnToolFault[] {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  const [error] = errors;
  if (error) {
    const offset = Math.min(error.offset, text.trimEnd().length);
    return [{ code: 'schema.syntax', what: printParseErrorCode(error.error), offset }];
  }
  if (root?.type !== 'object') return [{ code: 'schema.notObject', offset: root?.offset ?? 0 }];
  const type = findNodeAtLocation(root, ['type']);
  const isObject = type?.value === 'object';
  const typed: readonly OwnToolFault[] = isObject
    ? []
    : [{ code: 'schema.typeNotObject', offset: (type ?? root).offset }];
  return [...typed, ...inSchema(root)];
}

const typeNames: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

/** Checks the keywords every service reads; passes on all others. https://json-schema.org/understanding-json-schema/reference */
function inSchema(node: Node): readonly OwnToolFault[] {
  if (node.type === 'boolean') return [];
  if (node.type !== 'object') return [{ code: 'schema.notSchema', offset: node.offset }];
  const at = (keyword: string) => findNodeAtLocation(node, [keyword]);
  const [type, properties, required, list] = [at('type'), at('properties'), at('required'), at('enum')];
  const within = [at('items'), at('additionalProperties')].filter((inner) => inner !== undefined);
  return [
    ...(type ? typeFaults(type) : []),
    ...(properties ? propertyFaults(properties) : []),
    ...(required ? requiredFaults(required, properties) : []),
    ...(list && list.type !== 'array' ? [{ code: 'schema.enumNotList' as const, offset: list.offset }] : []),
    ...within.flatMap((inner) => (inner.type === 'array' ? (inner.children ?? []) : [inner])).flatMap(inSchema),
  ];
}

function typeFaults(type: Node): readonly OwnToolFault[] {
  const named = type.type === 'array' ? (type.children ?? []) : [type];
  const wrong = named.find(({ value }) => !typeNames.has(value));
  return wrong ? [{ code: 'schema.typeUnknown', offset: wrong.offset }] : [];
}

function propertyFaults(properties: Node): readonly OwnToolFault[] {
  if (properties.type !== 'object') return [{ code: 'schema.propertiesNotObject', offset: properties.offset }];
  return (properties.children ?? []).flatMap(({ children }) => (children?.[1] ? inSchema(children[1]) : []));
}

function requiredFaults(required: Node, properties: Node | undefined): readonly OwnToolFault[] {
  const names = required.children ?? [];
  if (required.type !== 'array' || names.some(({ type }) => type !== 'string'))
    return [{ code: 'schema.requiredNotNames', offset: required.offset }];
  return names
    .filter(({ value }) => !properties || !findNodeAtLocation(properties, [String(value)]))
    .map(({ value, offset }) => ({ code: 'schema.requiredUnknown', what: String(value), offset }));
}

/** Returns line and column from 1, as the editor counts them. */
export function placeIn(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset);
  const lines = before.split(/\r\n|\r|\n/);
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}
