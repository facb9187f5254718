/** Returns a text whose completeness can be checked: it has a unique length, up to twenty megabytes. */
export function textOf(number: number): string {
  return `${number}\n${String(number % 10).repeat((number * 7919 * 131) % 20_000_000)}`;
}
