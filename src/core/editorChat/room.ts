import type { Capabilities } from '../capabilities/capabilities';
import { estimateErrorPercent } from '../tokens/estimate';

type Room = Pick<Capabilities, 'contextTokens' | 'outputTokens'>;

/** The least room for an answer; less would be useless. */
const fewestAnswerTokens = 1024;

/** Token counts of prompts are estimates; the real count may be larger by this factor. */
const promptMargin = 1 + estimateErrorPercent / 100;

/** Returns the largest prompt, in estimated tokens, that leaves room for an answer of maximum length. */
export function mostPromptTokens({ contextTokens, outputTokens }: Room): number {
  return Math.floor((contextTokens - outputTokens) / promptMargin);
}

/** Returns the most answer tokens that fit next to a prompt of `promptTokens` estimated tokens. */
export function answerRoom(
  promptTokens: number,
  wanted: number | undefined,
  { contextTokens, outputTokens }: Room,
): number {
  const room = contextTokens - Math.ceil(promptTokens * promptMargin);
  const most = Math.min(wanted ?? outputTokens, outputTokens);
  return Math.max(Math.min(most, room), Math.min(most, fewestAnswerTokens));
}
