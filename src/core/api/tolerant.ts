import '../../schema/jitless';
import * as z from 'zod/mini';

/** Text. A number becomes its digits. */
export const lenientText = member(toText);

/** A finite number. Text that is one, such as "12" or "0.5", becomes one. */
export const lenientNumber = member(toNumber);

/** A boolean, also as the text or number that programs write for it. */
export const lenientFlag = member((value) => flags.get(typeof value === 'string' ? value.toLowerCase() : value));

/** Unix seconds, also from milliseconds or a date such as "2026-11-26T12:00:00Z". 0 counts as missing. */
export const lenientTime = member(toUnixSeconds);

/** A value that fits the schema. */
export function lenient<T>(schema: z.ZodMiniType<T>) {
  // A member that is null, as most are in most chunks, is not worth the error it would make.
  return member((value) => (value === null ? undefined : schema.safeParse(value).data));
}

/** Text, or else a value that fits the schema. */
export function lenientTextOr<T>(schema: z.ZodMiniType<T>) {
  return member((value) =>
    typeof value === 'string' || value === null ? (value ?? undefined) : schema.safeParse(value).data,
  );
}

/** The entries of a list that fit the schema, in order. Leaves out the others; anything but a list is `undefined`. */
export function lenientList<T>(entry: z.ZodMiniType<T>) {
  return member((value) =>
    Array.isArray(value) ? value.slice(0, mostEntries).flatMap((one) => fitting(entry, one)) : undefined,
  );
}

/** The maximum number of entries of a list. A view with this many says that there might be more. */
export const mostEntries = 20_000;

/** The same of a list that has to be there, up to `mostEntries`: anything else does not fit. */
export function entriesOf<T>(entry: z.ZodMiniType<T>) {
  return z.pipe(
    z.transform((list: unknown) => (Array.isArray(list) ? list.slice(0, mostEntries) : list)),
    z.pipe(
      z.array(z.unknown()),
      z.transform((list) => list.flatMap((one) => fitting(entry, one))),
    ),
  );
}

/** Text that has to be there, such as an id: not empty, or a number. */
export const requiredText = z.pipe(z.transform(toText), z.string().check(z.minLength(1)));

/** Reads a value as `lenientText` does, outside a schema. */
export function toText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : undefined;
}

/** Reads a value as `lenientNumber` does, outside a schema. */
export function toNumber(value: unknown): number | undefined {
  if (typeof value === 'string' && value.trim() !== '') return toNumber(Number(value));
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** In seconds: the year 5138. A larger number counts milliseconds. */
const lastSecond = 1e11;

function toUnixSeconds(value: unknown): number | undefined {
  const number = toNumber(value) ?? (typeof value === 'string' ? Date.parse(value) : Number.NaN);
  if (!(number > 0)) return undefined;
  return number > lastSecond ? Math.floor(number / 1000) : number;
}

const flags: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [true, true],
  ['true', true],
  [1, true],
  [false, false],
  ['false', false],
  [0, false],
]);

/**
 * An optional property of a response: servers send numbers as strings, IDs as numbers, and null or nothing instead of an empty list. It
 * accepts anything, and its value is `undefined` without a usable value, so that `present` and `??` work on it. Required properties stay
 * plain zod types.
 */
export function member<T>(read: (value: unknown) => T | undefined) {
  return z.optional(z.transform(read));
}

function fitting<T>(schema: z.ZodMiniType<T>, value: unknown): readonly T[] {
  const parsed = schema.safeParse(value);
  return parsed.success ? [parsed.data] : [];
}

/** Converts a name from camel or Pascal case to snake case. */
export function snakeName(name: string): string {
  return name.replaceAll(/(?<=[a-z\d])[A-Z]/g, '_$&').toLowerCase();
}
