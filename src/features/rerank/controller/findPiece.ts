/**
 * Finds a piece in a text that may have been edited since: at its previous offset, else at its nearest occurrence. `undefined` if there is
 * none.
 */
export function findPiece(text: string, piece: string, was: number): number | undefined {
  if (piece === '') return undefined;
  if (text.startsWith(piece, was)) return was;
  const before = was > 0 ? text.lastIndexOf(piece, was - 1) : -1;
  const after = text.indexOf(piece, was);
  if (before < 0 || after < 0) return before < 0 && after < 0 ? undefined : Math.max(before, after);
  return was - before <= after - was ? before : after;
}
