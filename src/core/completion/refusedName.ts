import { refusedAmong } from '../parameters/refusal';
import type { Refusal } from '../parameters/refusal';
import type { CompletionRequest } from '../api/completions/completions.schema';
import { refusableNames } from './completionParameters';
import type { RefusableName } from './completionParameters';

/** How services word a parameter if they do not use its wire name. */
const wordsFor: Readonly<Record<RefusableName, RegExp>> = {
  max_tokens: /\bmax[_ -]?(new[_ -]?)?tokens\b/i,
  temperature: /\btemperature\b/i,
  top_p: /\btop[_ -]?p\b/i,
  top_k: /\btop[_ -]?k\b/i,
  // A single letter occurs in many messages, so it must be quoted or followed by a comparison.
  n: /[`'"]n[`'"]|\bn\s*(=|>|must)/,
  seed: /\bseed\b/i,
  repetition_penalty: /\brepeti?tion[_ -]?penalty\b/i,
  presence_penalty: /\bpresence[_ -]?penalty\b/i,
  frequency_penalty: /\bfrequency[_ -]?penalty\b/i,
  // "stop" alone is an everyday word.
  stop: /[`'"]stop[`'"]|\bstop[_ -]?(sequences?|words?|strings?)\b/i,
  logit_bias: /\blogit[_ -]?bias\b/i,
  logprobs: /\blog[_ -]?prob(s|abilit\w+)?\b/i,
  suffix: /\bsuffix\b|\bfill[- ]in[- ]the[- ]middle\b|\bFIM\b/i,
};

/** Returns which part of a request a refusal is about; `undefined` if it is about none that was sent. */
export function refusedName(refusal: Refusal, request: CompletionRequest): RefusableName | undefined {
  const sent = refusableNames.filter((name) => request[name] !== undefined && request[name] !== null);
  return refusedAmong(refusal, sent, wordsFor);
}
