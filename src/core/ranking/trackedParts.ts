import type { TextSplit } from './textSplit';

/** An edit of a text, in UTF-16 offsets of the text before it. */
export interface TextEdit {
  readonly start: number;
  readonly removed: number;
  readonly text: string;
}

/** The current position of a part. */
export interface TrackedPart {
  /** Index into the parts of the split. */
  readonly index: number;
  readonly start: number;
  readonly end: number;
  /** The piece when it was split, and therefore as it was ranked. */
  readonly text: string;
  /** Whether its text has changed since. */
  readonly isOld: boolean;
}

/** A split text within a document that is being edited. */
export interface TrackedText {
  /** Range of the whole text. */
  readonly start: number;
  readonly end: number;
  /** The text when it was split. */
  readonly text: string;
  readonly parts: readonly TrackedPart[];
}

/** `start`: the offset of the text in its document. */
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
 * Updates the tracked parts after one edit. `read` reads the document after the edit. A part that was deleted entirely is dropped. One
 * whose original text is restored is no longer outdated. Returns `undefined` if no text is left.
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

/** Text inserted at a boundary belongs to the span, unless a line end separates it. */
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
