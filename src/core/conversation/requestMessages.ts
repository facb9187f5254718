import type { MessageParam } from '../api/messages/messages.schema';
import { askedText } from './attachment';
import { foldMessages } from './fold';
import { shownAnswer } from './transcript';
import type { TranscriptAnswer, TranscriptTurn } from './transcript';

/** How many messages the vendor's page allows in one request; services were seen to take more. */
export const documentedMessageLimit = 10;

/** The messages of one request, and what was done to make them fit. */
export interface TurnFolding {
  readonly messages: readonly MessageParam[];
  /** How many of the turns, oldest first, are told in the transcript. */
  readonly folded: number;
  /** As it is sent; empty when nothing was folded. */
  readonly transcript: string;
}

/**
 * The messages that ask the last of `turns`, with what came before folded to at most `limit` (`undefined`: as many as there
 * are). Answers without text (failed, refused) are left out; partial ones are sent as far as they came; thinking is not sent
 * back.
 */
export function foldTurns(turns: readonly TranscriptTurn[], limit: number | undefined): TurnFolding {
  return fold(saidIn(turns), limit);
}

/**
 * The same for a question that is still to come after `turns`. `answering`: the last of them is being answered, and its
 * answer counts though it has no text yet.
 */
export function foldForNext(
  turns: readonly TranscriptTurn[],
  limit: number | undefined,
  { answering }: { readonly answering: boolean },
): TurnFolding {
  const said = saidIn(turns, { withLastAnswer: true });
  const toCome = (role: 'user' | 'assistant'): Said => ({ turn: turns.length, message: { role, content: '…' } });
  const answer = answering && said.at(-1)?.message.role === 'user' ? [toCome('assistant')] : [];
  return fold([...said, ...answer, toCome('user')], limit);
}

interface Said {
  /** Index of its turn. */
  readonly turn: number;
  readonly message: MessageParam;
}

function saidIn(turns: readonly TranscriptTurn[], { withLastAnswer = false } = {}): readonly Said[] {
  return turns.flatMap((turn, index) => {
    const shown = shownAnswer(turn);
    const answer = shown && (withLastAnswer || index < turns.length - 1) ? textOf(shown) : '';
    const messages: readonly MessageParam[] = [
      { role: 'user', content: askedText(turn.question, turn.attachments) },
      { role: 'assistant', content: answer },
    ];
    return messages
      .filter(({ content }) => typeof content !== 'string' || content.trim() !== '')
      .map((message) => ({ turn: index, message }));
  });
}

function fold(said: readonly Said[], limit: number | undefined): TurnFolding {
  const { messages, folded, transcript } = foldMessages(
    said.map(({ message }) => message),
    limit,
  );
  return { messages, folded: folded === 0 ? 0 : said[folded]!.turn, transcript };
}

/** The answer's text blocks, joined. */
export function textOf(answer: TranscriptAnswer): string {
  return answer.blocks
    .flatMap((block) => (block.type === 'text' && block.text !== '' ? [block.text] : []))
    .join('\n\n');
}

/** The messages with what the answer has already as their last turn: the service goes on directly from there. */
export function goingOnFrom(messages: readonly MessageParam[], text: string): readonly MessageParam[] {
  return text.trim() === '' ? messages : [...messages, { role: 'assistant', content: text }];
}

/** Ends after which there may be more to say. */
const cutShort: ReadonlySet<string | undefined> = new Set(['max_tokens', 'length']);

/** Whether an answer that comes no more can be continued: it broke off, and it broke off within text. */
export function canContinue(answer: TranscriptAnswer): boolean {
  const last = answer.blocks.findLast(({ text }) => text !== '');
  if (last?.type !== 'text' || textOf(answer).trim() === '') return false;
  return answer.end?.state !== 'done' || cutShort.has(answer.end.stopReason);
}
