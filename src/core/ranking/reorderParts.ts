import type { ListMarker, TextPart, TextSplit } from './textSplit';

/**
 * The text with its parts in another order: `order[0]` is the part that comes to the first place. What is between the places (line
 * ends, blank lines, commas, comments, markers of lists, text that belongs to no part) stays. With fewer parts than there are, the
 * last places go, each with the line end or comma before it; text between them stays, but for comments within JSON.
 *
 * Bullets and the numbers of a list that counts stay in their places. Where a marker is wider than the one an item had, the lines
 * below the item are indented as much more.
 *
 * Throws when `order` is empty, repeats a part or names one that is not there.
 */
export function reorderParts(text: string, split: TextSplit, order: readonly number[]): string {
  return reorderSplit(text, split, order).text;
}

/** The same, with where the parts are then: the first of them is `order[0]` of before. */
export function reorderSplit(
  text: string,
  { by, parts }: TextSplit,
  order: readonly number[],
): { readonly text: string; readonly split: TextSplit } {
  check(order, parts.length);
  const pieces: string[] = [];
  const moved: TextPart[] = [];
  let length = 0;
  let at = 0;
  const add = (piece: string): void => {
    pieces.push(piece);
    length += piece.length;
  };
  for (const [place, { start, end, marker }] of parts.entries()) {
    const part = parts[order[place] ?? -1];
    if (part) {
      add(text.slice(at, start));
      const from = length;
      add(fitIndent(text.slice(part.start, part.end), part.marker, marker));
      const kept = marker && { marker: { ...marker, start: from - (start - marker.start) } };
      moved.push({ start: from, end: length, text: part.text, ...kept });
    } else if (by !== 'jsonArray') {
      add(foreign(text.slice(at, marker?.start ?? start)));
    }
    at = end;
  }
  return { text: pieces.join('') + text.slice(at), split: { by, parts: moved } };
}

function check(order: readonly number[], count: number): void {
  const known = order.every((index) => Number.isInteger(index) && index >= 0 && index < count);
  if (order.length === 0 || !known || new Set(order).size < order.length)
    throw new RangeError('An order names each part once at most, and at least one.');
}

/** What a person wrote between two parts, with the line ends before it. */
function foreign(between: string): string {
  return between.trim() === '' ? '' : between.trimEnd();
}

/** The first line is where the marker is, and has no indentation of its own. */
function fitIndent(piece: string, from: ListMarker | undefined, to: ListMarker | undefined): string {
  const more = (to?.width ?? 0) - (from?.width ?? 0);
  if (!from || more === 0) return piece;
  return piece.replace(/(\r\n|\r|\n)( +)(?=[^\s])/g, (whole: string, lineEnd: string, indent: string) =>
    indent.length < from.width ? whole : lineEnd + ' '.repeat(indent.length + more),
  );
}

/** The order that puts the ranked parts first, best first, and behind them those without a score, as they were. */
export function orderByRank(ranked: readonly { readonly index: number }[], count: number): readonly number[] {
  const first = ranked.map(({ index }) => index);
  const named = new Set(first);
  return [...first, ...Array.from({ length: count }, (_, index) => index).filter((index) => !named.has(index))];
}
