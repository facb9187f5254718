import type { Span } from '../problem';

/** Replaces a span of one line with a text, which may contain line feeds. */
export interface TextEdit extends Span {
  readonly text: string;
}

/** Applies the edits. Of overlapping edits, the first one wins. */
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
