import { expectedText } from '../rules/fits';
import { assistWords } from '../words/memberWords';
import type { Shape } from '../shape';

/** Describes in words what a shape accepts: its values if only those are accepted, else its kinds and bounds. */
export function takesText(shape: Shape): string {
  const [only, ...more] = shape.isClosed ? (shape.values ?? []) : [];
  if (only !== undefined) {
    const shown = [only, ...more].map((value) => JSON.stringify(value));
    return more.length === 0 ? assistWords.always(shown[0]!) : assistWords.oneOf(shown.join(', '));
  }
  return assistWords.takes(expectedText(shape));
}
