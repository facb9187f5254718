import { lineAfter, lineBefore } from './cursorContext';
import type { CursorContext } from './cursorContext';

/**
 * How much is suggested. `line`: something follows on the same line, so no more than the rest of it. `passage`: up to the first
 * blank line, which ends a thought in code as in prose. `block`: from an empty line, where a blank line may be part of it.
 */
export type Shape = 'line' | 'passage' | 'block';

export function shapeAt(place: CursorContext): Shape {
  if (lineAfter(place).trim() !== '') return 'line';
  return lineBefore(place).trim() === '' ? 'block' : 'passage';
}

/** Where it ends, with ends of lines as on the wire; the model stops there by itself. */
export const endOfShape: Readonly<Record<Shape, string>> = { line: '\n', passage: '\n\n', block: '\n\n\n' };
