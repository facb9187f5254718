/** Returns a `sortText` that keeps completions in the order of their index. */
export function sortText(index: number): string {
  return String(index).padStart(5, '0');
}
