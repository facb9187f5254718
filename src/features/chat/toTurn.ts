import { shownAnswer } from '../../core/conversation/transcript';
import { canContinue } from '../../core/conversation/requestMessages';
import type { TranscriptAnswer, TranscriptBlock, TranscriptTurn } from '../../core/conversation/transcript';
import type { Answer, AnswerBlock, AnswerWait, Turn } from '../../protocol/chat';
import type { ToolCallView } from '../../protocol/chatTools';
import { toChip } from './attachments/attachmentTray';

/** What only the run that goes on knows of an answer. */
export interface RunningAnswer {
  readonly firstTokenMs: number | undefined;
  readonly wait: AnswerWait | undefined;
  /** The blocks whose calls run now. */
  readonly runningCalls: ReadonlySet<number>;
  /** Tools are run, and no request. */
  readonly isAtTools: boolean;
}

/** Where the calls of an answer stand, by their blocks. */
export type CallViews = ReadonlyMap<number, ToolCallView>;
export type CallViewsOf = (answer: TranscriptAnswer) => CallViews;

/**
 * A turn as the page shows it, with the try that is shown. `running` is set while that try goes on in this window; `beside`
 * are the questions in its place.
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
    answer: answer ? toAnswer(answer, running, calls(answer)) : { state: 'interrupted', model: '', blocks: [] },
    ...(answer && { tryId: answer.id }),
    ...(questions.count > 1 && { questions }),
    ...(tries.count > 1 && { tries }),
  };
}

/** Without an end and without a run the answer was cut off by the end of the editor. */
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
  };
  // Between two requests of an answer the last one has ended, the answer has not.
  if (!end || running) {
    if (!running) return { ...known, state: 'interrupted' };
    const { firstTokenMs, wait } = running;
    return {
      ...known,
      state: blocks.length > 0 ? 'streaming' : 'waiting',
      ...(firstTokenMs === undefined ? {} : { firstTokenMs }),
      ...(wait ? { wait } : {}),
    };
  }
  const { inputTokens, outputTokens, inputIsEstimate, outputIsEstimate, ...rest } = end;
  const usage = {
    ...(inputTokens === undefined ? {} : { inputTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
    ...(inputIsEstimate && { inputIsEstimate }),
    ...(outputIsEstimate && { outputIsEstimate }),
  };
  return { ...known, ...rest, ...(Object.keys(usage).length > 0 ? { usage } : {}) };
}

function withCall(block: AnswerBlock, call: ToolCallView | undefined): AnswerBlock {
  return block.kind === 'toolUse' && call ? { ...block, call } : block;
}

/** A type a later version wrote is shown by its name. */
export function toBlock({ type, text, name }: TranscriptBlock): AnswerBlock {
  if (type === 'text' || type === 'thinking') return { kind: type, text };
  if (type === 'tool_use') return { kind: 'toolUse', name: name ?? '', text };
  return { kind: 'other', name: name ?? type, text };
}
