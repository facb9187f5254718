/** Fills `{0}`, `{1}` … of a worded string. A place without a value stays as it is. */
export function fill(template: string, ...values: readonly string[]): string {
  return template.replace(/\{(\d)\}/g, (place, index: string) => values[Number(index)] ?? place);
}
