import { uniqueCitations } from '../api/messages/messageEvents';
import { estimateTokens } from '../tokens/estimate';
import type { Usage } from '../usage/usage';
import type { AnswerEnd } from './record';
import type { TranscriptAnswer } from './transcript';

/** Returns the total usage of an answer; any part without a recorded end is estimated from its text. */
export function usageOf(answer: TranscriptAnswer): Usage {
  const { inputTokens = 0, outputTokens = 0, inputIsEstimate, outputIsEstimate } = answer.end ?? endSoFar(answer) ?? {};
  const isEstimate = inputIsEstimate ?? outputIsEstimate;
  return { inputTokens, outputTokens, ...(isEstimate && { isEstimate }) };
}

/** Returns the end of an answer before it is continued; for one cut off by closing the editor, estimates the usage from its text. */
export function endSoFar(answer: TranscriptAnswer): AnswerEnd | undefined {
  if (answer.end) return answer.end;
  const outputTokens = Math.max(0, tokensIn(answer) - (answer.counted ?? estimateTokens(answer.prefill ?? '')));
  if (outputTokens === 0) return answer.endBefore;
  const cut = { state: 'stopped', outputTokens, outputIsEstimate: true } as const;
  return answer.endBefore ? together(answer.endBefore, cut) : cut;
}

/** Estimates the tokens of all its blocks. */
export function tokensIn({ blocks }: TranscriptAnswer): number {
  return estimateTokens(blocks.map(({ text }) => text).join(''));
}

/** Returns the end of a continued answer: its last outcome, with the usage of all its parts. */
export function together(before: AnswerEnd, last: AnswerEnd): AnswerEnd {
  const { firstTokenMs, ...rest } = last;
  const first = before.firstTokenMs ?? firstTokenMs;
  const waited = before.firstTokenMs === undefined ? 0 : (firstTokenMs ?? 0);
  return {
    ...rest,
    ...sum('inputTokens', before.inputTokens, last.inputTokens),
    ...sum('outputTokens', before.outputTokens, last.outputTokens),
    ...sum('cost', before.cost, last.cost),
    ...(before.citations && { citations: uniqueCitations([...before.citations, ...(last.citations ?? [])]) }),
    ...(before.inputIsEstimate && { inputIsEstimate: true }),
    ...(before.outputIsEstimate && { outputIsEstimate: true }),
    // Excludes the second wait for a first token, so that the time after the first one remains the time of writing.
    ...sum('totalMs', before.totalMs, last.totalMs === undefined ? undefined : last.totalMs - waited),
    ...(first === undefined ? {} : { firstTokenMs: first }),
  };
}

function sum(name: 'inputTokens' | 'outputTokens' | 'cost' | 'totalMs', ...parts: readonly (number | undefined)[]) {
  const known = parts.filter((part) => part !== undefined);
  return known.length === 0 ? {} : { [name]: known.reduce((all, part) => all + part, 0) };
}
