import { defaultMaxTokens } from '../../../core/api/messages/messages.bounds';
import type { MessageRequest } from '../../../core/api/messages/messages.schema';
import type { Attachment } from '../../../core/conversation/attachment';
import { requestParameters, requestPrefill } from '../../../core/conversation/chatParameters';
import type { ChatParameters, RequestTerms } from '../../../core/conversation/chatParameters';
import { compactTurns, goingOnFrom } from '../../../core/conversation/requestMessages';
import { hasCalls } from '../../../core/conversation/toolRounds';
import { shownAnswer } from '../../../core/conversation/transcript';
import type { TranscriptTurn } from '../../../core/conversation/transcript';
import type { Usage } from '../../../core/usage/usage';

/** The input of a conversation's export. */
export interface Exportable {
  readonly id: string;
  readonly turns: readonly TranscriptTurn[];
  /** The request for the text in the question box, or else for the last question; `undefined` if there is neither. */
  readonly request: MessageRequest | undefined;
  /** Of all its answers. */
  readonly usage: Usage;
}

export interface ExportableParts extends RequestTerms {
  readonly id: string;
  readonly turns: readonly TranscriptTurn[];
  /** The part of `turns` that a request sends, in at most `messageLimit` messages. */
  readonly sentTurns: readonly TranscriptTurn[];
  readonly messageLimit: number | undefined;
  readonly draft: string;
  /** The draft's attachments. */
  readonly attachments: readonly Attachment[];
  readonly model: string | undefined;
  readonly parameters: ChatParameters;
  readonly usage: Usage;
}

export function toExportable(parts: ExportableParts): Exportable {
  const { id, turns, sentTurns, draft, attachments, model, usage } = parts;
  const parent = turns.at(-1)?.id ?? null;
  const next: TranscriptTurn = { id: '', parent, question: draft, attachments, askedAt: 0, answers: [] };
  const exported = draft.trim() === '' ? sentTurns : [...sentTurns, next];
  const canAsk = model !== undefined && exported.length > 0;
  return { id, turns, usage, request: canAsk ? requestOf(exported, model, parts) : undefined };
}

function requestOf(turns: readonly TranscriptTurn[], model: string, parts: ExportableParts): MessageRequest {
  const { messageLimit, parameters, notTaken } = parts;
  const last = turns.at(-1);
  const answer = last && shownAnswer(last);
  const continuesCalls = answer !== undefined && hasCalls(answer);
  const prefill = continuesCalls ? '' : requestPrefill(parameters, notTaken);
  // The prefill counts as a message too.
  const room = messageLimit === undefined || prefill === '' ? messageLimit : messageLimit - 1;
  const messages = goingOnFrom(compactTurns(turns, room).messages, prefill);
  return { model, max_tokens: defaultMaxTokens(model), ...requestParameters(parameters, parts), messages };
}

/** Returns the turns that ask the question of one of them again: up to it, without its answers. */
export function repeatedTurns(turns: readonly TranscriptTurn[], turnId: string): readonly TranscriptTurn[] {
  const at = turns.findIndex(({ id }) => id === turnId);
  const turn = turns[at];
  if (!turn) return [];
  const { shown: _shown, comparison: _comparison, ...question } = turn;
  return [...turns.slice(0, at), { ...question, answers: [] }];
}
