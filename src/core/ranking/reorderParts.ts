import type { ListMarker, TextPart, TextSplit } from './textSplit';

/**
 * Returns the text with its parts reordered: `order[0]` is the part that moves to the first position. Everything between the parts
 * (line ends, blank lines, commas, comments, list markers, text that belongs to no part) stays. If `order` names fewer parts, the
 * last positions are removed, each with the line end or comma before it; text between them stays, except comments in JSON. Items of
 * several lists stay in their list: `order` then counts for each list alone.
 *
 * Bullets and the numbers of a counted list stay in position. If a marker is wider than an item's previous one, the lines below the
 * item are indented accordingly.
 *
 * Throws if `order` is empty, repeats a part or names one that does not exist.
 */
export function reorderParts(text: string, split: TextSplit, order: readonly number[]): string {
  return reorderSplit(text, split, order).text;
}

/** Does the same, and returns the new positions of the parts, in the new order. */
export function reorderSplit(
  text: string,
  { by, parts }: TextSplit,
  order: readonly number[],
): { readonly text: string; readonly split: TextSplit } {
  check(order, parts.length);
  const next = new Map([...listsIn(parts, order)].map(([list, all]) => [list, all.values()]));
  const pieces: string[] = [];
  const moved: TextPart[] = [];
  let length = 0;
  let at = 0;
  const add = (piece: string): void => {
    pieces.push(piece);
    length += piece.length;
  };
  for (const [place, { start, end, marker, list }] of parts.entries()) {
    const part = parts[next.get(list)?.next().value ?? -1];
    if (part) {
      add(text.slice(at, start));
      const from = length;
      add(fitIndent(text.slice(part.start, part.end), part.marker, marker));
      const next = parts[place + 1];
      // A last sentence without a full stop would run into the one that now follows it.
      if (by === 'sentences' && next && !/[\r\n]/.test(text.slice(end, next.start))) add(missingStop(part.text));
      const movedMarker = marker && { marker: { ...marker, start: from - (start - marker.start) } };
      moved.push({ start: from, end: length, text: part.text, ...movedMarker, ...(list !== undefined && { list }) });
    } else if (by !== 'jsonArray') {
      add(foreign(text.slice(at, marker?.start ?? start)));
    }
    at = end;
  }
  return { text: pieces.join('') + text.slice(at), split: { by, parts: moved } };
}

/** Returns the order of the parts afterwards: by list, in the order of `order`. */
export function orderWithinLists({ parts }: TextSplit, order: readonly number[]): readonly number[] {
  const lists = listsIn(parts, order);
  const names = new Set(parts.map(({ list }) => list));
  return [...names].flatMap((list) => lists.get(list) ?? []);
}

/** Returns the parts of each list, in the order of `order`. */
function listsIn(
  parts: readonly TextPart[],
  order: readonly number[],
): ReadonlyMap<number | undefined, readonly number[]> {
  const lists = new Map<number | undefined, number[]>();
  for (const index of order) {
    const list = parts[index]?.list;
    const known = lists.get(list);
    if (known) known.push(index);
    else lists.set(list, [index]);
  }
  return lists;
}

function check(order: readonly number[], count: number): void {
  const known = order.every((index) => Number.isInteger(index) && index >= 0 && index < count);
  if (order.length === 0 || !known || new Set(order).size < order.length)
    throw new RangeError('An order lists each part once, and at least one part.');
}

/** Returns the full stop that a sentence lacks, in its script. */
function missingStop(sentence: string): string {
  if (/[。！？｡.!?…‼⁇⁈⁉]["'”’」』）)】\]》〉]*$/u.test(sentence)) return '';
  return /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]$/u.test(sentence) ? '。' : '.';
}

/** Returns the user's text between two parts, with the line ends before it. */
function foreign(between: string): string {
  return between.trim() === '' ? '' : between.trimEnd();
}

/** Adjusts the indentation of all lines but the first, which follows the marker and has no indentation. */
function fitIndent(piece: string, from: ListMarker | undefined, to: ListMarker | undefined): string {
  const more = (to?.width ?? 0) - (from?.width ?? 0);
  if (!from || more === 0) return piece;
  return piece.replace(/(\r\n|\r|\n)( +)(?=[^\s])/g, (whole: string, lineEnd: string, indent: string) =>
    indent.length < from.width ? whole : lineEnd + ' '.repeat(indent.length + more),
  );
}

/** Returns the order with the ranked parts first, best first, followed by those without a score in their previous order. */
export function orderByRank(ranked: readonly { readonly index: number }[], count: number): readonly number[] {
  const first = ranked.map(({ index }) => index);
  const named = new Set(first);
  return [...first, ...Array.from({ length: count }, (_, index) => index).filter((index) => !named.has(index))];
}
