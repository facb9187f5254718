import { estimateTokens } from '../tokens/estimate';
import type { Usage } from '../usage/usage';
import type { AnswerEnd } from './record';
import type { TranscriptAnswer } from './transcript';

/** What an answer took in all; of the part that no end accounts for, what its text says. */
export function usageOf(answer: TranscriptAnswer): Usage {
  const { inputTokens = 0, outputTokens = 0, inputIsEstimate, outputIsEstimate } = answer.end ?? endSoFar(answer) ?? {};
  const isEstimate = inputIsEstimate ?? outputIsEstimate;
  return { inputTokens, outputTokens, ...(isEstimate && { isEstimate }) };
}

/** How an answer that is continued had ended; one that was cut off by the end of the editor took about what its text says. */
export function endSoFar(answer: TranscriptAnswer): AnswerEnd | undefined {
  if (answer.end) return answer.end;
  const outputTokens = Math.max(0, tokensIn(answer) - (answer.counted ?? estimateTokens(answer.prefill ?? '')));
  if (outputTokens === 0) return answer.endBefore;
  const cut = { state: 'stopped', outputTokens, outputIsEstimate: true } as const;
  return answer.endBefore ? together(answer.endBefore, cut) : cut;
}

/** About how many tokens all of its blocks have. */
export function tokensIn({ blocks }: Pick<TranscriptAnswer, 'blocks'>): number {
  return estimateTokens(blocks.map(({ text }) => text).join(''));
}

/** The end of an answer that was continued: how it ended at last, and what all of it took. */
export function together(before: AnswerEnd, last: AnswerEnd): AnswerEnd {
  const { firstTokenMs, ...rest } = last;
  const first = before.firstTokenMs ?? firstTokenMs;
  const waited = before.firstTokenMs === undefined ? 0 : (firstTokenMs ?? 0);
  return {
    ...rest,
    ...sum('inputTokens', before.inputTokens, last.inputTokens),
    ...sum('outputTokens', before.outputTokens, last.outputTokens),
    ...(before.inputIsEstimate && { inputIsEstimate: true }),
    ...(before.outputIsEstimate && { outputIsEstimate: true }),
    // Without the second wait for a first token, so that the time after the first one stays the time of writing.
    ...sum('totalMs', before.totalMs, last.totalMs === undefined ? undefined : last.totalMs - waited),
    ...(first === undefined ? {} : { firstTokenMs: first }),
  };
}

function sum(name: 'inputTokens' | 'outputTokens' | 'totalMs', ...parts: readonly (number | undefined)[]) {
  const known = parts.filter((part) => part !== undefined);
  return known.length === 0 ? {} : { [name]: known.reduce((all, part) => all + part, 0) };
}
