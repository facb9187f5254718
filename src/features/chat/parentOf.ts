import { shownAnswer } from '../../core/conversation/transcript';
import type { TranscriptTurn } from '../../core/conversation/transcript';

/** Returns the position of a question that follows the shown answer of `before`. */
export function parentOf(before: TranscriptTurn | undefined): {
  readonly parent: string | null;
  readonly after?: string;
} {
  const after = before && shownAnswer(before);
  return { parent: before?.id ?? null, ...(after && { after: after.id }) };
}
