/** The `sortText` of completions that stay in the order they are given in. */
export function sortText(index: number): string {
  return String(index).padStart(5, '0');
}
