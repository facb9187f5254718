import type { ContentBlock } from '../api/messages/messageEvents';
import { endSoFar, together, tokensIn } from './answerUsage';
import type { ConversationRecord } from './record';
import type { TranscriptAnswer, TranscriptBlock } from './transcript';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type GrowingBlock = Mutable<TranscriptBlock>;
/** An answer to which records are added. */
export type GrowingAnswer = Omit<Mutable<TranscriptAnswer>, 'blocks' | 'goesOnAt'> & {
  readonly blocks: GrowingBlock[];
  goesOnAt?: number[];
};

/** More blocks than any answer has; a line with a higher index is damaged. */
const maxBlocks = 10_000;

/** Further continuations of one answer are not counted one by one: each count reads all of its text. */
const mostCounted = 200;

/** Applies a record to an answer. */
export function grow(
  answer: GrowingAnswer | undefined,
  record: Extract<ConversationRecord, { readonly answer: string }>,
): void {
  if (!answer) return;
  if (record.kind === 'end') {
    answer.end ??= answer.endBefore ? together(answer.endBefore, record.end) : record.end;
    return;
  }
  if (record.kind === 'continue') {
    if ((answer.goesOnAt?.length ?? 0) < mostCounted) {
      const before = endSoFar(answer);
      if (before) answer.endBefore = before;
      answer.counted = tokensIn(answer);
    }
    answer.end = undefined;
    (answer.goesOnAt ??= []).push(answer.blocks.length);
    delete answer.toolLimit;
    return;
  }
  if (record.kind === 'toolLimit') {
    answer.toolLimit = record.rounds;
    return;
  }
  if (record.kind === 'prefill') {
    answer.prefill = record.text;
    return;
  }
  if (record.kind === 'toolStart' || record.kind === 'toolResult') return noteCall(answer.blocks[record.index], record);
  const { index } = record;
  if (!Number.isInteger(index) || index < 0 || index >= maxBlocks) return;
  const isNew = index >= answer.blocks.length;
  // If the line that opened a block was lost, its text was not, and the block was most likely text.
  while (answer.blocks.length <= index) answer.blocks.push({ type: 'text', text: '' });
  const block = answer.blocks[index]!;
  if (record.kind === 'piece') block.text += record.text.slice(Math.max(0, block.text.length - record.from));
  else if (record.kind === 'whole') block.whole = record.block;
  else if (record.kind === 'replaced') answer.blocks[index] = replacement(record.block);
  else if (isNew) {
    block.type = record.type;
    if (record.name !== undefined) block.name = record.name;
  }
}

function replacement(block: ContentBlock): GrowingBlock {
  const name = block.type === 'tool_use' ? { name: block.name } : {};
  return { type: block.type, text: blockText(block), ...name, whole: block };
}

/** Returns the text to show for a finished block. */
export function blockText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'thinking':
      return block.thinking;
    case 'tool_use':
      return typeof block.input === 'string' ? block.input : JSON.stringify(block.input, undefined, 2);
    case 'image':
      return block.alternative ?? '';
    case 'unknown':
      return JSON.stringify(block.raw, undefined, 2);
  }
}

function noteCall(
  block: GrowingBlock | undefined,
  record: Extract<ConversationRecord, { readonly kind: 'toolStart' | 'toolResult' }>,
): void {
  if (block?.type !== 'tool_use') return;
  if (record.kind === 'toolStart') block.toolStartedAt = record.at;
  else block.result ??= { text: record.text, isError: record.isError, by: record.by };
}
