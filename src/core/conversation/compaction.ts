import type { MessageParam } from '../api/messages/messages.schema';
import { toBlocks, toTranscriptText } from './compactedTranscript';

export interface Compaction {
  /** What to send: a system message at most, then user and assistant in turns. */
  readonly messages: readonly MessageParam[];
  /** How many of the given messages of user and assistant, oldest first, are told in the transcript; 0 when none had to be. */
  readonly folded: number;
  /** The transcript as it is sent; empty when nothing was folded. */
  readonly transcript: string;
}

/** A system message, a transcript, an answer, the last user turn, and the beginning of the next answer. */
export const smallestMessageLimit = 5;

/**
 * Brings a history of any length into at most `limit` messages without dropping a word; a limit below
 * `smallestMessageLimit` counts as that, `undefined` as none. What stands side by side from one role is merged, because
 * the service refuses two messages of one role in a row, and system messages go to the front. The oldest rounds become one
 * transcript in front of the first user turn that is kept. The last user turn and what follows it stay as they are, and a
 * tool call stays with its result, which the service wants in the very next message. Pure: a history that fits comes back
 * unchanged, so folding what was folded changes nothing.
 */
export function compactMessages(history: readonly MessageParam[], limit: number | undefined): Compaction {
  const system = mergeRoles(history.filter(({ role }) => role === 'system')).map(({ message }) => message);
  const body = mergeRoles(history.filter(({ role }) => role !== 'system'));
  const room = limit === undefined ? Number.POSITIVE_INFINITY : Math.max(limit, smallestMessageLimit) - system.length;
  if (body.length <= room) {
    return { messages: [...system, ...body.map(({ message }) => message)], folded: 0, transcript: '' };
  }

  const firstAnswer = firstKeptAnswer(body, room);
  const asked = body[firstAnswer - 1]!.message;
  // Results whose calls are folded go with them; any other question stays as it was put.
  const told = body.slice(0, holdsResults(asked) ? firstAnswer : firstAnswer - 1);
  const transcript = toTranscriptText(told.map(({ message }) => message));
  const kept = body.slice(told.length, firstAnswer).map(({ message }) => message.content);
  const content = [transcript.text, transcript.images, ...kept].reduce(joinContents);
  return {
    messages: [...system, { role: 'user', content }, ...body.slice(firstAnswer).map(({ message }) => message)],
    folded: told.reduce((sum, { count }) => sum + count, 0),
    transcript: transcript.text,
  };
}

interface Merged {
  readonly message: MessageParam;
  /** How many of the given messages it holds. */
  readonly count: number;
}

function mergeRoles(history: readonly MessageParam[]): readonly Merged[] {
  const merged: Merged[] = [];
  for (const message of history) {
    const last = merged.at(-1);
    if (last?.message.role !== message.role) merged.push({ message, count: 1 });
    else {
      const content = joinContents(last.message.content, message.content);
      merged[merged.length - 1] = { message: { role: message.role, content }, count: last.count + 1 };
    }
  }
  return merged;
}

/** Texts stay text, which every service takes; blocks are what agents send. */
function joinContents(first: MessageParam['content'], second: MessageParam['content']): MessageParam['content'] {
  if (first.length === 0) return second;
  if (second.length === 0) return first;
  if (typeof first === 'string' && typeof second === 'string') return `${first}\n\n${second}`;
  return [...toBlocks(first), ...toBlocks(second)];
}

/** The oldest answer that can stay when one message tells all before it. User and assistant take turns in `body`. */
function firstKeptAnswer(body: readonly Merged[], room: number): number {
  const oldest = body.length + 1 - room;
  return body[oldest]?.message.role === 'assistant' ? oldest : oldest + 1;
}

function holdsResults({ content }: MessageParam): boolean {
  return typeof content !== 'string' && content.some(({ type }) => type === 'tool_result');
}
