/** A part of a text, in UTF-16 units; of no length it is a place. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** One change of a text: what stood at `offset` for `removed` units is `inserted` units long now. */
export interface TextChange {
  readonly offset: number;
  readonly removed: number;
  readonly inserted: number;
}

/**
 * Where a span is after changes, whose offsets are all those of the text before them; `undefined` when one of them reached
 * into it. What is written at its very edges stays outside.
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

/** The same for many spans that follow each other; those that were reached into are left out. */
export function movedSpans<T extends Span>(spans: readonly T[], changes: readonly TextChange[]): readonly T[] {
  return spans.flatMap((span) => {
    const moved = movedSpan(span, changes);
    return moved ? [{ ...span, ...moved }] : [];
  });
}

function isPlace({ start, end }: Span): boolean {
  return start === end;
}
