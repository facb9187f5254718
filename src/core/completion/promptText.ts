import { estimateErrorPercent, estimateTokens } from '../tokens/estimate';

/** Approximate limit in tokens of the text sent before the cursor if the model's context length is unknown. */
export const tokensWithoutContext = 16_000;
/** The space reserved for the answer without a limit. */
const usualAnswerTokens = 1024;
/** No text averages more characters per token, so no more needs to be examined. */
const mostCharsPerToken = 12;

/** The text before the cursor as sent. */
export interface PromptBefore {
  readonly prompt: string;
  /** Whether the beginning was cut off. */
  readonly isCut: boolean;
}

/** Estimates how many prompt tokens are certain to fit a model together with the answer. */
export function promptTokens(context: number | undefined, answerTokens: number | undefined): number {
  if (context === undefined) return tokensWithoutContext;
  const answer = Math.min(answerTokens ?? usualAnswerTokens, Math.floor(context / 2));
  return Math.max(1, Math.floor(((context - answer) * 100) / (100 + estimateErrorPercent)));
}

/** Returns the end of a text with about `mostTokens` tokens at most, from the start of a line if possible. */
export function promptBefore(text: string, mostTokens: number): PromptBefore {
  let start = Math.max(0, text.length - mostTokens * mostCharsPerToken);
  for (;;) {
    start = nextStart(text, start);
    const tokens = estimateTokens(text.slice(start));
    if (tokens <= mostTokens) return { prompt: text.slice(start), isCut: start > 0 };
    const length = text.length - start;
    start = text.length - Math.min(length - 1, Math.floor((length * mostTokens) / tokens));
  }
}

/** Whether the text is binary: it contains a zero, or many characters that nobody writes. */
export function isBinary(text: string): boolean {
  if (text.includes('\0')) return true;
  let odd = 0;
  for (let at = 0; at < text.length; at++) if (isOdd(text.charCodeAt(at))) odd++;
  return odd > 8 && odd * 20 > text.length;
}

/** Whether it is a control character that occurs in no text, or the replacement for undecodable bytes. */
function isOdd(code: number): boolean {
  return (code < 0x20 && !(code >= 0x08 && code <= 0x0d) && code !== 0x1b) || code === 0xfffd;
}

/** Returns the next start of a line; within a last line that is too long, the next start of a character. */
function nextStart(text: string, at: number): number {
  if (at === 0 || text[at - 1] === '\n') return at;
  const end = text.indexOf('\n', at);
  if (end >= 0 && end + 1 < text.length) return end + 1;
  const isHalf = /[\udc00-\udfff]/.test(text[at] ?? '');
  return isHalf ? at + 1 : at;
}
