/** Whether a value, usually parsed JSON, is an object with properties, not `null` or a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
