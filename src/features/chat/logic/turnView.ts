import type { ImageSource } from '../../../core/api/messages/messageEvents';
import type { ConversationRecord } from '../../../core/conversation/record';
import { shownAnswer } from '../../../core/conversation/transcript';
import { canContinue, isWithoutContent } from '../../../core/conversation/requestMessages';
import type { TranscriptAnswer, TranscriptBlock, TranscriptTurn } from '../../../core/conversation/transcript';
import type { Answer, AnswerBlock, AnswerChunk, AnswerWait, Turn } from '../../../protocol/chat';
import type { ComparedAnswer, Comparison } from '../../../protocol/chatCompare';
import type { ToolCallView } from '../../../protocol/chatTools';
import { toChip } from './attachmentTray';

/** Data about a running answer that only this window has. */
export interface AnswerProgress {
  readonly firstTokenMs: number | undefined;
  readonly wait: AnswerWait | undefined;
  /** The blocks of the calls that are running. */
  readonly runningCalls: ReadonlySet<number>;
  /** Whether the answer is at its tools, with no request in progress. */
  readonly isAtTools: boolean;
}

/** The state of an answer's tool calls, by block index. */
export type CallViews = ReadonlyMap<number, ToolCallView>;

/** An answer as it is now. Without `progress`, it is not running in this window. */
export interface AnswerNow {
  readonly answer: TranscriptAnswer;
  readonly progress?: AnswerProgress | undefined;
  readonly calls: CallViews;
}

type NowOf = (answer: TranscriptAnswer) => AnswerNow;

/**
 * Converts a turn for the page, with its shown attempt, or its answers side by side. `beside` are the versions of the question, including
 * this one.
 */
export function toTurn(turn: TranscriptTurn, beside: readonly TranscriptTurn[], nowOf: NowOf): Turn {
  const { id, question, askedAt, attachments = [], answers } = turn;
  const answer = shownAnswer(turn);
  const questions = { index: beside.indexOf(turn), count: beside.length };
  const tries = { index: answer ? answers.indexOf(answer) : -1, count: answers.length };
  const shown = {
    id,
    question,
    ...(attachments.length > 0 && {
      attachments: attachments.map((attachment, index) => toChip(String(index), attachment)),
    }),
    askedAt,
    ...(questions.count > 1 && { questions }),
  };
  const comparison = toComparison(turn, nowOf);
  if (comparison && comparison.columns.length > 0)
    return { ...shown, answer: { state: 'done', model: '', blocks: [] }, comparison };
  return {
    ...shown,
    answer: answer ? toAnswer(nowOf(answer)) : { state: 'interrupted', model: '', omitted: true, blocks: [] },
    ...(answer && { tryId: answer.id }),
    ...(tries.count > 1 && { tries }),
    ...(comparison && { comparison }),
  };
}

function toComparison({ comparison, answers }: TranscriptTurn, nowOf: NowOf): Comparison | undefined {
  if (!comparison) return undefined;
  const { tries, leftOut, picked, isOpen } = comparison;
  const toColumn = (tryId: string): readonly ComparedAnswer[] =>
    answers
      .filter(({ id }) => id === tryId)
      .map((answer) => ({
        tryId,
        answer: toAnswer(nowOf(answer)),
        ...(leftOut[tryId]?.length ? { leftOut: leftOut[tryId] } : {}),
        ...(picked === tryId && { picked: true }),
      }));
  return { count: tries.length, columns: isOpen ? tries.flatMap(toColumn) : [] };
}

/** An answer without an end and that is not running was interrupted by the editor closing. */
export function toAnswer(now: AnswerNow): Answer {
  return {
    ...toAnswerState(now),
    blocks: now.answer.blocks.map((block, index) => withCall(toBlock(block), now.calls.get(index))),
  };
}

function toAnswerState({ answer, progress }: AnswerNow): Omit<Answer, 'blocks'> {
  const { blocks, end, prefill, toolLimit } = answer;
  const known = {
    model: answer.model,
    ...(prefill === undefined ? {} : { prefilled: true as const }),
    ...(!progress && canContinue(answer) ? { canContinue: true as const } : {}),
    ...(toolLimit === undefined ? {} : { toolLimit }),
    ...(!progress && isWithoutContent(answer) ? { omitted: true as const } : {}),
  };
  // Between two requests of an answer, the last request has ended but the answer has not.
  if (!end || progress) {
    if (!progress) return { ...known, state: 'interrupted' };
    const { firstTokenMs, wait } = progress;
    return {
      ...known,
      ...(blocks.length > 0 ? { state: 'streaming' } : { state: 'waiting', waitingSince: answer.startedAt }),
      ...(firstTokenMs === undefined ? {} : { firstTokenMs }),
      ...(wait ? { wait } : {}),
    };
  }
  const { inputTokens, outputTokens, inputIsEstimate, outputIsEstimate, cost, currency, ...rest } = end;
  const usage = {
    ...(inputTokens === undefined ? {} : { inputTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
    ...(inputIsEstimate && { inputIsEstimate }),
    ...(outputIsEstimate && { outputIsEstimate }),
    ...(cost === undefined ? {} : { cost, ...(currency !== undefined && { currency }) }),
  };
  return { ...known, ...rest, ...(Object.keys(usage).length > 0 ? { usage } : {}) };
}

function withCall(block: AnswerBlock, call: ToolCallView | undefined): AnswerBlock {
  return block.kind === 'toolUse' && call ? { ...block, call } : block;
}

function addressOf(source: ImageSource): string {
  return source.type === 'url' ? source.url : `data:${source.media_type};base64,${source.data}`;
}

/** Shows a block type from a later version by its name. */
function toBlock({ type, text, name, whole }: TranscriptBlock): AnswerBlock {
  if (type === 'image') return { kind: 'image', text, source: whole?.type === 'image' ? addressOf(whole.source) : '' };
  if (type === 'text' || type === 'thinking') return { kind: type, text };
  if (type === 'tool_use') return { kind: 'toolUse', name: name ?? '', text };
  return { kind: 'other', name: name ?? type, text };
}

/** Sends an answer to a page while it grows. */
export interface AnswerFeed {
  /** Sends what the page lacks of the answer. */
  catchUp(now: AnswerNow): void;
  /** Sends what these records, which the answer already has, changed, and a new state of the answer or of its calls. */
  update(now: AnswerNow, records: readonly ConversationRecord[]): void;
}

/** `have` is the number of characters of each block that the page already has. */
export function createAnswerFeed(have: readonly number[], emit: (chunk: AnswerChunk) => void): AnswerFeed {
  const lengths = [...have];
  const sentCalls = new Map<number, string>();
  let sentState: string | undefined;

  const replace = (block: TranscriptBlock, index: number) => {
    emit({ type: 'replace', block: index, as: toBlock(block) });
    lengths[index] = block.text.length;
  };
  const append = (block: TranscriptBlock, index: number, text: string) => {
    const shown = toBlock(block);
    emit({ type: 'append', block: index, kind: shown.kind, ...('name' in shown && { name: shown.name }), text });
    lengths[index] = (lengths[index] ?? 0) + text.length;
  };
  const complete = (block: TranscriptBlock, index: number) => {
    const length = lengths[index];
    if (length === undefined ? block.type === 'image' : block.text.length < length) replace(block, index);
    // A new block is sent even while it is empty, so that the page has no gaps.
    else if (length === undefined || block.text.length > length) append(block, index, block.text.slice(length ?? 0));
  };
  /** Records that a page already has, because it opened between writing and reporting them, aren't sent again. */
  const apply = (record: ConversationRecord, { blocks }: TranscriptAnswer) => {
    if (record.kind !== 'block' && record.kind !== 'piece' && record.kind !== 'whole' && record.kind !== 'replaced')
      return;
    const { index } = record;
    const block = blocks[index];
    if (!block) return;
    if (record.kind === 'replaced' || (record.kind === 'whole' && block.type === 'image')) return replace(block, index);
    if (record.kind === 'piece') {
      const text = record.text.slice(Math.max(0, (lengths[index] ?? 0) - record.from));
      if (text !== '') append(block, index, text);
    } else if (record.kind === 'block' && lengths[index] === undefined && block.type !== 'image')
      append(block, index, '');
  };
  const sendState = (now: AnswerNow) => {
    const answer = toAnswerState(now);
    const key = `${answer.state} ${answer.wait?.until ?? ''}`;
    if (sentState !== key) emit({ type: 'state', answer });
    sentState = key;
  };
  const sendCalls = ({ calls }: AnswerNow) => {
    calls.forEach((call, block) => {
      const key = JSON.stringify(call);
      if (sentCalls.get(block) !== key) emit({ type: 'toolCall', block, call });
      sentCalls.set(block, key);
    });
  };
  return {
    catchUp(now) {
      sendState(now);
      now.answer.blocks.forEach(complete);
      sendCalls(now);
    },
    update(now, records) {
      sendState(now);
      for (const record of records) apply(record, now.answer);
      sendCalls(now);
    },
  };
}
