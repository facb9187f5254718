import { lineAfter, lineBefore } from './cursorContext';
import type { CursorContext } from './cursorContext';

/**
 * How much is suggested. `line`: text follows on the same line, so at most the rest of the line. `passage`: up to the first blank
 * line, which ends a thought in code as in prose. `block`: from an empty line, where a blank line may be part of it.
 */
export type Shape = 'line' | 'passage' | 'block';

export function shapeAt(place: CursorContext): Shape {
  if (lineAfter(place).trim() !== '') return 'line';
  return lineBefore(place).trim() === '' ? 'block' : 'passage';
}

/** The stop sequence of each shape, with line endings as on the wire. */
export const endOfShape: Readonly<Record<Shape, string>> = { line: '\n', passage: '\n\n', block: '\n\n\n' };
