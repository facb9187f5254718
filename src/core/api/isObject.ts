/** Whether a value, mostly parsed JSON, is an object with members, not `null` or a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
