import { findNodeAtLocation, parseTree, type Node } from 'jsonc-parser';
import { batchMethod } from '../limits';
import { otherBodyShape } from '../rules/bodies';
import { bodyNameBy, endpointBy, kindOf, type EndpointKind } from '../rules/endpoint';
import { expectedText } from '../rules/fits';
import type { BatchRules } from '../services/batchRules';
import { anything, aboutModel, chatBodyAt, takesAnything, type Shape } from '../shape';
import { assistWords, memberWords as words } from '../words/memberWords';

/** The format of a line: its purpose, and the name of its body. */
export interface LineForm {
  readonly kind: EndpointKind;
  readonly bodyName: 'body' | 'params';
}

/** Returns the format of a line, which can be invalid JSON, or that of a new line at the service without any evidence. */
export function lineFormOf(text: string, rules: BatchRules): LineForm {
  const root = parseTree(text);
  const body = root && findNodeAtLocation(root, ['body']);
  const signs = {
    url: root && (findNodeAtLocation(root, ['url'])?.value as unknown),
    hasParams: root !== undefined && findNodeAtLocation(root, ['params']) !== undefined,
    body: body && new Set(namesOf(body)),
  };
  return { kind: endpointBy(signs, rules), bodyName: bodyNameBy(signs, rules) };
}

function namesOf({ children = [] }: Node): readonly string[] {
  return children.flatMap(({ children: [key] = [] }) => (typeof key?.value === 'string' ? [key.value] : []));
}

const shapesBy = new WeakMap<BatchRules, Map<string, Shape>>();

/** Returns the shape of a complete line at a service. */
export function lineShapeAt(rules: BatchRules, { kind, bodyName }: LineForm): Shape {
  const shapes = shapesBy.get(rules) ?? new Map<string, Shape>();
  shapesBy.set(rules, shapes);
  const key = `${kind} ${bodyName}`;
  const known = shapes.get(key) ?? lineShape(rules, { kind, bodyName });
  shapes.set(key, known);
  return known;
}

function lineShape(rules: BatchRules, { kind, bodyName }: LineForm): Shape {
  const body = bodyShapeAt(rules, kind);
  const customId: Shape = {
    kinds: ['string'],
    about: () => (rules.idPattern === undefined ? words.customId() : `${words.customId()} ${words.customIdForm()}`),
    minLength: 1,
    ...(rules.idPattern !== undefined && { pattern: new RegExp(rules.idPattern) }),
  };
  // A line contains its endpoint only if batches support several endpoints, or the service requires it.
  const hasUrl = bodyName === 'body' && rules.line === 'request' && rules.form !== 'openrouter';
  const url = rules.endpoints.find((one) => kindOf(one) === kind) ?? rules.endpoints[0] ?? '';
  const method = hasUrl ? `"method":"${batchMethod}","url":"${url}",` : '';
  return {
    kinds: ['object'],
    about: words.request,
    template: `{"custom_id":"$1",${method}"${bodyName}":${shifted(body.template ?? '{$1}')}}`,
    required: ['custom_id', ...requiredOf(rules, hasUrl), bodyName],
    members: {
      custom_id: customId,
      ...(bodyName === 'body' && rules.line !== 'body' && envelopeShapes(rules)),
      [bodyName]: body,
    },
  };
}

function requiredOf({ severities }: BatchRules, hasUrl: boolean): readonly string[] {
  return hasUrl ? (['method', 'url'] as const).filter((name) => severities[`${name}.missing`] === 'error') : [];
}

function envelopeShapes({ endpoints, severities, id, name }: BatchRules): Readonly<Record<string, Shape>> {
  const about = (member: 'method' | 'url') => () => {
    const severity = severities[`${member}.missing`];
    const added =
      id === 'siliconFlow' ? words.filledIn() : severity === 'off' && name !== '' ? words.notNeeded(name) : '';
    return [words[member](), added].filter(Boolean).join(' ');
  };
  const isClosed = severities['url.unknown'] === undefined || severities['url.unknown'] === 'error';
  return {
    method: { kinds: ['string'], about: about('method'), values: [batchMethod], isClosed: true },
    url: { kinds: ['string'], about: about('url'), values: endpoints, ...(isClosed && { isClosed }) },
  };
}

/** Returns the shape of the body of a request at a service. Of an endpoint whose bodies aren't known, only the kind is known. */
export function bodyShapeAt(rules: BatchRules, kind: EndpointKind): Shape {
  if (kind === 'chat') return chatBodyAt(rules);
  const shape = otherBodyShape(kind);
  if (!shape) return { ...anything, kinds: ['object'], about: words.body, template: '{$1}' };
  const { model } = shape.members ?? {};
  return {
    ...shape,
    members: { ...shape.members, ...(model && { model: { ...model, about: () => aboutModel(rules) } }) },
  };
}

/** Counts the places of a snippet from 2 on. */
function shifted(template: string): string {
  return template.replace(/\$(\{?)(\d)/g, (_place, brace: string, number: string) => `$${brace}${Number(number) + 1}`);
}

/** Returns the shape at a path within a shape, or `undefined` if nothing is known about it. */
export function shapeWithin(shape: Shape, path: readonly (string | number)[]): Shape | undefined {
  let found: Shape | undefined = shape;
  for (const segment of path) {
    if (typeof segment === 'number') found = found?.items;
    else found = found?.members && Object.hasOwn(found.members, segment) ? found.members[segment] : undefined;
  }
  return found;
}

/** Describes what a shape accepts: its values if only those are accepted, or else its types and bounds. Empty if it accepts anything. */
export function takesText(shape: Shape): string {
  if (takesAnything(shape)) return '';
  const [only, ...more] = shape.isClosed ? (shape.values ?? []) : [];
  if (only !== undefined) {
    const shown = [only, ...more].map((value) => JSON.stringify(value));
    return more.length === 0 ? assistWords.always(shown[0]!) : assistWords.oneOf(shown.join(', '));
  }
  return assistWords.takes(expectedText(shape));
}
