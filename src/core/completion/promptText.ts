import { estimateErrorPercent, estimateTokens } from '../tokens/estimate';

/** Where a model's length is not known, the text before the cursor is sent up to about so many tokens. */
export const tokensWithoutContext = 16_000;
/** Left for the answer where no limit of its own is set. */
const usualAnswerTokens = 1024;
/** No token of text is longer on average, so more need not be looked at. */
const mostCharsPerToken = 12;

/** The text before a cursor as it is sent. */
export interface PromptBefore {
  readonly prompt: string;
  /** Whether the beginning was left out. */
  readonly isCut: boolean;
}

/** About how many tokens of a prompt are sure to fit a model, so that its answer fits too. */
export function promptTokens(context: number | undefined, answerTokens: number | undefined): number {
  if (context === undefined) return tokensWithoutContext;
  const answer = Math.min(answerTokens ?? usualAnswerTokens, Math.floor(context / 2));
  return Math.max(1, Math.floor(((context - answer) * 100) / (100 + estimateErrorPercent)));
}

/** The end of a text, of at most about so many tokens, from the start of a line where there is one. */
export function promptBefore(text: string, mostTokens: number): PromptBefore {
  let start = Math.max(0, text.length - mostTokens * mostCharsPerToken);
  for (;;) {
    start = nextStart(text, start);
    const tokens = estimateTokens(text.slice(start));
    if (tokens <= mostTokens) return { prompt: text.slice(start), isCut: start > 0 };
    const kept = text.length - start;
    start = text.length - Math.min(kept - 1, Math.floor((kept * mostTokens) / tokens));
  }
}

/** Bytes that are no text: a zero, or many characters that nobody writes. */
export function isBinary(text: string): boolean {
  if (text.includes('\0')) return true;
  let odd = 0;
  for (let at = 0; at < text.length; at++) if (isOdd(text.charCodeAt(at))) odd++;
  return odd > 8 && odd * 20 > text.length;
}

/** Control characters that stand in no text, and what bytes become that are none. */
function isOdd(code: number): boolean {
  return (code < 0x20 && !(code >= 0x08 && code <= 0x0d) && code !== 0x1b) || code === 0xfffd;
}

/** The next start of a line; in a last line that is too long, the next start of a character. */
function nextStart(text: string, at: number): number {
  if (at === 0 || text[at - 1] === '\n') return at;
  const end = text.indexOf('\n', at);
  if (end >= 0 && end + 1 < text.length) return end + 1;
  const isHalf = /[\udc00-\udfff]/.test(text[at] ?? '');
  return isHalf ? at + 1 : at;
}
