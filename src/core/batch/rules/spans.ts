import type { JsonNode } from '../scan/jsonTree';
import type { Span } from '../problem';

/** Returns the opening brace or bracket of a value: if something is missing, marking all of it would be too much. */
export function openingOf({ start }: JsonNode): Span {
  return { start, end: start + 1 };
}
