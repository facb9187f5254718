import type { MessageParam } from '../api/messages/messages.schema';
import { askedContent } from './attachment';
import { compactMessages } from './compaction';
import { cutShort, hasCalls, lastCalls, restOf, roundMessages } from './toolRounds';
import { shownAnswer } from './transcript';
import type { TranscriptAnswer, TranscriptBlock, TranscriptTurn } from './transcript';

/** The messages of one request, and how they were compacted to fit. */
export interface TurnCompaction {
  readonly messages: readonly MessageParam[];
  /** How many of the turns, oldest first, are in the transcript. */
  readonly compacted: number;
  /** As sent. Empty if nothing was compacted. */
  readonly transcript: string;
}

/** Whom a request goes to. What came with calls, such as signatures, goes to nobody else. */
export interface RequestTarget {
  readonly model: string;
  /** The id of the account; absent if it is unknown. */
  readonly account?: string | undefined;
}

/**
 * Returns the messages of a request for the last of `turns`, compacted to at most `limit` (`undefined`: no limit). Omits earlier turns
 * whose answer has no content (failed, stopped, refused), so that their questions aren't asked again. Sends partial answers as far as they
 * were received. Includes tool calls with their results and the thinking that led to them, but no other thinking. Of the last answer,
 * includes only rounds with all tool results.
 */
export function compactTurns(
  turns: readonly TranscriptTurn[],
  limit: number | undefined,
  target?: RequestTarget,
): TurnCompaction {
  return compact(messagesOf(turns, { next: 'answer' }, target), limit);
}

/**
 * The same for a future question after `turns`. `answering`: the last of them is being answered, and its answer counts although it has no
 * text yet.
 */
export function compactForNext(
  turns: readonly TranscriptTurn[],
  limit: number | undefined,
  { answering }: { readonly answering: boolean },
): TurnCompaction {
  const messages = messagesOf(turns, { next: 'question', answering });
  const toCome = (role: 'user' | 'assistant'): TurnMessage => ({ turn: turns.length, message: { role, content: '…' } });
  const answer = answering && messages.at(-1)?.message.role === 'user' ? [toCome('assistant')] : [];
  return compact([...messages, ...answer, toCome('user')], limit);
}

interface TurnMessage {
  /** Index of the turn. */
  readonly turn: number;
  readonly message: MessageParam;
}

/** The purpose of the request: the answer to the last turn, or a question after it, while that turn might still be answered. */
type Next = { readonly next: 'answer' } | { readonly next: 'question'; readonly answering: boolean };

function messagesOf(turns: readonly TranscriptTurn[], asking: Next, to?: RequestTarget): readonly TurnMessage[] {
  const last = turns.at(-1);
  const target = to ?? (last && shownAnswer(last));
  return turns.flatMap((turn, index) => {
    const shown = shownAnswer(turn);
    const isAwaited = turn === last && (asking.next === 'answer' || asking.answering);
    if (!isAwaited && isWithoutContent(shown)) return [];
    const isWhole = asking.next === 'question' || turn !== last;
    const answered = shown ? answerMessages(shown, isWhole, target) : [];
    const messages: readonly MessageParam[] = [
      { role: 'user', content: askedContent(turn.question, turn.attachments) },
      ...answered,
    ];
    return messages
      .filter(({ content }) => typeof content !== 'string' || content.trim() !== '')
      .map((message) => ({ turn: index, message }));
  });
}

/** Unless `isWhole`, only the tool rounds with results, because the rest is yet to come. */
function answerMessages(
  answer: TranscriptAnswer,
  isWhole: boolean,
  target: RequestTarget | undefined,
): readonly MessageParam[] {
  const isSameAccount = [target?.account, answer.account].includes(undefined) || target?.account === answer.account;
  const withThinking = !target || (target.model === answer.model && isSameAccount);
  const rounds = roundMessages(answer, isWhole ? 'all' : 'answered', withThinking);
  return isWhole ? [...rounds, { role: 'assistant', content: joined(restOf(answer)) }] : rounds;
}

/**
 * Whether a completed answer has no text of the model and no tool calls. Later requests omit its turn, because without an answer, the
 * service would receive its question and the next one as one message.
 */
export function isWithoutContent(answer: TranscriptAnswer | undefined): boolean {
  if (!answer) return true;
  if (hasCalls(answer)) return false;
  return (
    textOf(answer)
      .slice(answer.prefill?.length ?? 0)
      .trim() === ''
  );
}

function compact(all: readonly TurnMessage[], limit: number | undefined): TurnCompaction {
  const { messages, compacted, transcript } = compactMessages(
    all.map(({ message }) => message),
    limit,
  );
  return { messages, compacted: compacted === 0 ? 0 : all[compacted]!.turn, transcript };
}

/** Returns the answer's text blocks, joined. */
export function textOf(answer: TranscriptAnswer): string {
  return joined(answer.blocks);
}

function joined(blocks: readonly TranscriptBlock[]): string {
  return blocks.flatMap((block) => (block.type === 'text' && block.text !== '' ? [block.text] : [])).join('\n\n');
}

/** Returns the text from which to continue an answer: what follows the last tool results. Empty: continue from the results. */
export function unfinishedText(answer: TranscriptAnswer): string {
  return joined(restOf(answer));
}

/** Returns the index of the block in which that text continues; -1 if none. */
export function unfinishedBlock(answer: TranscriptAnswer): number {
  const rest = restOf(answer);
  const last = rest.findLastIndex(({ text }) => text !== '');
  return rest[last]?.type === 'text' ? answer.blocks.length - rest.length + last : -1;
}

/** Returns the messages with the answer's existing text as the last one: the service continues directly from there. */
export function goingOnFrom(messages: readonly MessageParam[], text: string): readonly MessageParam[] {
  return text.trim() === '' ? messages : [...messages, { role: 'assistant', content: text }];
}

/** The kind of the error of an answer that has thinking and nothing else. */
export const thoughtOnlyKind = 'thoughtOnly';

/**
 * Whether a completed answer can be continued: it was truncated within text, ended after its thinking, or its tool calls have results that
 * the model has not received yet.
 */
export function canContinue(answer: TranscriptAnswer): boolean {
  const calls = lastCalls(answer);
  if (calls.length > 0) return calls.every(({ block }) => block.result);
  if (answer.end?.state === 'failed' && answer.end.error?.kind === thoughtOnlyKind) return true;
  const isDone = answer.end?.state === 'done' && !cutShort.has(answer.end.stopReason);
  if (isDone) return false;
  const isUnanswered = hasCalls(answer) && restOf(answer).every(({ text }) => text === '');
  return isUnanswered || (unfinishedBlock(answer) >= 0 && unfinishedText(answer).trim() !== '');
}
