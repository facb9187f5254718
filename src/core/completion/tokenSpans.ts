import type { TokenLogprobs } from '../api/completions/completionEvents';
import { matchAt, readToken, wholeText } from './tokenText';
import type { TokenText } from './tokenText';
import type { Span } from './movedSpan';

/** A token at its position in the text; the byte tokens of one character are merged. */
export interface TokenSpan extends Span {
  readonly text: string;
  /** `null` if the service reports none. */
  readonly logprob: number | null;
  /** Most probable first; may include the token itself. */
  readonly alternatives: readonly { readonly text: string; readonly logprob: number }[];
}

/** How far ahead to search for a token that does not start where the previous one ended, in characters. */
const mostSkipped = 80;

interface Piece {
  readonly token: TokenText;
  readonly logprob: number | null;
  readonly top: Readonly<Record<string, number>> | null | undefined;
}

/**
 * Finds the tokens of a text in it, in order and without overlap. Services write tokens in several ways: as they are, with marks
 * for blanks and line ends, or as single bytes. Tokens that cannot be found are left out.
 */
export function tokenSpans(text: string, logprobs: TokenLogprobs): readonly TokenSpan[] {
  const pieces = piecesOf(logprobs);
  const spans: TokenSpan[] = [];
  let at = 0;
  for (const [index, piece] of pieces.entries()) {
    const start = find(text, at, pieces, index);
    const end = start === undefined ? undefined : matchAt(text, start, piece.token);
    if (start === undefined || end === undefined) continue;
    at = end;
    if (end === start) continue;
    spans.push({ start, end, text: text.slice(start, end), logprob: piece.logprob, alternatives: topOf(piece.top) });
  }
  return spans;
}

/** Merges tokens that are bytes of one character; their probabilities multiply. */
function piecesOf({ tokens, token_logprobs, top_logprobs }: TokenLogprobs): readonly Piece[] {
  const pieces: Piece[] = [];
  let bytes: number[] = [];
  let sum: number | null = 0;
  for (const [index, raw] of tokens.entries()) {
    const token = readToken(raw);
    const logprob = token_logprobs[index] ?? null;
    if (!('bytes' in token)) {
      [bytes, sum] = [[], 0];
      pieces.push({ token, logprob, top: top_logprobs?.[index] });
      continue;
    }
    bytes.push(...token.bytes);
    sum = sum === null || logprob === null ? null : sum + logprob;
    const text = wholeText(bytes);
    if (text !== undefined) pieces.push({ token: { texts: [text] }, logprob: sum, top: undefined });
    // No character has more than four bytes: an incomplete one stays incomplete.
    if (text !== undefined || bytes.length >= 4) [bytes, sum] = [[], 0];
  }
  return pieces;
}

/** Returns where the token starts: right here, or a little ahead if the next token follows it there. */
function find(text: string, at: number, pieces: readonly Piece[], index: number): number | undefined {
  const { token } = pieces[index]!;
  if (matchAt(text, at, token) !== undefined) return at;
  const next = pieces[index + 1]?.token;
  for (let start = at + 1; start <= Math.min(text.length, at + mostSkipped); start++) {
    const end = matchAt(text, start, token);
    if (end === undefined || end === start) continue;
    if (next ? matchAt(text, end, next) !== undefined : end === text.length) return start;
  }
  return undefined;
}

function topOf(top: Piece['top']): TokenSpan['alternatives'] {
  return Object.entries(top ?? {})
    .map(([raw, logprob]) => {
      const token = readToken(raw);
      return { text: 'texts' in token ? token.texts.at(-1)! : raw, logprob };
    })
    .toSorted((one, other) => other.logprob - one.logprob);
}
