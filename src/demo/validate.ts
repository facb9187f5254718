import { badParameter } from './refusal';

/** Reads one parameter: returns its value or throws a refusal that names it. `undefined` means that it was not sent. */
export type Field<T> = (value: unknown, name: string) => T;
type Values<F> = { readonly [K in keyof F]: F[K] extends Field<infer T> ? T : never };

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads the body according to a table of parameters; throws a refusal if a parameter is not in the table. */
export function readStrictly<F extends Record<string, Field<unknown>>>(
  body: Record<string, unknown>,
  fields: F,
): Values<F> {
  for (const name of Object.keys(body)) {
    if (!Object.hasOwn(fields, name)) throw badParameter(`Value error, unknown parameter \`${name}\`.`, name);
  }
  return Object.fromEntries(
    Object.entries(fields).map(([name, read]) => [name, read(body[name] ?? undefined, name)]),
  ) as Values<F>;
}

export const required =
  <T>(field: Field<T>): Field<T> =>
  (value, name) => {
    if (value === undefined) throw badParameter(`Field required: ${name}`, name);
    return field(value, name);
  };

/** Null counts as not sent. */
export const optional =
  <T>(field: Field<T>): Field<T | undefined> =>
  (value, name) =>
    value === undefined || value === null ? undefined : field(value, name);

export const text =
  ({ min = 0, max = Infinity }: { min?: number; max?: number } = {}): Field<string> =>
  (value, name) => {
    if (typeof value !== 'string') throw badParameter(`${name}: Input should be a valid string`, name);
    if (value.length < min)
      throw badParameter(`${name}: String should have at least ${min} character${min === 1 ? '' : 's'}`, name);
    if (value.length > max) throw badParameter(`${name}: String should have at most ${max} characters`, name);
    return value;
  };

export const number =
  ({
    min = -Infinity,
    max = Infinity,
    integer = false,
  }: { min?: number; max?: number; integer?: boolean } = {}): Field<number> =>
  (value, name) => {
    if (typeof value !== 'number' || !Number.isFinite(value))
      throw badParameter(`${name}: Input should be a valid number`, name);
    if (integer && !Number.isInteger(value)) throw badParameter(`${name}: Input should be a valid integer`, name);
    if (value < min) throw badParameter(`${name}: Input should be greater than or equal to ${min}`, name);
    if (value > max) throw badParameter(`${name}: Input should be less than or equal to ${max}`, name);
    return value;
  };

export const integer = (bounds: { min?: number; max?: number } = {}) => number({ ...bounds, integer: true });

export const flag: Field<boolean> = (value, name) => {
  if (typeof value !== 'boolean') throw badParameter(`${name}: Input should be a valid boolean`, name);
  return value;
};

export const oneOf =
  <const T extends string>(...allowed: readonly T[]): Field<T> =>
  (value, name) => {
    const found = allowed.find((item) => item === value);
    if (found === undefined)
      throw badParameter(`${name}: Input should be ${allowed.map((item) => `'${item}'`).join(' or ')}`, name);
    return found;
  };

export const list =
  <T>(item: Field<T>, { min = 0, max = Infinity }: { min?: number; max?: number } = {}): Field<readonly T[]> =>
  (value, name) => {
    if (!Array.isArray(value)) throw badParameter(`${name}: Input should be a valid list`, name);
    if (value.length < min) {
      throw badParameter(
        `List should have at least ${min} item${min === 1 ? '' : 's'} after validation, not ${value.length}`,
        name,
      );
    }
    if (value.length > max)
      throw badParameter(`List should have at most ${max} items after validation, not ${value.length}`, name);
    return value.map((entry: unknown, index) => item(entry, `${name}[${index}]`));
  };

export const record: Field<Record<string, unknown>> = (value, name) => {
  if (!isRecord(value)) throw badParameter(`${name}: Input should be a valid dictionary`, name);
  return value;
};

export const either =
  <A, B>(first: (value: unknown) => boolean, a: Field<A>, b: Field<B>): Field<A | B> =>
  (value, name) =>
    first(value) ? a(value, name) : b(value, name);

export const anything: Field<unknown> = (value) => value;
