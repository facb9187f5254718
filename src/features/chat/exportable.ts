import { defaultMaxTokens } from '../../core/api/messages/messages.bounds';
import type { MessageRequest } from '../../core/api/messages/messages.schema';
import type { Attachment } from '../../core/conversation/attachment';
import { foldTurns } from '../../core/conversation/requestMessages';
import type { TranscriptTurn } from '../../core/conversation/transcript';
import type { Usage } from '../../core/usage/usage';

/** What an export of a conversation is made of. */
export interface Exportable {
  readonly id: string;
  readonly turns: readonly TranscriptTurn[];
  /** As it would be sent for the text in the question box, or was for the last question; `undefined` with neither. */
  readonly request: MessageRequest | undefined;
  /** Of all its answers. */
  readonly usage: Usage;
}

export interface ExportableParts {
  readonly id: string;
  readonly turns: readonly TranscriptTurn[];
  /** Those of `turns` that a request sends, in at most `messageLimit` messages. */
  readonly sentTurns: readonly TranscriptTurn[];
  readonly messageLimit: number | undefined;
  readonly draft: string;
  /** What goes along with the draft. */
  readonly attachments: readonly Attachment[];
  readonly model: string | undefined;
  readonly usage: Usage;
}

export function toExportable(parts: ExportableParts): Exportable {
  const { id, turns, sentTurns, messageLimit, draft, attachments, model, usage } = parts;
  const parent = turns.at(-1)?.id ?? null;
  const next: TranscriptTurn = { id: '', parent, question: draft, attachments, askedAt: 0, answers: [] };
  const { messages } = foldTurns(draft.trim() === '' ? sentTurns : [...sentTurns, next], messageLimit);
  const canAsk = model !== undefined && messages.length > 0;
  return { id, turns, usage, request: canAsk ? { model, max_tokens: defaultMaxTokens(model), messages } : undefined };
}
