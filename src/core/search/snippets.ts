import type { Span } from './findSpans';
import { createLineIndex } from './lineIndex';
import type { Place } from './lineIndex';

/** Lines of a text around one match, or around several whose lines touch. */
export interface Snippet {
  /** From 0. */
  readonly firstLine: number;
  readonly lastLine: number;
  readonly text: string;
  /** Positions of the matches in the whole text. Never empty. */
  readonly places: readonly { readonly start: Place; readonly end: Place }[];
}

/** Returns the snippets of a text, from the top. `spans` must be in order. */
export function snippetsAround(text: string, spans: readonly Span[], linesAround: number): readonly Snippet[] {
  if (spans.length === 0) return [];
  const lines = createLineIndex(text);
  const groups: { first: number; last: number; places: Snippet['places'][number][] }[] = [];
  for (const { start, end } of spans) {
    const place = { start: lines.placeOf(start), end: lines.placeOf(end) };
    const first = Math.max(0, place.start.line - linesAround);
    const last = Math.min(lines.count - 1, place.end.line + linesAround);
    const before = groups.at(-1);
    if (before && first <= before.last) {
      before.last = Math.max(before.last, last);
      before.places.push(place);
    } else groups.push({ first, last, places: [place] });
  }
  return groups.map(({ first, last, places }) => ({
    firstLine: first,
    lastLine: last,
    text: lines.textOf(first, last),
    places,
  }));
}
