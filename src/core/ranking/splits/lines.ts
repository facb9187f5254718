import type { TextLine } from '../textLines';
import type { TextPart } from '../textSplit';

/** Returns each line that is not blank. It moves with its indentation, but is sent without. */
export function lineParts(lines: readonly TextLine[]): readonly TextPart[] {
  return lines.filter(({ isBlank }) => !isBlank).map(({ start, end, text }) => ({ start, end, text: text.trim() }));
}
