import type { Span } from '../problem';

/** Puts a text in the place of another, within one line. What it puts may hold line feeds. */
export interface TextEdit extends Span {
  readonly text: string;
}

/** Of edits that overlap the first counts. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, text: put } of edits.toSorted((a, b) => a.start - b.start)) {
    if (start < at) continue;
    parts.push(text.slice(at, start), put);
    at = end;
  }
  return parts.join('') + text.slice(at);
}
