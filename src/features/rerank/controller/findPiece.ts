/**
 * Where a piece stands in a text that may have been edited since: at the offset where it was, else at the nearest place that has it.
 * `undefined` where none has.
 */
export function findPiece(text: string, piece: string, was: number): number | undefined {
  if (piece === '') return undefined;
  if (text.startsWith(piece, was)) return was;
  const before = was > 0 ? text.lastIndexOf(piece, was - 1) : -1;
  const after = text.indexOf(piece, was);
  if (before < 0 || after < 0) return before < 0 && after < 0 ? undefined : Math.max(before, after);
  return was - before <= after - was ? before : after;
}
