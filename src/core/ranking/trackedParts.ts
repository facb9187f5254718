import type { TextSplit } from './textSplit';

/** An edit of a text, as UTF-16 offsets of the text before it. */
export interface TextEdit {
  readonly start: number;
  readonly removed: number;
  readonly text: string;
}

/** Where a part is now. */
export interface TrackedPart {
  /** Into the parts of the split. */
  readonly index: number;
  readonly start: number;
  readonly end: number;
  /** The piece as it was split, and so ranked. */
  readonly text: string;
  /** Its text is another one now. */
  readonly isOld: boolean;
}

/** A split text within a document that is being edited. */
export interface TrackedText {
  /** Where the whole of it is. */
  readonly start: number;
  readonly end: number;
  /** As it was split. */
  readonly text: string;
  readonly parts: readonly TrackedPart[];
}

/** `start`: where the text begins in its document. */
export function trackParts(text: string, { parts }: TextSplit, start: number): TrackedText {
  return {
    start,
    end: start + text.length,
    text,
    parts: parts.map((part, index) => ({
      index,
      start: start + part.start,
      end: start + part.end,
      text: text.slice(part.start, part.end),
      isOld: false,
    })),
  };
}

/**
 * After one edit. `read` reads the document as it is after it. A part that was removed whole is gone; one whose text is again what it
 * was is no longer old. `undefined`: nothing of the text is left.
 */
export function afterEdit(
  tracked: TrackedText,
  edit: TextEdit,
  read: (start: number, end: number) => string,
): TrackedText | undefined {
  const place = shift(tracked, edit);
  if (!place) return undefined;
  const parts = tracked.parts.flatMap((part): TrackedPart | readonly [] => {
    const moved = shift(part, edit);
    if (!moved) return [];
    const { start, end, isTouched } = moved;
    if (!isTouched) return start === part.start ? part : { ...part, start, end };
    const isSame = end - start === part.text.length && read(start, end) === part.text;
    return { ...part, start, end, isOld: !isSame };
  });
  return { ...tracked, start: place.start, end: place.end, parts };
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** What is written at a border belongs to the span, unless a line end sets it apart. */
function shift({ start, end }: Span, edit: TextEdit): (Span & { readonly isTouched: boolean }) | undefined {
  const editEnd = edit.start + edit.removed;
  const more = edit.text.length - edit.removed;
  const isBefore = editEnd < start || (editEnd === start && (edit.text === '' || /[\r\n]$/.test(edit.text)));
  if (isBefore) return { start: start + more, end: end + more, isTouched: false };
  const isAfter = edit.start > end || (edit.start === end && (edit.text === '' || /^[\r\n]/.test(edit.text)));
  if (isAfter) return { start, end, isTouched: false };
  const isWithin = edit.start >= start && editEnd <= end;
  if (isWithin) return end + more > start ? { start, end: end + more, isTouched: true } : undefined;
  if (edit.start <= start && editEnd >= end) return undefined;
  return edit.start < start
    ? { start: edit.start + edit.text.length, end: end + more, isTouched: true }
    : { start, end: edit.start, isTouched: true };
}
