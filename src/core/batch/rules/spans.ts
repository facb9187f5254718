import type { JsonNode } from '../scan/jsonTree';
import type { Span } from '../problem';

/** The brace or bracket a value begins with: where something is missing, marking the whole of it would be loud. */
export function openingOf({ start }: JsonNode): Span {
  return { start, end: start + 1 };
}
