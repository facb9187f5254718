/** A range of a text, in UTF-16 units; an empty one is a position. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** One change of a text: `removed` units at `offset` were replaced by `inserted` units. */
export interface TextChange {
  readonly offset: number;
  readonly removed: number;
  readonly inserted: number;
}

/**
 * Returns the span after changes whose offsets all refer to the text before them; `undefined` if one of them reached into the span.
 * Text inserted exactly at its edges stays outside.
 */
export function movedSpan(span: Span, changes: readonly TextChange[]): Span | undefined {
  let moved = 0;
  for (const { offset, removed, inserted } of changes) {
    const end = offset + removed;
    if (end <= span.start && !(isPlace(span) && removed === 0 && offset === span.start)) moved += inserted - removed;
    else if (offset < span.end || (isPlace(span) && offset < span.start)) return undefined;
  }
  return { start: span.start + moved, end: span.end + moved };
}

/** Does the same for many spans; leaves out those that a change reached into. */
export function movedSpans<T extends Span>(spans: readonly T[], changes: readonly TextChange[]): readonly T[] {
  return spans.flatMap((span) => {
    const moved = movedSpan(span, changes);
    return moved ? [{ ...span, ...moved }] : [];
  });
}

function isPlace({ start, end }: Span): boolean {
  return start === end;
}
