/** Isolates text of any direction within a sentence. */
export function isolated(text: string): string {
  return `\u2068${text}\u2069`;
}
