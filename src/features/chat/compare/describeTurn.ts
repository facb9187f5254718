import type { Conversation } from '../../../core/conversation/conversationFolder';
import { shownAnswer, type TranscriptTurn } from '../../../core/conversation/transcript';
import type { Turn } from '../../../protocol/chat';
import type { ComparedAnswer, Comparison } from '../../../protocol/chatCompare';
import type { AnswerRuns } from '../answerRuns';
import type { ChatEngine } from '../chatEngine';
import { toAnswer, toTurn, type CallViewsOf } from '../toTurn';

/** Describes a turn for the page, with its shown try, or its answers side by side, in their current state. */
export function describeTurn({ runs, tools }: ChatEngine, { transcript }: Conversation, turn: TranscriptTurn): Turn {
  const shown = shownAnswer(turn);
  const views: CallViewsOf = (answer) => tools.views(transcript, answer, runs.of(answer.id));
  const running = shown && runs.of(shown.id);
  return withComparison(toTurn(turn, running, transcript.siblings(turn.id), views), turn, runs, views);
}

/** Returns the shown turn, with its answers side by side if they are compared. */
function withComparison(shown: Turn, turn: TranscriptTurn, runs: AnswerRuns, calls: CallViewsOf): Turn {
  const comparison = toComparison(turn, runs, calls);
  if (!comparison) return shown;
  if (comparison.columns.length === 0) return { ...shown, comparison };
  const { tryId: _, tries: _tries, ...rest } = shown;
  return { ...rest, answer: { state: 'done', model: '', blocks: [] }, comparison };
}

function toComparison(
  { comparison, answers }: TranscriptTurn,
  runs: AnswerRuns,
  calls: CallViewsOf,
): Comparison | undefined {
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
