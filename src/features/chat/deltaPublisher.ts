import type { TranscriptAnswer } from '../../core/conversation/transcript';
import type { AnswerBlock, AnswerChunk } from '../../protocol/chat';
import { toAnswerState, toBlock } from './toTurn';
import type { CallViews, RunningAnswer } from './toTurn';

/**
 * Returns a function that emits what was added to an answer since its last call. `have` is the number of characters of each block
 * that the page already has.
 */
export function createDeltaPublisher(have: readonly number[], emit: (chunk: AnswerChunk) => void) {
  const lengths = [...have];
  const toldCalls = new Map<number, string>();
  let toldState: string | undefined;

  return (answer: TranscriptAnswer, running: RunningAnswer | undefined, calls: CallViews): void => {
    const state = toAnswerState(answer, running);
    const told = `${state.state} ${state.wait?.until ?? ''}`;
    if (toldState !== told) emit({ type: 'state', answer: state });
    toldState = told;
    answer.blocks.forEach((block, index) => {
      const length = lengths[index];
      // A new block is emitted even while it is empty, so that the page has no gaps.
      if (length !== undefined && block.text.length <= length) return;
      const shown = toBlock(block);
      emit({ type: 'append', block: index, kind: shown.kind, ...nameIn(shown), text: shown.text.slice(length ?? 0) });
      lengths[index] = block.text.length;
    });
    calls.forEach((call, block) => {
      const told = JSON.stringify(call);
      if (toldCalls.get(block) !== told) emit({ type: 'toolCall', block, call });
      toldCalls.set(block, told);
    });
  };
}

function nameIn(block: AnswerBlock): { readonly name?: string } {
  return 'name' in block ? { name: block.name } : {};
}
