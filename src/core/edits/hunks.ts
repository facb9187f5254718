import { diffArrays } from 'diff';
import { toLines } from './textLines';

/** Lines of a document that were changed and wait for the user's decision. */
export interface Hunk {
  readonly id: number;
  /** From 0, in the changed document. */
  readonly start: number;
  readonly end: number;
  /** The lines that were there before. */
  readonly before: readonly string[];
  /** Set once the user has edited the lines. */
  readonly isEdited: boolean;
}

/** Lines `start` to `end`, both inclusive, were replaced. */
export interface LineChange {
  readonly start: number;
  readonly end: number;
  /** Number of line ends in the new text. */
  readonly newLines: number;
  /** Whether the change begins and ends at the start of a line, so that it touches no line that stays. */
  readonly isWholeLines: boolean;
}

/** Beyond this number of changed lines, what differs counts as one hunk. */
const mostDiffered = 3000;

/** Returns the hunks that make `before` into `after`, in order. */
export function hunksBetween(before: string, after: string): readonly Omit<Hunk, 'id'>[] {
  const [old, fresh] = [toLines(before).lines, toLines(after).lines];
  let top = 0;
  while (top < old.length && top < fresh.length && old[top] === fresh[top]) top++;
  let bottom = 0;
  while (bottom < old.length - top && bottom < fresh.length - top && old.at(-1 - bottom) === fresh.at(-1 - bottom))
    bottom++;
  const [inner, innerNew] = [old.slice(top, old.length - bottom), fresh.slice(top, fresh.length - bottom)];
  if (inner.length === 0 && innerNew.length === 0) return [];
  const parts = diffArrays([...inner], [...innerNew], { maxEditLength: mostDiffered });
  if (!parts) return [{ start: top, end: top + innerNew.length, before: inner, isEdited: false }];
  const hunks: { start: number; end: number; before: string[]; isEdited: false }[] = [];
  let at = top;
  for (const { value, added, removed } of parts) {
    if (!added && !removed) {
      at += value.length;
      continue;
    }
    let hunk = hunks.at(-1);
    if (hunk?.end !== at) hunks.push((hunk = { start: at, end: at, before: [], isEdited: false }));
    if (added) hunk.end = at += value.length;
    else for (const line of value) hunk.before.push(line);
  }
  return hunks;
}

/**
 * Returns the hunks after a change of the document. A hunk that the change touches grows to contain it. Several hunks that one change
 * touches are omitted, because the text between them is unknown, so undoing them would remove text.
 */
export function hunksAfter(
  hunks: readonly Hunk[],
  { start, end, newLines, isWholeLines }: LineChange,
): readonly Hunk[] {
  const shift = newLines - (end - start);
  const touched: Hunk[] = [];
  const after = hunks.map((hunk) => {
    const isBefore = end < hunk.start || (end === hunk.start && isWholeLines);
    if (isBefore) return { ...hunk, start: hunk.start + shift, end: hunk.end + shift };
    if (start >= hunk.end && !(hunk.start === hunk.end && start === hunk.start && !isWholeLines && newLines > 0))
      return hunk;
    const last = isWholeLines ? end : end + 1;
    const grown = {
      ...hunk,
      start: Math.min(hunk.start, start),
      end: Math.max(hunk.end, last) + shift,
      isEdited: true,
    };
    touched.push(grown);
    return grown;
  });
  return touched.length > 1 ? after.filter((hunk) => !touched.includes(hunk)) : after;
}

/** Returns the numbers of added and removed lines. */
export function lineCounts(hunks: readonly Omit<Hunk, 'id'>[]): {
  readonly added: number;
  readonly removed: number;
} {
  return {
    added: hunks.reduce((sum, { start, end }) => sum + end - start, 0),
    removed: hunks.reduce((sum, { before }) => sum + before.length, 0),
  };
}
