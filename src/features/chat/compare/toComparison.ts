import type { TranscriptTurn } from '../../../core/conversation/transcript';
import type { Turn } from '../../../protocol/chat';
import type { ComparedAnswer, Comparison } from '../../../protocol/chatCompare';
import { toAnswer } from '../toTurn';
import type { CallViewsOf, RunningAnswer } from '../toTurn';

interface Runs {
  /** Returns `undefined` if the answer is not running in this window. */
  of(answerId: string): RunningAnswer | undefined;
}

/** Returns the shown turn, with its answers side by side if they are compared. */
export function withComparison(shown: Turn, turn: TranscriptTurn, runs: Runs, calls: CallViewsOf): Turn {
  const comparison = toComparison(turn, runs, calls);
  if (!comparison) return shown;
  if (comparison.columns.length === 0) return { ...shown, comparison };
  const { tryId: _, tries: _tries, ...rest } = shown;
  return { ...rest, answer: { state: 'done', model: '', blocks: [] }, comparison };
}

function toComparison({ comparison, answers }: TranscriptTurn, runs: Runs, calls: CallViewsOf): Comparison | undefined {
  if (!comparison) return undefined;
  const { tries, leftOut, picked, isOpen } = comparison;
  const toColumn = (tryId: string): readonly ComparedAnswer[] =>
    answers
      .filter(({ id }) => id === tryId)
      .map((answer) => ({
        tryId,
        answer: toAnswer(answer, runs.of(tryId), calls(answer)),
        ...(leftOut[tryId]?.length ? { leftOut: leftOut[tryId] } : {}),
        ...(picked === tryId && { picked: true }),
      }));
  return { count: tries.length, columns: isOpen ? tries.flatMap(toColumn) : [] };
}
