import type { MessageParam } from '../api/messages/messages.schema';
import { toBlocks, toTranscriptText } from './compactedTranscript';

export interface Compaction {
  /** The messages to send: at most one system message, then user and assistant alternating. */
  readonly messages: readonly MessageParam[];
  /** How many of the input's user and assistant messages, oldest first, are in the transcript; 0 if it fits without one. */
  readonly compacted: number;
  /** The transcript as sent; empty if nothing was compacted. */
  readonly transcript: string;
}

/** A system message, a transcript, an answer, the last user turn, and the beginning of the next answer. */
export const smallestMessageLimit = 5;

/**
 * Compacts a history of any length into at most `limit` messages without dropping a word. A limit below `smallestMessageLimit` counts as
 * that, `undefined` as none. Adjacent messages of one role are merged, because the service rejects two in a row, and system messages go
 * first. The oldest rounds become one transcript before the first user turn that is kept. The last user turn and everything after it stay
 * unchanged, and a tool call stays with its result, which the service requires in the very next message. Pure: a history that fits is
 * returned unchanged, so compacting twice changes nothing.
 */
export function compactMessages(history: readonly MessageParam[], limit: number | undefined): Compaction {
  const system = mergeRoles(history.filter(({ role }) => role === 'system')).map(({ message }) => message);
  const body = mergeRoles(history.filter(({ role }) => role !== 'system'));
  const room = limit === undefined ? Number.POSITIVE_INFINITY : Math.max(limit, smallestMessageLimit) - system.length;
  if (body.length <= room) {
    return { messages: [...system, ...body.map(({ message }) => message)], compacted: 0, transcript: '' };
  }

  const firstAnswer = firstRetainedAnswer(body, room);
  const question = body[firstAnswer - 1]!.message;
  // Results whose calls are compacted go with them; any other question stays unchanged.
  const earliest = body.slice(0, holdsResults(question) ? firstAnswer : firstAnswer - 1);
  const transcript = toTranscriptText(earliest.map(({ message }) => message));
  const retained = body.slice(earliest.length, firstAnswer).map(({ message }) => message.content);
  const content = [transcript.text, transcript.images, ...retained].reduce(joinContents);
  return {
    messages: [...system, { role: 'user', content }, ...body.slice(firstAnswer).map(({ message }) => message)],
    compacted: earliest.reduce((sum, { count }) => sum + count, 0),
    transcript: transcript.text,
  };
}

interface Merged {
  readonly message: MessageParam;
  /** How many of the input's messages it contains. */
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

/** Keeps text as text, which every service accepts; blocks are what agents send. */
function joinContents(first: MessageParam['content'], second: MessageParam['content']): MessageParam['content'] {
  if (first.length === 0) return second;
  if (second.length === 0) return first;
  if (typeof first === 'string' && typeof second === 'string') return `${first}\n\n${second}`;
  return [...toBlocks(first), ...toBlocks(second)];
}

/** Returns the oldest answer that can stay if one message covers all before it. `body` alternates between user and assistant. */
function firstRetainedAnswer(body: readonly Merged[], room: number): number {
  const oldest = body.length + 1 - room;
  return body[oldest]?.message.role === 'assistant' ? oldest : oldest + 1;
}

function holdsResults({ content }: MessageParam): boolean {
  return typeof content !== 'string' && content.some(({ type }) => type === 'tool_result');
}
