import { isObject } from '../../api/isObject';
import { canonicalJson } from '../evalPlan';
import { matches } from './boundedPattern';

type Schema = Readonly<Record<string, unknown>>;

/** More checks than a sensible schema takes. Recursive ones end here. */
const mostChecks = 100_000;
const deepest = 100;

/**
 * Returns the first location at which a value doesn't match a JSON schema (2020-12 without formats and remote references), such as
 * `/items/2/price`, or `undefined` if it matches. Throws for an invalid or endless schema.
 */
export function schemaFault(value: unknown, schema: unknown): string | undefined {
  const checker = new Checker(schema);
  const fault = checker.check(value, schema, '', 0);
  return fault === undefined ? undefined : fault || '/';
}

class Checker {
  private checks = 0;

  constructor(private readonly root: unknown) {}

  /** Returns the path of the fault. */
  check(value: unknown, schema: unknown, path: string, depth: number): string | undefined {
    if (++this.checks > mostChecks || depth > deepest) throw new Error('The schema has no end.');
    if (typeof schema === 'boolean') return schema ? undefined : path;
    if (!isObject(schema)) throw new Error('This is no JSON schema.');
    const deeper = (one: unknown, inner: unknown, place = path) => this.check(one, inner, place, depth + 1);
    const { $ref: reference } = schema;
    if (typeof reference === 'string') {
      const fault = deeper(value, this.resolve(reference));
      if (fault !== undefined) return fault;
    }
    if (!isOfType(value, schema['type']) || !fitsValue(value, schema)) return path;
    const fits = (inner: unknown) => deeper(value, inner) === undefined;
    const { allOf, anyOf, oneOf, not, if: condition } = schema;
    for (const inner of listOf(allOf)) {
      const fault = deeper(value, inner);
      if (fault !== undefined) return fault;
    }
    if (Array.isArray(anyOf) && !anyOf.some(fits)) return path;
    if (Array.isArray(oneOf) && oneOf.filter(fits).length !== 1) return path;
    if (not !== undefined && fits(not)) return path;
    if (condition !== undefined) {
      const branch = schema[fits(condition) ? 'then' : 'else'];
      const fault = branch === undefined ? undefined : deeper(value, branch);
      if (fault !== undefined) return fault;
    }
    if (Array.isArray(value)) return this.items(value, schema, path, depth);
    return isObject(value) ? this.members(value, schema, path, depth) : undefined;
  }

  private items(value: readonly unknown[], schema: Schema, path: string, depth: number): string | undefined {
    const { minItems, maxItems, uniqueItems, prefixItems, contains } = schema;
    if (below(value.length, minItems) || above(value.length, maxItems)) return path;
    if (uniqueItems === true && new Set(value.map(canonicalJson)).size < value.length) return path;
    const first = listOf(prefixItems ?? (Array.isArray(schema['items']) ? schema['items'] : []));
    const rest = Array.isArray(schema['items']) ? schema['additionalItems'] : schema['items'];
    for (const [index, one] of value.entries()) {
      const inner = index < first.length ? first[index] : rest;
      const fault = inner === undefined ? undefined : this.check(one, inner, `${path}/${index}`, depth + 1);
      if (fault !== undefined) return fault;
    }
    const isIn =
      contains === undefined || value.some((one) => this.check(one, contains, path, depth + 1) === undefined);
    return isIn ? undefined : path;
  }

  private members(value: Schema, schema: Schema, path: string, depth: number): string | undefined {
    const {
      required,
      properties,
      patternProperties,
      additionalProperties,
      minProperties,
      maxProperties,
      propertyNames,
    } = schema;
    const names = Object.keys(value);
    if (below(names.length, minProperties) || above(names.length, maxProperties)) return path;
    for (const name of listOf(required)) if (!Object.hasOwn(value, String(name))) return `${path}/${String(name)}`;
    const known = isObject(properties) ? properties : {};
    const patterns = Object.entries(isObject(patternProperties) ? patternProperties : {});
    for (const name of names) {
      const place = `${path}/${name}`;
      const inner = [
        ...(Object.hasOwn(known, name) ? [known[name]] : []),
        ...patterns.filter(([pattern]) => matches(pattern, name, 'u') === true).map(([, one]) => one),
      ];
      if (inner.length === 0 && additionalProperties !== undefined) inner.push(additionalProperties);
      for (const one of inner) {
        const fault = this.check(value[name], one, place, depth + 1);
        if (fault !== undefined) return fault;
      }
      if (propertyNames !== undefined && this.check(name, propertyNames, place, depth + 1) !== undefined) return place;
    }
    return undefined;
  }

  private resolve(reference: string): unknown {
    if (!reference.startsWith('#')) throw new Error('Only references within the schema are supported.');
    let found: unknown = this.root;
    for (const part of reference.slice(1).split('/').filter(Boolean)) {
      const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
      found = isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
    }
    return found;
  }
}

function isOfType(value: unknown, type: unknown): boolean {
  if (type === undefined) return true;
  return listOf(Array.isArray(type) ? type : [type]).some((one) => {
    if (one === 'null') return value === null;
    if (one === 'array') return Array.isArray(value);
    if (one === 'object') return isObject(value);
    if (one === 'integer') return Number.isInteger(value);
    return typeof value === one;
  });
}

function fitsValue(value: unknown, schema: Schema): boolean {
  if (Array.isArray(schema['enum']) && !schema['enum'].some((one) => canonicalJson(one) === canonicalJson(value)))
    return false;
  if ('const' in schema && canonicalJson(schema['const']) !== canonicalJson(value)) return false;
  if (typeof value === 'string') {
    const { pattern, minLength, maxLength } = schema;
    const length = Array.from(value).length;
    if (below(length, minLength) || above(length, maxLength)) return false;
    return typeof pattern !== 'string' || matches(pattern, value, 'u') === true;
  }
  if (typeof value !== 'number') return true;
  const { minimum, maximum, exclusiveMinimum: low, exclusiveMaximum: high, multipleOf: step } = schema;
  if (below(value, minimum) || above(value, maximum)) return false;
  if ((typeof low === 'number' && value <= low) || (typeof high === 'number' && value >= high)) return false;
  return typeof step !== 'number' || Math.abs(value / step - Math.round(value / step)) < 1e-9;
}

function below(value: number, limit: unknown): boolean {
  return typeof limit === 'number' && value < limit;
}

function above(value: number, limit: unknown): boolean {
  return typeof limit === 'number' && value > limit;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
