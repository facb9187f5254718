import type { MessageParam } from '../api/messages/messages.schema';
import { askedText } from './attachment';
import { compactMessages } from './compaction';
import { hasCalls, lastCalls, restOf, roundMessages } from './toolRounds';
import { shownAnswer } from './transcript';
import type { TranscriptAnswer, TranscriptBlock, TranscriptTurn } from './transcript';

/** How many messages the vendor's page allows in one request; services were seen to take more. */
export const documentedMessageLimit = 10;

/** The messages of one request, and what was done to make them fit. */
export interface TurnCompaction {
  readonly messages: readonly MessageParam[];
  /** How many of the turns, oldest first, are told in the transcript. */
  readonly folded: number;
  /** As it is sent; empty when nothing was folded. */
  readonly transcript: string;
}

/**
 * The messages that ask the last of `turns`, with what came before folded to at most `limit` (`undefined`: as many as there
 * are). Answers without text (failed, refused) are left out; partial ones are sent as far as they came. Calls of tools go with
 * their results, and with the thinking that led to them; other thinking is not sent back. Of the last answer only what tools
 * answered is sent.
 */
export function compactTurns(turns: readonly TranscriptTurn[], limit: number | undefined): TurnCompaction {
  return fold(saidIn(turns), limit);
}

/**
 * The same for a question that is still to come after `turns`. `answering`: the last of them is being answered, and its
 * answer counts though it has no text yet.
 */
export function compactForNext(
  turns: readonly TranscriptTurn[],
  limit: number | undefined,
  { answering }: { readonly answering: boolean },
): TurnCompaction {
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
  const last = turns.at(-1);
  const asked = last && shownAnswer(last)?.model;
  return turns.flatMap((turn, index) => {
    const shown = shownAnswer(turn);
    const isWhole = withLastAnswer || turn !== last;
    const answered = shown ? answerMessages(shown, { isWhole, asked }) : [];
    const messages: readonly MessageParam[] = [
      { role: 'user', content: askedText(turn.question, turn.attachments) },
      ...answered,
    ];
    return messages
      .filter(({ content }) => typeof content !== 'string' || content.trim() !== '')
      .map((message) => ({ turn: index, message }));
  });
}

interface AnswerMessagesOptions {
  /** Else only what tools were asked and answered: the rest is what is to come. */
  readonly isWhole: boolean;
  /** The model that is asked. */
  readonly asked: string | undefined;
}

function answerMessages(answer: TranscriptAnswer, { isWhole, asked }: AnswerMessagesOptions): readonly MessageParam[] {
  const withThinking = asked === undefined || asked === answer.model;
  const rounds = roundMessages(answer, { onlyAnswered: !isWhole, withThinking });
  return isWhole ? [...rounds, { role: 'assistant', content: joined(restOf(answer)) }] : rounds;
}

function fold(said: readonly Said[], limit: number | undefined): TurnCompaction {
  const { messages, folded, transcript } = compactMessages(
    said.map(({ message }) => message),
    limit,
  );
  return { messages, folded: folded === 0 ? 0 : said[folded]!.turn, transcript };
}

/** The answer's text blocks, joined. */
export function textOf(answer: TranscriptAnswer): string {
  return joined(answer.blocks);
}

function joined(blocks: readonly TranscriptBlock[]): string {
  return blocks.flatMap((block) => (block.type === 'text' && block.text !== '' ? [block.text] : [])).join('\n\n');
}

/** What an answer that goes on is to be continued from: its text since tools answered last. Empty: from their results. */
export function unfinishedText(answer: TranscriptAnswer): string {
  return joined(restOf(answer));
}

/** The block in which such a text goes on; -1: in none. */
export function unfinishedBlock(answer: TranscriptAnswer): number {
  const rest = restOf(answer);
  const last = rest.findLastIndex(({ text }) => text !== '');
  return rest[last]?.type === 'text' ? answer.blocks.length - rest.length + last : -1;
}

/** The messages with what the answer has already as their last turn: the service goes on directly from there. */
export function goingOnFrom(messages: readonly MessageParam[], text: string): readonly MessageParam[] {
  return text.trim() === '' ? messages : [...messages, { role: 'assistant', content: text }];
}

/** Ends after which there may be more to say. */
const cutShort: ReadonlySet<string | undefined> = new Set(['max_tokens', 'length']);

/**
 * Whether an answer that comes no more can be continued: it broke off within text, or the tools it called have answered and
 * the model does not know that yet.
 */
export function canContinue(answer: TranscriptAnswer): boolean {
  const calls = lastCalls(answer);
  if (calls.length > 0) return calls.every(({ block }) => block.result);
  const isDone = answer.end?.state === 'done' && !cutShort.has(answer.end.stopReason);
  if (isDone) return false;
  const isUnanswered = hasCalls(answer) && restOf(answer).every(({ text }) => text === '');
  return isUnanswered || (unfinishedBlock(answer) >= 0 && unfinishedText(answer).trim() !== '');
}
