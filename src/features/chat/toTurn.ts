import type { ImageSource } from '../../core/api/messages/messageEvents';
import { shownAnswer } from '../../core/conversation/transcript';
import { canContinue, isWithoutContent } from '../../core/conversation/requestMessages';
import type { TranscriptAnswer, TranscriptBlock, TranscriptTurn } from '../../core/conversation/transcript';
import type { Answer, AnswerBlock, AnswerWait, Turn } from '../../protocol/chat';
import type { ToolCallView } from '../../protocol/chatTools';
import { toChip } from './attachments/attachmentTray';

/** What only the active run knows about an answer. */
export interface RunningAnswer {
  readonly firstTokenMs: number | undefined;
  readonly wait: AnswerWait | undefined;
  /** The blocks of the calls that are running. */
  readonly runningCalls: ReadonlySet<number>;
  /** Whether the run is at its tools, with no request in progress. */
  readonly isAtTools: boolean;
}

/** The state of an answer's tool calls, by block index. */
export type CallViews = ReadonlyMap<number, ToolCallView>;
export type CallViewsOf = (answer: TranscriptAnswer) => CallViews;

/**
 * Converts a turn for the page, with its shown try. `running` is set while that try is running in this window; `beside` are the
 * versions of the question, including this one.
 */
export function toTurn(
  turn: TranscriptTurn,
  running: RunningAnswer | undefined,
  beside: readonly TranscriptTurn[],
  calls: CallViewsOf,
): Turn {
  const answer = shownAnswer(turn);
  const questions = { index: beside.indexOf(turn), count: beside.length };
  const tries = { index: answer ? turn.answers.indexOf(answer) : -1, count: turn.answers.length };
  return {
    id: turn.id,
    question: turn.question,
    ...(turn.attachments?.length
      ? { attachments: turn.attachments.map((attachment, index) => toChip(String(index), attachment)) }
      : {}),
    askedAt: turn.askedAt,
    answer: answer
      ? toAnswer(answer, running, calls(answer))
      : { state: 'interrupted', model: '', omitted: true, blocks: [] },
    ...(answer && { tryId: answer.id }),
    ...(questions.count > 1 && { questions }),
    ...(tries.count > 1 && { tries }),
  };
}

/** An answer without an end and without a run was interrupted by the editor closing. */
export function toAnswer(answer: TranscriptAnswer, running: RunningAnswer | undefined, calls: CallViews): Answer {
  return {
    ...toAnswerState(answer, running),
    blocks: answer.blocks.map((block, index) => withCall(toBlock(block), calls.get(index))),
  };
}

export function toAnswerState(answer: TranscriptAnswer, running: RunningAnswer | undefined): Omit<Answer, 'blocks'> {
  const { blocks, end, prefill, toolLimit } = answer;
  const known = {
    model: answer.model,
    ...(prefill === undefined ? {} : { prefilled: true as const }),
    ...(!running && canContinue(answer) ? { canContinue: true as const } : {}),
    ...(toolLimit === undefined ? {} : { toolLimit }),
    ...(!running && isWithoutContent(answer) ? { omitted: true as const } : {}),
  };
  // Between two requests of an answer, the last request has ended but the answer has not.
  if (!end || running) {
    if (!running) return { ...known, state: 'interrupted' };
    const { firstTokenMs, wait } = running;
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
export function toBlock({ type, text, name, whole }: TranscriptBlock): AnswerBlock {
  if (type === 'image') return { kind: 'image', text, source: whole?.type === 'image' ? addressOf(whole.source) : '' };
  if (type === 'text' || type === 'thinking') return { kind: type, text };
  if (type === 'tool_use') return { kind: 'toolUse', name: name ?? '', text };
  return { kind: 'other', name: name ?? type, text };
}
