import { shownAnswer } from '../../core/conversation/transcript';
import type { TranscriptTurn } from '../../core/conversation/transcript';

/** Where a question stands that follows what is shown of `before`. */
export function parentOf(before: TranscriptTurn | undefined): {
  readonly parent: string | null;
  readonly after?: string;
} {
  const after = before && shownAnswer(before);
  return { parent: before?.id ?? null, ...(after && { after: after.id }) };
}
