import type { Capabilities } from '../capabilities/capabilities';
import { estimateErrorPercent } from '../tokens/estimate';

type Room = Pick<Capabilities, 'contextTokens' | 'outputTokens'>;

/** Less is no answer. */
const fewestAnswerTokens = 1024;

/** A prompt is only estimated: it may take so many times as much. */
const promptMargin = 1 + estimateErrorPercent / 100;

/** The most tokens of a prompt, as estimated, beside which an answer of any length fits. */
export function mostPromptTokens({ contextTokens, outputTokens }: Room): number {
  return Math.floor((contextTokens - outputTokens) / promptMargin);
}

/** The most tokens of an answer that fit beside a prompt of `promptTokens`, as estimated. */
export function answerRoom(
  promptTokens: number,
  wanted: number | undefined,
  { contextTokens, outputTokens }: Room,
): number {
  const room = contextTokens - Math.ceil(promptTokens * promptMargin);
  const most = Math.min(wanted ?? outputTokens, outputTokens);
  return Math.max(Math.min(most, room), Math.min(most, fewestAnswerTokens));
}
