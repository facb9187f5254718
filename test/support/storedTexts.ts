/** A text that shows whether it is whole: of a length of its own, up to twenty megabytes. */
export function textOf(number: number): string {
  return `${number}\n${String(number % 10).repeat((number * 7919 * 131) % 20_000_000)}`;
}
